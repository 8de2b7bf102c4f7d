"""An expert's precision audit, by keyboard alone."""

import pytest
from playwright.sync_api import expect

from exports.models import PrecisionJudgement
from jobs.actions import execution, jobs
from tests.annotation.pools import launched
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.key_presses import press
from tests.exports.judged_batches import find_evidence, judge_and_settle
from tests.exports.precision_audit.test_actions import draw_audit
from tests.sampling.scored_dataset import create_scored_dataset, draw_pool


@pytest.fixture
def audit(study, tmp_path, bob, dora):
    """A precision audit of three gold answers."""
    plausibility = judge_and_settle(
        launched(draw_pool(create_scored_dataset(study, tmp_path))), bob, dora
    )
    batch = launched(find_evidence(plausibility), scheme="faithfulness")
    return draw_audit(judge_and_settle(batch, bob, dora, label="faithful"))


def test_an_audit_is_judged_and_corrected_by_keyboard(page, sign_in, carol, audit):
    sign_in(carol)
    page.goto(f"/studies/{audit.study.slug}/precision/")
    link = page.get_by_role("link", name="Audit 1")
    link.focus()
    page.keyboard.press("Enter")

    expect(page.get_by_text("Does this response answer the question?")).to_be_visible()
    assert axe.violations(page) == []
    press(page, "1")
    expect(page.get_by_text("Does the response follow from the evidence?")).to_be_visible()
    press(page, "1")
    expect(page.get_by_text("1 of 3 judged")).to_be_visible()

    press(page, "z")
    expect(page.get_by_text("You said faithful")).to_be_visible()
    press(page, "2")
    expect(page.get_by_text("Does this response answer the question?")).to_be_visible()
    press(page, "3")
    expect(page.get_by_text("2 of 3 judged")).to_be_visible()
    press(page, "2")
    expect(page.get_by_text("All are judged")).to_be_visible()

    said = PrecisionJudgement.objects.filter(replaced_by=None).values_list("label", flat=True)
    assert sorted(said) == ["implausible", "malformed", "plausible", "unfaithful"]
    assert PrecisionJudgement.objects.count() == 5


def test_the_results_are_accessible_and_whole_on_a_phone(page, sign_in, alice, audit):
    dataset = audit.dataset
    about = {"kind": "results", "key": str(dataset), "params": {"dataset": dataset.pk}}
    execution.run(jobs.start(study=audit.study, **about, by=alice))
    sign_in(alice)

    page.goto(f"/studies/{audit.study.slug}/results/")
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)
        assert axe.violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]

    page.get_by_role("navigation", name="Measure").get_by_role("link", name="Gold").click()
    expect(
        page.get_by_role("heading", name="Leaderboard: gold, plausible of the settled answers")
    ).to_be_visible()
