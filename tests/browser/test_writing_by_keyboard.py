"""Writing in two rounds and curation of questions by keyboard alone, from the list of one's work on, at a desk and on a
phone: where the keyboard is one sees, and everybody can use what there is.
"""

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Batch, Judgement
from tests.annotation.rounds import CONFIRMED, first_round, second_round
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.focus import tab_to
from tests.browser.test_desk_reflow import layout_faults
from tests.browser.test_rating import FIRST_LOOK, expect_left, focused_question, press
from tests.exports.curation.judged import KEEP, curation_batch
from tests.sampling.writing_dataset import LAMP

COPIED = f"{LAMP['sentences'][1]} {LAMP['sentences'][4]}"
READY = "All answered: ready to submit"


@pytest.fixture(params=[WIDE, PHONE], ids=["wide", "phone"])
def desk(request, page, sign_in):
    """Go to the desk of a batch from the list of one's work, by Tab and Enter."""
    page.set_viewport_size(request.param)

    def go(batch: Batch, person) -> Page:
        sign_in(person)
        page.goto("/work/")
        tab_to(page, page.locator(f"a[href='/studies/{batch.study.slug}/desk/{batch.pk}/']").first)
        page.keyboard.press("Enter")
        expect(page.locator("#desk")).to_be_visible()
        return page

    return go


def look(page: Page) -> None:
    """An item that came."""
    page.wait_for_timeout(FIRST_LOOK)
    assert_fit(page)


def assert_fit(page: Page) -> None:
    """Everybody can use what there is. The window is as high as the page: what stays in sight covers no target then."""
    size = page.viewport_size
    page.set_viewport_size({**size, "height": 3_000})
    assert axe.violations(page) == []
    assert layout_faults(page) == []
    page.set_viewport_size(size)


def keys(page: Page, *steps: tuple[str, str]) -> None:
    """Press each key; the keyboard is then at the question beside it, in sight."""
    for key, question in steps:
        press(page, key)
        assert focused_question(page) == question, f"after {key}"


def tick(page: Page, digit: str) -> None:
    """A sentence. What is out of sight is brought there by its digit, and ticked by the next one."""
    tick = page.locator(f".sentence input[aria-keyshortcuts='{digit}']")
    before = tick.is_checked()
    keys(page, (digit, "s.1"))
    if tick.is_checked() == before:
        expect(tick).to_be_focused()
        keys(page, (digit, "s.1"))
    expect(tick).to_be_checked()


def submit(page: Page, n: int) -> None:
    """The n-th judgement."""
    expect_left(page, READY)
    assert_fit(page)
    press(page, "Shift+Enter")
    expect(page.locator(".progress")).to_contain_text(f"{n} of 3")


def expect_all_sent(page: Page) -> None:
    expect(page.locator("#desk")).to_have_count(0)


def said(batch: Batch) -> list[dict[str, str]]:
    """In the order of the person."""
    stored = Judgement.objects.filter(assignment__item__batch=batch)
    return [each.response for each in stored.order_by("pk")]


def test_answers_are_written_and_another_person_keeps_changes_and_skips_them(
    desk, study, tmp_path, bob, dora
):
    first = first_round(study, tmp_path, n=3)
    page = desk(first, bob)
    for n in (1, 2, 3):
        look(page)
        keys(page, ("a", "s.1"))
        tick(page, "2")
        tick(page, "5")
        keys(page, ("c", "answer"))
        page.keyboard.press("Enter")
        page.keyboard.type(f"Lamp {n}.")
        keys(page, ("Escape", "answer"), ("ArrowDown", "minimal"), ("ArrowDown", "confirm"))
        press(page, "1", "2", "3")
        if n < 3:
            submit(page, n)
    press(page, "Shift+Enter")
    expect_all_sent(page)
    ticks = {"s.1.2": "yes", "s.1.5": "yes", **CONFIRMED}
    answers = [
        {"outcome": "answered", "answer": f"{COPIED}\nLamp {n}.", **ticks} for n in (1, 2, 3)
    ]
    assert said(first) == answers

    second = second_round(first)
    page = desk(second, dora)
    look(page)
    keys(page, ("k", "confirm"), ("1", "confirm"), ("2", "confirm"), ("3", "confirm"))
    submit(page, 1)
    look(page)
    keys(page, ("e", "confirm"), ("ArrowUp", "minimal"), ("ArrowUp", "answer"), ("Enter", "answer"))
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.type(" Again.")
    keys(page, ("Escape", "answer"), ("ArrowUp", "s.1"))
    tick(page, "6")
    keys(page, ("Enter", "confirm"))
    press(page, "1", "2", "3")
    submit(page, 2)
    look(page)
    keys(page, ("s", "reason"))
    press(page, "1")
    expect_left(page, READY)
    press(page, "Shift+Enter")
    expect_all_sent(page)
    kept, changed, skipped = said(second)
    assert kept.pop("kept") == "keep"
    assert kept in answers
    assert (changed.pop("kept"), changed.pop("s.1.6")) == ("modify", "yes")
    assert changed | {"answer": changed["answer"].removesuffix(" Again.")} in answers
    assert changed["answer"].endswith(". Again.")
    assert skipped == {"outcome": "skip", "reason": "unclear"}


def test_questions_are_kept_edited_and_rejected(desk, study, bob):
    batch = curation_batch(study, 3)
    page = desk(batch, bob)
    look(page)
    keys(page, ("1", "answer"), ("1", "proof"))
    press(page, "1")
    submit(page, 1)
    look(page)
    keys(page, ("2", "question_text"))
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("Lamp 1 burns for how long?")
    keys(page, ("Escape", "question_text"), ("ArrowDown", "question_why"), ("4", "question_why"))
    keys(page, ("Enter", "answer"), ("1", "proof"))
    press(page, "1")
    submit(page, 2)
    look(page)
    press(page, "3")
    expect(page.get_by_role("button", name="Submit")).to_be_focused()
    keys(page, ("ArrowUp", "question_why"), ("3", "question_why"))
    expect_left(page, READY)
    press(page, "Shift+Enter")
    expect_all_sent(page)
    kept, edited, rejected = said(batch)
    assert kept == KEEP | {"type": kept["type"]}
    assert edited == KEEP | {
        "question": "edit",
        "question_text": "Lamp 1 burns for how long?",
        "why.unclear": "yes",
        "type": edited["type"],
    }
    assert rejected == {"question": "reject", "why.not_from_text": "yes"}


def test_a_digit_ticks_a_sentence_that_was_scrolled_away_or_is_higher_than_the_screen(
    page, sign_in, study, tmp_path, bob
):
    batch = first_round(study, tmp_path, n=1)
    sign_in(bob)
    page.set_viewport_size(PHONE)
    page.goto(f"/studies/{study.slug}/desk/{batch.pk}/")
    expect(page.locator("#desk")).to_be_visible()
    page.wait_for_timeout(FIRST_LOOK)
    keys(page, ("a", "s.1"))
    label = page.locator("label.sentence", has=page.locator("input[aria-keyshortcuts='5']"))
    fifth = label.locator("input")
    label.evaluate("label => { label.style.marginTop = '1500px'; }")
    fifth.focus()
    page.evaluate("scrollTo(0, 0)")
    expect(label).not_to_be_in_viewport()

    press(page, "5")
    expect(label).to_be_in_viewport()
    expect(fifth).not_to_be_checked()
    press(page, "5")
    expect(fifth).to_be_checked()

    label.evaluate("label => { label.style.minHeight = '2000px'; label.style.display = 'block'; }")
    press(page, "5")
    expect(fifth).not_to_be_checked()
