"""A question is curated in a browser by keyboard alone: texts to be edited stand in their boxes."""

import os

from playwright.sync_api import Page, expect

from annotation.models import Judgement
from annotation.schemes import payloads
from tests.annotation.sheets import batch_of_sheets
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.test_desk_reflow import layout_faults
from tests.browser.test_rating import expect_left, expect_next_item, focused_question, go_to, press

PROOF = "Its lamp burnt oil until 1869."


def content() -> dict:
    text = f"The lighthouse of Greyholm was first lit in 1702. {PROOF} Gas came by boat. " * 4
    passage = {"title": "The lamp of Greyholm", "text": text, "sentences": []}
    shown = payloads.payload(
        question="What did it burn?", context=[], answers=[], evidence=None, passages=[passage]
    )
    made = {"answer": "Oil.", "proof": PROOF, "section": "Results", "type": "open"}
    return shown | {"made": made | {"types": ["closed", "open"]}}


def shot(page: Page, name: str) -> None:
    folder = os.environ.get("SHOTS")
    if not folder:
        return
    page.evaluate("window.scrollTo(0, 0)")
    page.wait_for_timeout(200)
    page.screenshot(path=f"{folder}/{name}.png")
    page.screenshot(path=f"{folder}/{name}-full.png", full_page=True)


def test_a_question_is_curated_by_keyboard_alone(page, sign_in, study, bob):
    go_to(page, sign_in, batch_of_sheets(study, "curation", payload=content(), n=2), bob)
    box = page.locator("textarea[name=question_text]")
    expect(page.locator(".passage mark").first).to_have_text(PROOF)
    expect(box).to_be_hidden()
    expect_left(page, "1 question left")
    shot(page, "desk-start")

    # A text that is as it was is no edit.
    press(page, "2")
    expect(box).to_be_focused()
    expect(box).to_have_value("What did it burn? (1)")
    expect_left(page, "2 questions left")
    page.keyboard.press("End")
    page.keyboard.type(" In 1800?")
    expect_left(page, "1 question left")
    for name, size in (("wide", WIDE), ("phone", PHONE)):
        page.set_viewport_size(size)
        page.evaluate("window.scrollTo(0, 0)")
        assert layout_faults(page) == []
        shot(page, f"desk-{name}")
    page.emulate_media(color_scheme="dark")
    shot(page, "desk-phone-dark")
    page.set_viewport_size(WIDE)
    shot(page, "desk-wide-dark")
    assert axe.violations(page) == []
    page.emulate_media(color_scheme="light")

    # What rests on a rejected answer is asked no more.
    press(page, "Escape", "ArrowDown", "4", "Enter")
    assert focused_question(page) == "answer"
    press(page, "3")
    expect(page.locator("[data-question=proof]")).to_be_hidden()
    page.locator("[data-question=answer]").focus()
    press(page, "1", "1")
    expect_left(page, "All answered: ready to submit")
    page.keyboard.press("Enter")
    expect_next_item(page)

    assert Judgement.objects.get().response == {
        "question": "edit",
        "question_text": "What did it burn? (1) In 1800?",
        "why.unclear": "yes",
        "answer": "keep",
        "proof": "keep",
        "type": "open",
    }
