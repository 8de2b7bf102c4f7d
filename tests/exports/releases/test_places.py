"""A release is shown wherever the data folder lies."""

import shutil

import pytest
from django.test import Client
from django.urls import reverse

from exports.models import Release
from tests.exports.judged_batches import release


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
