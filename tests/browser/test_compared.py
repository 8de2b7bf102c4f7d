"""What people's comparisons say of the runs: computed from the page, readable at any width, in the dark, by axe."""

import pytest
from playwright.sync_api import expect

from accounts.models import Role
from jobs.actions import execution
from jobs.models import Job
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.conftest import member
from tests.exports import compared_runs

# Boxes whose table or picture is wider than they are.
SIDEWAYS = """() => [...document.querySelectorAll(".scrolls")]
    .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.getAttribute("aria-label"))"""


@pytest.fixture
def study_of_two_setups(study, tmp_path, alice, bob, dora):
    """Rated and preferred with gold passages, rated with retrieved ones; run names as long as they come."""
    annotators = [bob, dora, member(study, "erin", Role.ANNOTATOR, by=alice)]
    gold = compared_runs.draw_comparison_pool(
        compared_runs.create_compared_dataset(study, tmp_path)
    )
    compared_runs.judge_batch(
        compared_runs.open_batch(gold, "rating"), annotators, compared_runs.ratings
    )
    compared_runs.judge_batch(
        compared_runs.open_batch(gold, "preference"), annotators, compared_runs.preference
    )
    retrieved = compared_runs.draw_comparison_pool(gold.dataset, "retrieved")
    compared_runs.judge_batch(
        compared_runs.open_batch(retrieved, "rating"), annotators, compared_runs.ratings
    )
    return study


def test_a_comparison_is_computed_and_whole_on_a_phone_and_in_the_dark(
    page, sign_in, alice, study_of_two_setups
):
    sign_in(alice)
    page.goto(f"/studies/{study_of_two_setups.slug}/comparison/")
    # Nobody presses anything: the page starts the job, and shows the figures at its end.
    expect(page.get_by_text("The figures are being computed")).to_be_visible()
    assert axe.violations(page) == []
    job = Job.objects.get(kind="comparison_of_study")
    if job.state == "waiting":
        execution.run(job)

    expect(page.get_by_role("heading", name="Gold passages")).to_be_visible()
    for size, scheme in ((WIDE, "light"), (WIDE, "dark"), (PHONE, "light"), (PHONE, "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert axe.violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
    page.set_viewport_size(WIDE)
    told_apart = page.locator("main details:not([open]) table").first
    expect(told_apart).to_be_hidden()
    page.emulate_media(media="print")
    expect(told_apart).to_be_visible()  # paper unfolds nothing
    page.emulate_media(media="screen")
    for folded in page.locator("main summary").all():
        folded.click()
    assert page.evaluate(SIDEWAYS) == []
    assert axe.violations(page) == []
    with page.expect_download() as taken:
        page.get_by_role("link", name="systems.csv").click()
    assert taken.value.suggested_filename == "comparison-of-lighthouses-systems.csv"
