"""A release in a browser: read back by its form, its runs scored against truth, gold and silver, and put side by side."""

import re

import pytest
from playwright.sync_api import expect

from jobs import shortcuts
from jobs.actions import execution
from jobs.models import Job
from tests.annotation.pools import launched
from tests.browser import axe
from tests.corpus.uploads import run_newest_job
from tests.exports.judged_batches import find_evidence, judge_and_settle, release
from tests.sampling.scored_dataset import create_scored_dataset, draw_pool


@pytest.fixture
def released(study, tmp_path, bob, dora, settings, monkeypatch):
    """The folder of a release: "Black." and "Green." are gold, the tablet is silver."""
    settings.UPLOADS = tmp_path / "uploads"
    settings.UPLOADS.mkdir()
    settings.RELEASES = tmp_path / "releases"
    monkeypatch.setattr(shortcuts.work_on, "delay", lambda pk: None)
    pool = draw_pool(create_scored_dataset(study, tmp_path))
    plausibility = judge_and_settle(launched(pool), bob, dora)
    faithfulness = launched(find_evidence(plausibility), scheme="faithfulness")
    judge_and_settle(faithfulness, bob, dora, label="faithful")
    release(plausibility, tmp_path / "release")
    return tmp_path / "release"


def run_jobs(*kinds):
    for job in Job.objects.unfinished().filter(kind__in=kinds).order_by("pk"):
        execution.run(job)


def import_release(page, study, folder):
    page.goto(f"/studies/{study.slug}/datasets/")
    page.get_by_role("link", name="Import a data set").click()
    page.get_by_role("link", name="Release", exact=True).click()
    for name in ("manifest", "gold", "silver"):
        page.get_by_label(f"{name}.json").set_input_files(folder / f"{name}.json")
    page.get_by_role("textbox", name="Name").fill("touch")
    page.get_by_label("As the next version").check()
    assert axe.violations(page) == []
    page.get_by_role("button", name="Check the files").click()
    page.wait_for_url(re.compile(r"/jobs/\d+/"))
    run_newest_job()
    expect(page.get_by_text("touch@2")).to_be_visible()
    page.get_by_role("button", name="Import").click()
    run_newest_job()
    page.get_by_role("link", name="Look at the data set").click()


def score(page, study, references):
    page.goto(f"/studies/{study.slug}/scores/start/")
    page.get_by_label("Data set").select_option(label="touch@2")
    page.get_by_label("References").select_option(references)
    for box in page.locator("input[name=metrics]").all():
        box.set_checked(box.get_attribute("value") == "f1")
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.get_by_text("1 scoring job started.")).to_be_visible()
    run_jobs("score")


def test_a_release_is_read_back_and_its_runs_are_compared_by_references(
    page, sign_in, study, alice, released
):
    sign_in(alice)
    import_release(page, study, released)
    expect(page.get_by_role("heading", name="touch@2")).to_be_visible()
    assert axe.violations(page) == []

    for references in ("truth", "gold", "silver"):
        score(page, study, references)
    page.goto(f"/studies/{study.slug}/scores/")
    page.get_by_role("link", name="Runs by references").click()
    expect(page.get_by_text("The figures are being computed")).to_be_visible()
    run_jobs("runs_by_references")
    expect(page.get_by_text("The figures are being computed")).to_have_count(0)

    table = page.get_by_role("region", name="Runs by F1")
    for heading in ("Truth", "Gold", "Silver", "People"):
        expect(table.get_by_role("columnheader", name=heading)).to_be_visible()
    alder = table.get_by_role("row", name="alder")
    expect(alder).to_contain_text("1.000")
    assert axe.violations(page) == []
