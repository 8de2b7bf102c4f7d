"""Two releases in a browser: an erratum is noted, the next one has a version, and a page says what changed."""

import pytest
from playwright.sync_api import expect

from annotation.actions import reviews
from exports.models import Release
from jobs import shortcuts
from jobs.actions import execution
from jobs.models import Job
from tests.annotation.pools import launched
from tests.browser import axe
from tests.exports.judged_batches import judge_and_settle, release
from tests.sampling.scored_dataset import create_scored_dataset, draw_pool


@pytest.fixture
def judged(study, tmp_path, bob, dora, settings, monkeypatch):
    settings.RELEASES = tmp_path / "releases"
    monkeypatch.setattr(shortcuts.work_on, "delay", lambda pk: None)
    return judge_and_settle(launched(draw_pool(create_scored_dataset(study, tmp_path))), bob, dora)


def test_an_error_of_a_release_is_noted_mended_and_found_in_the_next(
    page, sign_in, alice, carol, study, judged, tmp_path
):
    release(judged, tmp_path / "first")
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/releases/1/?tier=silver")
    page.get_by_role("link", name="Note an erratum of").first.click()
    answer_id = page.get_by_label("Answer id").input_value()
    assert axe.violations(page) == []
    page.get_by_label("What is wrong").fill("The second tower is meant.")
    page.get_by_role("button", name="Note the erratum").click()
    expect(page.get_by_text("The erratum is noted")).to_be_visible()
    expect(page.get_by_role("region", name="Errata")).to_contain_text("The second tower is meant.")
    assert axe.violations(page) == []

    wrong = Release.objects.get().errata.get()
    assert wrong.answer_id == answer_id
    item = judged.items.get(answers__candidate__text=wrong.answer)
    reviews.adjudicate(item=item, label="implausible", reason=wrong.reason, by=carol)
    page.goto(f"/studies/{study.slug}/releases/new/")
    page.get_by_label("Version").fill("least")
    page.get_by_label("Note").fill("Without the second tower.")
    page.get_by_role("button", name="Create the release").click()
    expect(page.get_by_role("heading", name="Release")).to_be_visible()
    execution.run(Job.objects.get(kind="release"))

    page.get_by_role("link", name="Open").click()
    expect(page.get_by_text("Version 1.0.0")).to_be_visible()
    expect(page.get_by_text("errata.json")).to_be_visible()
    page.get_by_role("link", name="release 1").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("From release 1 to release 2")
    expect(page.get_by_role("region", name="Verdicts that changed")).to_contain_text(
        "carol adjudicated it as implausible: The second tower is meant."
    )
    assert axe.violations(page) == []


def test_a_question_is_found_by_words_and_shows_all_that_is_known(
    page, sign_in, alice, study, judged
):
    turn = judged.items.order_by("position")[0].turn
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/search/")
    page.get_by_role("searchbox").fill(turn.standalone.upper())
    page.get_by_role("button", name="Search").click()
    page.get_by_role("region", name="Questions").get_by_role("link", name=turn.key).click()

    expect(page.get_by_role("heading", level=1)).to_contain_text(turn.key)
    for heading in ("References", "Answers", "Evidence", "Scores", "Runs"):
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Accepted")).to_be_visible()
    assert axe.violations(page) == []
