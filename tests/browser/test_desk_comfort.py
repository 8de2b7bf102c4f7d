"""Long texts at the desk: what is compared stays in sight, the choice in reach, and the page has one scroll."""

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.actions import guideline_readings
from annotation.models import Batch, Judgement
from tests.annotation.desk_pages import address
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.hard_items import SCHEMES, hard_batch
from tests.browser.test_desk_meaning import open_desk
from tests.browser.test_desk_zoom import show_the_passages
from tests.browser.test_rating import FIRST_LOOK

# What scrolls by itself inside the page.
_BOXES = """() => [...document.querySelectorAll("main *")]
    .filter((each) => ["auto", "scroll"].includes(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight)
    .map((each) => each.outerHTML.slice(0, 80))"""


@pytest.fixture(params=[WIDE, PHONE], ids=["wide", "phone"])
def sized(page, request) -> Page:
    page.set_viewport_size(request.param)
    return page


def desk_of(touched, batch) -> Page:
    """The desk on a phone that is touched."""
    page = touched()
    page.goto(address("desk", batch))
    expect(page.get_by_role("button", name="Settings")).to_be_visible()
    return page


@pytest.mark.parametrize("scheme", SCHEMES)
def test_nothing_in_the_page_scrolls_by_itself(page, sign_in, study, bob, scheme):
    batch = hard_batch(study, scheme)
    open_desk(page, sign_in, batch, bob)
    if scheme == "rating":
        show_the_passages(page)

    assert page.evaluate(_BOXES) == []


@pytest.mark.parametrize("scheme", ["plausibility", "faithfulness", "preference", "relation"])
def test_the_choice_and_what_was_saved_stay_in_sight_below_long_texts(
    sized, sign_in, study, bob, scheme
):
    page = sized
    batch = hard_batch(study, scheme)
    open_desk(page, sign_in, batch, bob)
    page.keyboard.press("1")
    expect(page.locator(".last:not(.is-sending)")).to_contain_text("Saved: ")
    choice = [*page.locator(".choice-bar .option").all(), page.locator("#saved")]

    for to in (0, 400):
        page.evaluate(f"scrollTo(0, {to})")
        for each in choice:
            expect(each).to_be_in_viewport(ratio=1)
    assert axe.violations(page) == []


def test_in_preferences_both_answers_stay_beside_the_passages(page, sign_in, study, bob):
    batch = hard_batch(study, "preference")
    open_desk(page, sign_in, batch, bob)

    page.get_by_role("region", name="Passage 3").scroll_into_view_if_needed()

    for letter in "AB":
        expect(page.get_by_role("region", name=f"Answer {letter}")).to_be_in_viewport()
    assert page.evaluate("scrollY") > 300


def test_the_labels_stand_near_the_text(page, sign_in, study, bob):
    """From the middle of the text's last lines to the middle of the choice."""
    batch = hard_batch(study, "plausibility")
    open_desk(page, sign_in, batch, bob)
    text, choice = (
        page.locator(name).bounding_box() for name in (".response .text", "#judgement fieldset")
    )

    apart = abs(text["x"] + text["width"] / 2 - choice["x"] - choice["width"] / 2)

    assert apart < 320


def test_the_open_guideline_covers_no_label_and_search_has_the_focus(page, sign_in, study, bob):
    batch = hard_batch(study, "plausibility", guideline="# How to judge\n\nMind the question.\n")
    guideline_readings.confirm(batch=batch, by=bob)
    open_desk(page, sign_in, batch, bob)

    page.get_by_role("link", name="Guidelines").click()

    expect(page.get_by_label("Search in the guidelines")).to_be_focused()
    drawer = page.locator("#guidelines").bounding_box()
    for option in page.locator(".choice-bar .option").all():
        box = option.bounding_box()
        assert box["x"] + box["width"] <= drawer["x"]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_touched_every_target_has_44_pixels_and_no_key_is_printed(
    touched, sign_in, study, bob, scheme
):
    batch = hard_batch(study, scheme)
    Batch.objects.filter(pk=batch.pk).update(shows_markdown=True)  # with a key of its own
    sign_in(bob)
    page = desk_of(touched, batch)

    small = page.evaluate(
        """() => [...document.querySelectorAll("main :is(a, button, summary, label:has(:is([type=radio], [type=checkbox])))")]
            .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44 && !each.closest("dialog"))
            .map((each) => each.textContent.trim())"""
    )

    assert small == []
    expect(page.locator("kbd:visible")).to_have_count(0)
    page.get_by_role("button", name="Settings").click()
    expect(page.locator("#keys")).to_be_visible()
    expect(page.locator("#keys :is(kbd, dt, dd):visible")).to_have_count(0)
    page.context.close()


def test_by_choice_one_tap_answers_and_a_second_one_does_not_answer_the_next_item(
    touched, sign_in, study, bob
):
    batch = hard_batch(study, "plausibility")
    sign_in(bob)
    page = desk_of(touched, batch)
    page.get_by_role("button", name="Settings").tap()
    page.get_by_label("Submit when I tap or click an answer").tap()
    page.get_by_role("button", name="Back to the item").tap()

    page.locator(".option").nth(1).dblclick()

    expect(page.locator(".progress")).to_contain_text("1 of 3")
    expect(page.locator(".last:not(.is-sending)")).to_contain_text("Saved: implausible")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    assert Judgement.objects.count() == 1
    page.context.close()


def test_unless_chosen_a_click_marks_and_submits_nothing(page, sign_in, study, bob):
    batch = hard_batch(study, "plausibility")
    open_desk(page, sign_in, batch, bob)

    page.locator(".option").first.click()
    page.wait_for_timeout(400)  # longer than what is waited before a key submits

    expect(page.get_by_role("radio").first).to_be_checked()
    assert not Judgement.objects.exists()


@pytest.mark.parametrize("is_touched", [False, True], ids=["wide", "phone"])
def test_a_sentence_far_down_a_long_passage_is_ticked_by_one_press_and_stays_in_its_place(
    study, bob, page, sign_in, touched, is_touched
):
    batch = hard_batch(study, "writing")
    sign_in(bob)
    if is_touched:
        page = desk_of(touched, batch)
    else:
        page.goto(address("desk", batch))
    page.wait_for_timeout(FIRST_LOOK)
    press = Locator.tap if is_touched else Locator.click
    press(page.locator("[data-question='outcome'] label").first)
    sentence = page.locator(".sentence:not(.is-title)").nth(5)
    sentence.scroll_into_view_if_needed()
    before = sentence.bounding_box()

    press(sentence)

    expect(sentence.locator("input")).to_be_checked()
    assert sentence.bounding_box() == before
