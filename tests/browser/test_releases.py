"""A release in a browser: made from the page of the study, looked at, and downloaded."""

import zipfile

import pytest
from playwright.sync_api import expect

from exports.models import Release
from jobs import shortcuts
from jobs.actions import execution
from jobs.models import Job
from tests.annotation.pools import launched
from tests.browser import axe
from tests.exports.judged_batches import judge_and_settle
from tests.sampling.scored_dataset import create_scored_dataset, draw_pool


@pytest.fixture
def judged(study, tmp_path, bob, dora, settings, monkeypatch):
    settings.RELEASES = tmp_path / "releases"
    monkeypatch.setattr(shortcuts.work_on, "delay", lambda pk: None)
    return judge_and_settle(launched(draw_pool(create_scored_dataset(study, tmp_path))), bob, dora)


@pytest.mark.smoke
def test_a_release_is_made_looked_at_and_downloaded(page, sign_in, alice, study, judged, tmp_path):
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/releases/new/")
    page.get_by_role("button", name="Create the release").click()
    expect(page.get_by_role("heading", name="Release")).to_be_visible()
    execution.run(Job.objects.get(kind="release"))
    page.get_by_role("link", name="Open").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Release 1")
    assert axe.violations(page) == []

    with page.expect_download() as begun:
        page.get_by_role("link", name="Download all").click()

    begun.value.save_as(tmp_path / "release.zip")
    with zipfile.ZipFile(tmp_path / "release.zip") as packed:
        names = {name.rpartition("/")[2] for name in packed.namelist()}
    assert {"gold.json", "report.json", "manifest.json"} <= names
    assert Release.objects.get().number == 1
