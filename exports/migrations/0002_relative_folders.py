"""Name the folders of releases in the storage instead of by their full path, which changes with the data folder."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import migrations


def to_names(apps: Any, schema_editor: Any) -> None:
    top = settings.RELEASES.resolve()
    for release in apps.get_model("exports", "Release").objects.iterator():
        folder = Path(release.folder)
        if folder.is_relative_to(top):
            release.folder = folder.relative_to(top).as_posix()
        elif is_same(top / folder.parent.name / folder.name, release.manifest):
            # The data folder was moved, and the release with it.
            release.folder = f"{folder.parent.name}/{folder.name}"
        release.save(update_fields=["folder"])


def is_same(folder: Path, manifest: dict[str, Any]) -> bool:
    try:
        return bool(json.loads((folder / "manifest.json").read_bytes()) == manifest)
    except (OSError, ValueError):
        return False


def to_paths(apps: Any, schema_editor: Any) -> None:
    top = settings.RELEASES.resolve()
    for release in apps.get_model("exports", "Release").objects.iterator():
        release.folder = str(top / release.folder)  # a full path stays as it is
        release.save(update_fields=["folder"])


class Migration(migrations.Migration):
    dependencies = [("exports", "0001_initial")]
    operations = [migrations.RunPython(to_names, to_paths)]
