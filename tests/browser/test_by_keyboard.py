"""Pages of what comes after a release, and of control items: reached and used by keyboard alone, focus in sight."""

from dataclasses import replace

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotation.models import Reservation
from exports.models import Release
from jobs import shortcuts
from jobs.actions import execution
from jobs.models import Job
from sampling.actions import reference_evidence
from sampling.actions.reference_evidence import ReferenceEvidenceRule
from tests.annotation.batches_with_controls import full_pool, open_batch, settled_batch
from tests.annotation.pools import launched
from tests.browser import axe
from tests.browser.focus import tab_to
from tests.exports.judged_batches import judge_and_settle, release
from tests.factories import BatchFactory, ItemFactory
from tests.sampling.late_runs import create_late_run
from tests.sampling.scored_dataset import RULE, create_scored_dataset, draw_pool


@pytest.fixture
def study_of(study, tmp_path, bob, dora, monkeypatch):
    """A release with three accepted answers to a question, evidence of references, and a late run."""
    monkeypatch.setattr(shortcuts.work_on, "delay", lambda pk: None)
    dataset = create_scored_dataset(study, tmp_path)
    pool = draw_pool(dataset, replace(RULE, threshold=0.79))
    release(judge_and_settle(launched(pool), bob, dora), tmp_path / "1")
    about = {"rule": ReferenceEvidenceRule("none", None), "model": "none", "by": study.created_by}
    execution.run(reference_evidence.begin(dataset=dataset, name="references", **about))
    create_late_run(dataset, tmp_path, "gale")
    return study


@pytest.fixture
def keyboard(page):
    """Go to an element by Tab and press a key there, or write."""

    def use(target, *, press="", write=""):
        # The page that the key before led to may not be there yet.
        expect(target).to_be_visible()
        tab_to(page, target)
        if write:
            page.keyboard.press("ControlOrMeta+A")
            page.keyboard.type(write)
        if press:
            page.keyboard.press(press)

    return use


def run_jobs(kind):
    for job in Job.objects.unfinished().filter(kind=kind):
        execution.run(job)


def test_an_erratum_pairs_and_a_top_up(page, sign_in, alice, study_of, keyboard):
    sign_in(alice)
    slug, made = study_of.slug, Release.objects.get()
    page.goto(reverse("release_erratum", args=[slug, 1]))
    answer = page.get_by_label("Answer id")
    keyboard(answer, write=accepted_answer(made))
    keyboard(page.get_by_label("What is wrong"), write="The other tower is meant.")
    keyboard(page.get_by_role("button", name="Note the erratum"), press="Enter")
    expect(page.get_by_role("region", name="Errata")).to_contain_text("The other tower is meant.")

    page.goto(reverse("release_pairs", args=[slug, 1]))
    keyboard(page.get_by_label("Name of the pool"), write="colours")
    keyboard(page.get_by_label("Pairs to draw"), write="2")
    keyboard(page.get_by_role("button", name="Draw the pairs"), press="Enter")
    page.wait_for_url("**/jobs/*/")
    run_jobs("draw_pairs")
    keyboard(page.get_by_role("link", name="Look at the pairs"), press="Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("colours")

    page.goto(reverse("late_runs", args=[slug, made.dataset_id]))
    expect(page.get_by_text("The figures are being computed")).to_be_visible()
    run_jobs("late_runs")
    expect(page.get_by_text("The figures are being computed")).to_have_count(0)
    keyboard(page.get_by_role("button", name="Draw a top-up"), press="Enter")
    expect(page.get_by_text("The top-up was drawn: open a batch on it.")).to_be_visible()


def accepted_answer(made):
    text = made.dataset.pools.get(name="pool").candidates.order_by("pk")[0]
    return f"{text.turn.key}:{text.text_sha256[:16]}"


def test_the_evidence_of_references_and_runs_of_its_sentences(
    page, sign_in, alice, study_of, keyboard
):
    sign_in(alice)
    slug = study_of.slug
    page.goto(reverse("reference_evidence_new", args=[slug]))
    assert axe.violations(page) == []
    keyboard(page.get_by_label("Name of the pool"), write="again")
    keyboard(page.get_by_role("button", name="Find the evidence"), press="Enter")
    page.wait_for_url("**/jobs/*/")
    run_jobs("find_reference_evidence")
    keyboard(page.get_by_role("link", name="Look at the evidence"), press="Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("again")

    # Those of the search without a similarity: two sentences are enough.
    page.goto(reverse("pool", args=[slug, study_of.pools.get(name="references").pk]))
    keyboard(page.get_by_role("link", name="Ask about its sentences"), press="Enter")
    keyboard(page.get_by_label("Name of the runs"), write="spans")
    keyboard(page.get_by_role("button", name="Make the runs"), press="Enter")
    page.wait_for_url("**/jobs/*/")
    run_jobs("draw_spans")
    keyboard(page.get_by_role("link", name="The runs"), press="Enter")
    expect(page.get_by_role("row", name="spans")).to_contain_text("extracted")


def test_control_items_are_added_and_taken_out(page, sign_in, study, alice, bob, dora, keyboard):
    settled_batch(study, [bob, dora], alice)
    batch = open_batch(full_pool(study), alice, None, shows_context=False)
    sign_in(alice)
    page.goto(reverse("batch_controls", args=[study.slug, batch.pk]))
    keyboard(page.locator("[name=n]"), write="3")
    keyboard(page.get_by_role("button", name="Add control items"), press="Enter")
    expect(page.get_by_role("heading", name="3 control items")).to_be_visible()
    assert axe.violations(page) == []

    row = page.get_by_role("row").nth(1)
    keyboard(row.locator("summary"), press="Enter")
    keyboard(row.get_by_role("textbox"), write="Its label is wrong.")
    keyboard(row.get_by_role("button", name="Take out"), press="Enter")

    expect(page.locator("summary", has_text="Take out")).to_have_count(2)
    assert axe.violations(page) == []


def test_items_are_reserved_and_reassigned_by_keyboard(page, sign_in, study, alice, bob, keyboard):
    batch = BatchFactory(pool__dataset__study=study, prefetch_depth=5)
    ItemFactory.create_batch(3, batch=batch)
    sign_in(alice)
    page.goto(reverse("batch_reserved", args=[study.slug, batch.pk]))
    keyboard(page.get_by_label("How many items"), write="2")
    keyboard(page.get_by_role("button", name="Reserve"), press="Enter")
    expect(page.locator(".messages")).to_contain_text("Reserved for bob: 2 items")

    keyboard(page.get_by_role("checkbox", name="bob"), press="Space")
    keyboard(page.get_by_label("Reason"), write="ill")
    keyboard(page.get_by_role("button", name="Reassign"), press="Enter")

    expect(page.locator(".messages")).to_contain_text("2 items are open to everybody now.")
    expect(page.locator("main")).to_contain_text("Nothing is reserved.")
    assert not Reservation.objects.standing().exists()
