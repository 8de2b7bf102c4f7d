"""A release gives out the files that it was made of."""

import pytest
from django.test import Client
from django.urls import reverse

from exports.models import Release
from jobs.actions import execution
from jobs.models import Job
from tests.exports.releases.stored_release import folder_of


@pytest.fixture(autouse=True)
def _releases_lie_apart(settings, tmp_path, monkeypatch):
    settings.RELEASES = tmp_path / "releases"
    monkeypatch.setattr("jobs.tasks.work_on.delay", lambda job: None)


def test_a_file_that_lies_in_its_folder_and_is_no_part_of_it_is_not_given(
    study, alice, plausibility
):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    new = reverse("release_new", kwargs={"study": study.slug})
    client.post(new, {"dataset": plausibility.pool.dataset.pk})
    execution.run(Job.objects.get(kind="release"))
    release = Release.objects.get()
    (folder_of(release) / "notes.txt").write_text("not for others", encoding="utf-8")

    parts = {"study": study.slug, "number": release.number}
    given = client.get(reverse("release_file", kwargs=parts | {"name": "gold.json"}))
    other = client.get(reverse("release_file", kwargs=parts | {"name": "notes.txt"}))

    assert given.status_code == 200
    assert b"".join(given.streaming_content)
    assert other.status_code == 404
