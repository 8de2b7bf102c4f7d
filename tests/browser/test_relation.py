"""Pairs of accepted answers in a browser: drawn from a release, judged by keyboard, released in relations.csv."""

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.actions import guideline_readings
from annotation.models import Batch, Judgement
from exports.models import Release
from exports.relations.actions import draw_pairs
from exports.verification.program import verify
from tests.annotation.desk_pages import address
from tests.annotation.pools import launched
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.test_desk import expect_done, expect_saved, press, set_beat
from tests.browser.test_desk_reflow import layout_faults
from tests.corpus.uploads import run_newest_job
from tests.exports.judged_batches import close_batch, release, settle_batch
from tests.exports.relations.test_relations import accepted, first_release  # noqa: F401  a fixture
from tests.exports.releases.stored_release import folder_of
from tests.recomputed_tables import table

KEYS = {"same": "1", "shorter": "2", "more_detailed": "3", "contradicts": "5"}
# Of two texts, in either order.
SHORTER = {("Black.", "Green."), ("Green.", "Slate.")}


@pytest.fixture
def first(accepted, tmp_path) -> Release:  # noqa: F811
    return first_release(accepted, tmp_path / "1")


@pytest.fixture
def batch(first, alice, bob) -> Batch:
    """An open batch of three pairs, whose guideline bob has read."""
    pool = draw_pairs(release=first, name="colours", n=3, seed=1, by=alice)
    opened = launched(pool, scheme="relation")
    guideline_readings.confirm(batch=opened, by=bob)
    return opened


@pytest.fixture
def batch_by_pages(first, page, sign_in, alice) -> Batch:
    """Drawn from the page of the release, and opened from that of the pool."""
    sign_in(alice)
    page.goto(f"/studies/{first.study.slug}/releases/1/")
    page.get_by_role("link", name="Draw pairs of accepted answers").click()
    page.get_by_label("Name of the pool").fill("colours")
    page.get_by_label("Pairs to draw").fill("3")
    assert axe.violations(page) == []
    page.get_by_role("button", name="Draw the pairs").click()
    page.wait_for_url("**/jobs/*/")
    run_newest_job()
    expect(page.get_by_text("3 pairs of 3 were drawn as colours")).to_be_visible()
    assert axe.violations(page) == []
    page.get_by_role("link", name="Look at the pairs").click()
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)
        assert axe.violations(page) == []
        assert layout_faults(page) == []
    page.set_viewport_size(WIDE)
    page.get_by_role("link", name="Open a batch on it").click()
    expect(page.locator("[name=scheme]")).to_have_value("relation")
    page.get_by_label("Name", exact=True).fill("relations")
    page.get_by_role("button", name="Create the draft").click()
    page.get_by_role("link", name="Open it").click()
    page.get_by_role("button", name="Open the batch").click()
    expect(page.get_by_text("“relations” is open")).to_be_visible()
    return first.study.batches.get(name="relations")


def answer(page: Page, letter: str) -> Locator:
    return page.get_by_role("region", name=f"Answer {letter}")


def label_on_screen(page: Page) -> str:
    """What the two texts are, as they stand: one is shorter than the other, or they contradict."""
    shown = tuple(page.locator(".pair .text").all_inner_texts())
    if shown in SHORTER:
        return "shorter"
    return "more_detailed" if shown[::-1] in SHORTER else "contradicts"


def test_pairs_are_drawn_judged_by_keyboard_wide_and_on_a_phone_and_released(
    page, sign_in, study, alice, bob, dora, batch_by_pages, tmp_path
):
    batch = batch_by_pages
    set_beat(page, 0)
    for person, size in ((bob, WIDE), (dora, PHONE)):
        sign_in(person)
        page.set_viewport_size(size)
        page.goto(address("desk", batch))
        for n in range(3):
            expect_done(page, n, 3)
            press(page, KEYS[label_on_screen(page)])
        expect(page.get_by_role("heading", name="You have finished this batch")).to_be_visible()
        page.goto("/account/")  # which asks for nothing while the batch is released
    assert Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch).count() == 6

    settle_batch(close_batch(batch))
    release(batch, tmp_path / "second")
    sign_in(alice)
    page.set_viewport_size(WIDE)
    page.goto(f"/studies/{study.slug}/releases/2/")

    expect(page.get_by_role("link", name="relations.csv")).to_be_visible()
    expect(page.get_by_text("3 pairs of 3 answers to 1 question were asked about")).to_be_visible()
    assert axe.violations(page) == []
    rows = table(folder_of(Release.objects.get(number=2)), "relations")
    for row in rows:
        texts = (row["first_answer"], row["second_answer"])
        expected = "shorter" if texts in SHORTER else "more_detailed"
        assert row["relation"] == (
            "contradicts" if set(texts) == {"Black.", "Slate."} else expected
        )
    assert verify(tmp_path / "second").is_good


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_desk_has_no_violation_and_names_every_key(page, sign_in, bob, batch, size, colours):
    sign_in(bob)
    set_beat(page, 0)
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=colours)
    page.goto(address("desk", batch))
    expect_done(page, 0, 3)

    keys = [each.get_attribute("aria-keyshortcuts") for each in page.get_by_role("radio").all()]
    assert keys == ["1", "2", "3", "4", "5", "0"]
    expect(answer(page, "A")).to_contain_text("first")
    expect(answer(page, "B")).to_contain_text("second")
    assert axe.violations(page) == []
    assert layout_faults(page) == []


def test_a_judgement_is_taken_back_and_said_otherwise(page, sign_in, bob, batch):
    sign_in(bob)
    set_beat(page, 0)
    page.goto(address("desk", batch))
    expect_done(page, 0, 3)

    press(page, "2")
    expect_saved(page)
    expect(page.locator(".last")).to_contain_text("shorter")
    press(page, "z")
    expect_done(page, 0, 3)
    press(page, "0")
    expect_saved(page)

    said = Judgement.objects.not_withdrawn().get(assignment__item__batch=batch)
    assert said.response == {"relation": "cannot_say"}
