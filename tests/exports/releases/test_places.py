"""A release is shown wherever the data folder lies, and where version 0.1.0 wrote it."""

import json
import shutil
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse

from exports.models import Release
from tests.exports.judged_batches import release
from tests.exports.releases.stored_release import folder_of

migration = import_module("exports.migrations.0002_relative_folders")


@pytest.fixture
def made(plausibility, settings, tmp_path):
    settings.RELEASES = tmp_path / "data" / "releases"
    release(plausibility, tmp_path / "out")
    return Release.objects.get()


@pytest.fixture
def page(study, alice):
    """The release's page as alice sees it."""
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")

    def shown() -> str:
        return client.get(reverse("release", kwargs={"study": study.slug, "number": 1})).text

    return shown


def test_a_release_is_shown_after_the_data_folder_was_moved(made, page, settings, tmp_path):
    shutil.move(tmp_path / "data", tmp_path / "restored")
    assert "Its files cannot be shown" in page()

    settings.RELEASES = tmp_path / "restored" / "releases"

    assert "Outcome of the answers" in page()


def test_a_release_that_a_command_of_0_1_0_wrote_elsewhere_is_shown_while_it_is_there(
    made, page, tmp_path
):
    shutil.rmtree(folder_of(made))
    made.folder = str(tmp_path / "out")
    made.save()

    migration.to_names(apps, connection.schema_editor())

    assert "Outcome of the answers" in page()
    shutil.rmtree(tmp_path / "out")
    assert "shown: out is no release: there is no manifest.json in it" in page()


@pytest.mark.parametrize("top", ["data", "moved"])
def test_the_migration_names_what_0_1_0_kept_in_the_data_folder(
    made, page, settings, tmp_path, top
):
    kept = settings.RELEASES / "everyday" / "7"
    shutil.move(folder_of(made), kept)
    made.folder = str(kept)
    made.save()
    shutil.move(tmp_path / "data", tmp_path / "elsewhere")
    shutil.move(tmp_path / "elsewhere", tmp_path / top)
    settings.RELEASES = tmp_path / top / "releases"

    migration.to_names(apps, connection.schema_editor())

    made.refresh_from_db()
    assert made.folder == "everyday/7"
    assert "Outcome of the answers" in page()
    migration.to_paths(apps, connection.schema_editor())
    made.refresh_from_db()
    assert made.folder == str(tmp_path / top / "releases" / "everyday" / "7")


def test_the_migration_takes_no_other_release_for_one_that_was_moved(made, settings, tmp_path):
    another = settings.RELEASES / "everyday" / "7"
    shutil.copytree(folder_of(made), another)
    manifest = json.loads((another / "manifest.json").read_bytes()) | {"release": 2}
    (another / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    made.folder = "/somewhere/releases/everyday/7"
    made.save()

    migration.to_names(apps, connection.schema_editor())

    made.refresh_from_db()
    assert made.folder == "/somewhere/releases/everyday/7"
