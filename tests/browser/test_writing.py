"""A written answer in a browser, by keyboard alone: tick, copy, write, confirm; reloaded, without a network, undone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import Judgement
from annotation.schemes import payloads
from tests.annotation.sheets import batch_of_sheets
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.test_desk_reflow import layout_faults
from tests.browser.test_rating import (
    FIRST_LOOK,
    expect_left,
    expect_next_item,
    focused_question,
    go_to,
    press,
)
from tests.sampling.writing_dataset import LAMP

COPIED = f"{LAMP['sentences'][1]} {LAMP['sentences'][4]}"
OWN = "In 1931 a dynamo was bought from Norway."


def content() -> dict:
    """A passage whose first sentence is Arabic, long enough to be scrolled on a phone."""
    sentences = ["أضاء الحراس المصباح عند الغروب.", *LAMP["sentences"][1:], *LAMP["sentences"]]
    passage = {"title": LAMP["title"], "text": " ".join(sentences), "sentences": sentences}
    return payloads.payload(
        question="What did the lamp burn?",
        context=[],
        answers=[],
        evidence=None,
        passages=[passage],
    )


def box(page: Page) -> Locator:
    return page.locator("textarea[name=answer]")


@pytest.fixture
def page(context) -> Iterator[Page]:
    """Its console may tell of a network that is away."""
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    yield opened
    assert wrong == []


def test_an_answer_is_written_by_keyboard_alone(page, context, sign_in, study, bob):
    go_to(page, sign_in, batch_of_sheets(study, "writing", payload=content(), n=2), bob)
    expect(box(page)).to_be_hidden()
    expect_left(page, "1 question left")

    # Tick, copy, and write on.
    press(page, "a")
    assert focused_question(page) == "s.1"
    press(page, "2", "ArrowDown", "ArrowDown", "5", "9", "9", "Enter")
    expect(box(page)).to_be_focused()
    press(page, "Escape")
    for _ in range(3):  # held down, it copies once and types nothing
        page.keyboard.down("c")
    page.keyboard.up("c")
    expect(box(page)).to_be_focused()
    expect(box(page)).to_have_value(COPIED)
    expect(page.locator("[data-hint]")).to_be_hidden()
    page.keyboard.press("Enter")
    page.keyboard.type(f"{OWN} {OWN} {OWN}")
    expect(page.locator("[data-hint]")).to_contain_text("Fewer than half of your words")
    assert page.locator(".passage").bounding_box()["x"] < box(page).bounding_box()["x"]
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)
        page.evaluate("window.scrollTo(0, 0)")
        expect(box(page)).to_be_in_viewport()
        expect(page.locator(".sentence").nth(2)).to_be_in_viewport()
        assert axe.violations(page) == []
        assert layout_faults(page) == []
    page.set_viewport_size(WIDE)

    # What is missing is said; who changes their mind finds the text again, also after a reload.
    page.keyboard.press("Shift+Enter")
    expect(page.locator("fieldset.wrong legend")).to_contain_text("Not answered yet.")
    assert focused_question(page) == "confirm"
    written = f"{COPIED}\n{OWN} {OWN} {OWN}"
    page.locator("[data-question='outcome']").focus()
    press(page, "u", "Shift+Enter")
    expect(page.locator("[data-question='answer'] legend")).to_contain_text("empty the box")
    page.reload()
    expect(box(page)).to_have_value(written)
    page.wait_for_timeout(FIRST_LOOK)
    page.locator("[data-question='outcome']").focus()
    press(page, "a")
    assert page.locator(".sentence :checked").count() == 2

    # Without a network it waits in the browser, and is undone there with all that was written.
    page.locator("[data-question='confirm']").focus()
    press(page, "1", "2", "3")
    expect_left(page, "All answered: ready to submit")
    context.set_offline(True)
    press(page, "Shift+Enter")
    expect(box(page)).to_have_value("")
    press(page, "z")
    expect(box(page)).to_have_value(written)
    page.wait_for_timeout(FIRST_LOOK)
    page.locator("[data-question='minimal']").focus()
    press(page, "m")
    expect(page.get_by_label("a short answer would do")).to_be_checked()
    press(page, "Enter", "Shift+Enter")
    context.set_offline(False)

    expect_next_item(page)
    assert Judgement.objects.get().response == {
        "outcome": "answered",
        "s.1.2": "yes",
        "s.1.5": "yes",
        "answer": written,
        "minimal": "yes",
        "makes_sense": "yes",
        "concise": "yes",
        "grammatical": "yes",
    }
    page.wait_for_timeout(FIRST_LOOK)
    press(page, "s")
    assert focused_question(page) == "reason"
    press(page, "2", "Enter")
    expect(page.locator("#judgement")).to_be_hidden()


def test_a_click_on_a_sentence_ticks_it_and_only_the_button_copies(page, sign_in, study, bob):
    go_to(page, sign_in, batch_of_sheets(study, "writing", payload=content(), n=1), bob)
    press(page, "a")

    page.locator(".sentence .words").nth(2).click()
    expect(page.locator(".sentence input").nth(2)).to_be_checked()
    expect(box(page)).to_have_value("")

    page.get_by_role("button", name="Copy the ticked sentences").click()
    expect(box(page)).not_to_have_value("")


def test_what_is_written_stays_while_the_item_before_is_undone(page, sign_in, study, bob):
    go_to(page, sign_in, batch_of_sheets(study, "writing", payload=content(), n=2), bob)
    press(page, "u", "Enter")
    expect_next_item(page)
    page.wait_for_timeout(FIRST_LOOK)
    press(page, "a")
    expect(box(page)).to_be_visible()
    box(page).fill(OWN)

    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_label("unanswerable")).to_be_checked()
    page.wait_for_timeout(FIRST_LOOK)
    page.locator("[data-question='outcome']").focus()
    press(page, "u", "Enter")

    expect(box(page)).to_have_value(OWN)


def test_who_closes_the_tab_finds_the_text_again_until_they_sign_out(context, sign_in, study, bob):
    page = context.new_page()
    go_to(page, sign_in, batch_of_sheets(study, "writing", payload=content(), n=1), bob)
    press(page, "a")
    box(page).fill(OWN)
    desk = page.url
    page.close()

    page = context.new_page()
    page.goto(desk)
    expect(box(page)).to_have_value(OWN)
    page.goto("/work/")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("dialog")).to_contain_text("You wrote something and did not submit it")
    page.get_by_role("button", name="Sign out all the same").click()
    page.wait_for_url("**/sign-in/**")
    assert not page.evaluate("Object.keys(localStorage).filter((key) => key.includes('text:'))")


def test_a_desk_in_another_tab_keeps_no_text_after_the_sign_out(context, sign_in, study, bob):
    page = context.new_page()
    go_to(page, sign_in, batch_of_sheets(study, "writing", payload=content(), n=1), bob)
    press(page, "a")
    box(page).fill(OWN)
    other = context.new_page()
    other.goto("/work/")
    other.get_by_role("button", name="Sign out").click()
    other.get_by_role("button", name="Sign out all the same").click()
    other.wait_for_url("**/sign-in/**")

    page.evaluate("dispatchEvent(new Event('pagehide'))")

    expect(box(page)).to_have_value(OWN)  # on the screen, where its author left it
    for store in ("localStorage", "sessionStorage"):
        keys = page.evaluate(f"Object.keys({store})")
        assert not [key for key in keys if "text:" in key or key.startswith("desk:")]
