"""A release is imported on the page, and its accepted answers are on the page of the new version."""

import pytest
from django.urls import reverse

from tests.corpus.imports import create_dataset, turn
from tests.corpus.release_folders import accepted, released, write_release
from tests.corpus.uploads import import_checked, job_page, run_newest_job, uploaded_file
from tests.jobs.clients import client_of


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.UPLOADS = tmp_path / "uploads"
    settings.UPLOADS.mkdir()
    return settings.UPLOADS


def test_three_files_are_checked_and_become_the_next_version_with_its_accepted_answers(
    study, alice, tmp_path
):
    create_dataset(study, tmp_path, [turn(1, "Slate.")])
    answers = (accepted("A dark slab."), accepted("Some rock.", "silver"))
    sent = write_release(tmp_path / "release", [released(1, "Slate.", *answers)])
    files = {
        name: uploaded_file((sent / f"{name}.json").read_bytes(), f"{name}.json")
        for name in ("manifest", "gold", "silver")
    }
    client = client_of(alice)
    address = f"{reverse('dataset_import', args=[study.slug])}?format=release"

    client.post(address, {"name": "touch", "as_new_version": "on", **files})
    checked = run_newest_job()

    assert checked.result["outcome"] == "next version"
    assert "touch@2" in job_page(client, checked)
    import_checked(client, checked)
    run_newest_job()
    page = client.get(reverse("dataset", args=[study.slug, "touch", 2])).text
    assert "1 gold and 1 silver" in page
    assert "release 3 of the study elsewhere" in page
    assert page.index("A dark slab.") < page.index("Some rock.")
    assert '<span class="quiet small">silver</span>' in page
