"""Names and delivery of static files."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage as Hashed

from config.script_bundles import BundleError, bundle

# Each is delivered as one file with what it imports: a reply for each module would double a first visit.
BUNDLES = ("js/desk/main.js", "js/unsent.js")
# What else the collected files depend on.
MAKERS = (Path(__file__), Path(__file__).with_name("script_bundles.py"))
PACKAGES = ("django", "whitenoise", "brotli")
Found = Mapping[str, tuple[Any, str]]  # storage and path there, by path


class HashedStaticFiles(Hashed):  # type: ignore[misc]
    """Storage that names every file by its content, also where one of our scripts imports another.

    Browsers cache all files for ever, and no file works with another version of its neighbour.
    """

    # Django's own switch for this looks into every app's scripts, and stumbles over those of django_htmx.
    patterns = (*Hashed.patterns, ("js/*.js", Hashed._js_module_import_aggregation_patterns[1]))
    # A pass gives the final names to scripts that import only scripts with final names, so that a chain of
    # imports takes as many passes as it is long. It ends as soon as all are final.
    max_post_process_passes = 100

    def post_process(self, paths: Found, *args: Any, **options: Any) -> Iterator[Any]:
        yield from super().post_process({**paths, **bundles(paths)}, *args, **options)


def collect() -> None:
    """Collect all static files, unless they lie in STATIC_ROOT as they were last collected from the same files.

    What was collected is noted beside that folder.
    """
    root = Path(settings.STATIC_ROOT)
    note, source = root.with_name(f"{root.name}.json"), _source()
    if _read(note) == {"source": source, "collected": _sizes(root)}:
        return
    note.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    note.write_text(json.dumps({"source": source, "collected": _sizes(root)}), encoding="utf-8")


def _source() -> str:
    """Return the digest of all files to collect and of what makes names and copies of them."""
    found = hashlib.sha256(repr(settings.STORAGES["staticfiles"]).encode())
    for package in PACKAGES:
        found.update(f"{package} {version(package)}\n".encode())
    for maker in MAKERS:
        found.update(maker.read_bytes())
    for finder in get_finders():
        for path, storage in finder.list([]):
            with storage.open(path) as file:
                found.update(f"\n{path} {storage.size(path)}\n".encode() + file.read())
    return found.hexdigest()


def _sizes(root: Path) -> dict[str, int]:
    return {
        str(path.relative_to(root)): path.stat().st_size
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def _read(note: Path) -> object:
    try:
        return json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def bundles(paths: Found) -> Found:
    """Return the bundles whose files are there. Raises BundleError."""
    made = InMemoryStorage()
    found = {}
    for name in BUNDLES:
        if name in paths:
            content = bundle(name, partial(_text, paths, name))
            found[name] = (made, made.save(name, ContentFile(content.encode())))
    return found


def _text(paths: Found, importer: str, path: str) -> str:
    if path not in paths:
        raise BundleError(f"{importer} imports {path}, which is not there")
    storage, place = paths[path]
    with storage.open(place) as file:
        return str(file.read().decode())
