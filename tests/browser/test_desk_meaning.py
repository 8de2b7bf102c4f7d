"""A key of the desk means one thing, and a label is what the person meant by it."""

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Batch, Judgement
from tests.annotation.desk_pages import address
from tests.annotation.sheets import batch_of_sheets
from tests.annotation.sheets import content as sheet_content
from tests.browser.hard_items import hard_batch
from tests.browser.waiting import wait_until

FIRST_LOOK = 250  # milliseconds; no key is for an item, or a part of it, that came sooner


def open_desk(page: Page, sign_in, batch: Batch, person) -> None:
    sign_in(person)
    page.goto(address("desk", batch))
    expect(page.get_by_role("button", name="keys")).to_be_visible()  # the script has begun
    page.wait_for_timeout(FIRST_LOOK)


def scroll_of(page: Page) -> float:
    return page.evaluate("scrollY")


def test_yes_and_no_have_keys_of_their_own_and_a_digit_answers_neither(page, sign_in, study, bob):
    batch = batch_of_sheets(study, "relevance", payload=sheet_content(0, 2))
    open_desk(page, sign_in, batch, bob)

    page.keyboard.press("1")
    page.keyboard.press("2")
    expect(page.locator("#hint")).to_have_text("Press y for yes or n for no.")
    expect(page.locator("#left")).to_have_text("2 questions left")
    page.keyboard.press("y")
    page.wait_for_timeout(100)
    page.keyboard.press("n")
    expect(page.get_by_role("button", name="Submit")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="You have finished this batch")).to_be_visible()
    stored = Judgement.objects.get().response
    assert stored == {"relevant.1": "relevant", "relevant.2": "irrelevant"}


def test_each_point_of_a_scale_has_its_word_on_the_screen_and_by_ear(page, sign_in, study, bob):
    batch = batch_of_sheets(study, payload=sheet_content(1, 1))
    open_desk(page, sign_in, batch, bob)

    question = page.get_by_role(
        "group", name="Is this answer appropriate: useful, concise and complete?"
    )

    for name in ("1 no", "2 rather no", "3 rather yes", "4 yes"):
        expect(question.get_by_role("radio", name=name, exact=True)).to_have_count(1)
        expect(question.get_by_text(name.split(" ", 1)[1], exact=True)).to_be_visible()


def test_the_same_question_about_two_answers_has_two_names(page, sign_in, study, bob):
    batch = batch_of_sheets(study, payload=sheet_content(2, 1))
    open_desk(page, sign_in, batch, bob)

    for letter in "AB":
        name = f"Answer {letter}: Is this answer appropriate: useful, concise and complete?"
        expect(page.get_by_role("group", name=name)).to_have_count(1)


@pytest.mark.parametrize("scheme", ["plausibility", "preference", "rating", "relevance"])
def test_an_item_begins_at_its_text_where_space_scrolls_and_answers_nothing(
    page, sign_in, study, bob, scheme
):
    batch = hard_batch(study, scheme)
    open_desk(page, sign_in, batch, bob)
    assert page.evaluate("document.activeElement.matches('body, #judged')")

    page.keyboard.press("Space")

    wait_until(page, "scrollY > 0")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)


def test_space_scrolls_also_after_a_digit_led_to_the_next_question(page, sign_in, study, bob):
    batch = hard_batch(study, "rating")
    open_desk(page, sign_in, batch, bob)
    page.keyboard.press("3")
    expect(page.locator("#left")).to_have_text("3 questions left")
    before = scroll_of(page)

    page.keyboard.press("Space")

    wait_until(page, f"scrollY > {before}")
    expect(page.locator("#left")).to_have_text("3 questions left")


def test_space_on_an_answer_that_is_given_scrolls(page, sign_in, study, bob):
    batch = hard_batch(study, "plausibility")
    open_desk(page, sign_in, batch, bob)
    answer = page.get_by_role("radio").first
    page.locator(".option").first.click()
    expect(answer).to_be_checked()
    before = scroll_of(page)

    page.keyboard.press("Space")

    wait_until(page, f"scrollY > {before}")
    expect(answer).to_be_checked()


def test_a_digit_answers_no_question_that_is_out_of_sight(page, sign_in, study, bob):
    batch = hard_batch(study, "relevance")
    open_desk(page, sign_in, batch, bob)
    page.set_viewport_size({"width": 640, "height": 400})

    page.keyboard.press("y")

    expect(page.locator("[data-question='relevant.1']")).to_be_in_viewport()
    expect(page.locator("#left")).to_have_text("3 questions left")
    page.wait_for_timeout(100)
    page.keyboard.press("y")
    expect(page.locator("#left")).to_have_text("2 questions left")


def test_no_arrow_submits_while_a_control_has_the_focus(page, sign_in, study, bob):
    page.add_init_script("localStorage['touchstone.desk'] ??= '{\"beat\": 0}'")
    batch = hard_batch(study, "preference")
    open_desk(page, sign_in, batch, bob)

    page.get_by_role("radio").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio").nth(1)).to_be_checked()
    page.get_by_role("button", name="Submit").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("radio").nth(1)).to_be_checked()
    assert not Judgement.objects.exists()

    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".last:not(.is-sending)")).to_contain_text("Saved: left")


def test_the_hint_names_every_key_that_saves(page, sign_in, study, bob):
    batch = hard_batch(study, "preference")
    open_desk(page, sign_in, batch, bob)

    expect(page.locator(".at-once")).to_have_text(
        "Press 1 or ←, 2 or →, or 0 to answer; z to undo."
    )


def test_the_list_of_keys_opens_at_its_beginning_and_not_on_the_slider(page, sign_in, study, bob):
    batch = hard_batch(study, "plausibility")
    open_desk(page, sign_in, batch, bob)
    page.keyboard.press("?")
    before = page.locator("#beat").input_value()

    page.keyboard.press("ArrowDown")

    expect(page.locator("#keys-title")).to_be_focused()
    assert page.locator("#beat").input_value() == before


def test_a_new_question_is_announced_and_seen_and_another_answer_to_it_is_counted(
    page, sign_in, study, bob
):
    page.add_init_script("localStorage['touchstone.desk'] ??= '{\"beat\": 0}'")
    batch = hard_batch(study, "plausibility", n=3)
    first, second, _ = batch.items.order_by("position")
    second.turn, second.payload = first.turn, first.payload | {"answers": second.payload["answers"]}
    second.save()
    open_desk(page, sign_in, batch, bob)
    place, told, question = (
        page.locator(".place"),
        page.locator("#asked"),
        page.locator(".question"),
    )
    expect(place).to_have_text("Answer 1 of 2 to this question")

    page.keyboard.press("1")
    expect(place).to_have_text("Answer 2 of 2 to this question")
    expect(told).to_have_text("Answer 2 of 2 to this question")
    expect(question).not_to_have_class("is-new")

    page.wait_for_timeout(FIRST_LOOK)
    page.keyboard.press("1")
    expect(told).to_have_text("New question.")
    expect(place).to_have_count(0)
    expect(page.locator(".question.is-new")).to_have_count(1)
