"""Review, disputes and second looks in a browser: what a requester and two adjudicators do there."""

import re

import pytest
from playwright.sync_api import Page, expect

from accounts.models import Role
from annotation.actions import guideline_marks, reviews, settlement, verdicts
from annotation.models import (
    Adjudication,
    Judgement,
    Review,
    SecondAdjudication,
    UnclearMark,
    VerdictState,
)
from tests.annotation import judged_batches
from tests.annotation.judged_batches import JudgedBatch
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.key_presses import press
from tests.conftest import member

HOME = "/studies/lighthouses/"
GUIDELINE = "# Plausible\n\nIt answers the question.\n\n# Grammar\n\nNever mind small slips."


@pytest.fixture
def judged_batch(study, alice, bob, dora) -> JudgedBatch:
    found = judged_batches.create_judged_batch(study, alice, bob, dora)
    guideline = found.batch.guideline
    type(guideline).objects.filter(pk=guideline.pk).update(text=GUIDELINE)
    settlement.settle(batch=found.batch, rule="unanimous", by=alice)
    return found


@pytest.fixture
def erin(study, alice):
    return member(study, "erin", Role.ADJUDICATOR, by=alice)


def looked_at(page: Page, name: str) -> None:
    """Wide, on a phone and in the dark axe finds nothing, and on a phone nothing stands beyond the edge."""
    for window, colours in ((WIDE, "light"), (PHONE, "light"), (WIDE, "dark")):
        page.set_viewport_size(window)
        page.emulate_media(color_scheme=colours)
        page.evaluate(
            "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
        )
        assert axe.violations(page) == [], (name, window, colours)
        beyond = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert beyond <= 0, (name, window)
    page.emulate_media(color_scheme="light")


def test_a_spammer_is_reviewed_in_bulk_after_a_look_at_what_that_changes_and_it_is_undone(
    page, sign_in, judged_batch, alice
):
    sign_in(alice)
    page.goto(f"{HOME}batches/{judged_batch.batch.pk}/")
    page.get_by_role("link", name="Review", exact=True).click()
    looked_at(page, "people")
    page.get_by_role("link", name=re.compile("^fay")).click()
    expect(page.locator("tbody tr")).to_have_count(2)

    page.get_by_role("checkbox", name="All judgements of this page").check()
    page.get_by_label("Is it paid, and why?").select_option("no: random answers")
    page.get_by_label("Does it count, and why?").select_option("no: random answer")
    page.get_by_label("In words, on the count").fill("always 3")
    looked_at(page, "work")
    page.get_by_role("button", name="Show what this changes").click()

    consequences = page.locator(".consequences")
    expect(consequences).to_contain_text("Excluded from results: 2 judgements.")
    expect(consequences).to_contain_text("the label of 2 items would change")
    looked_at(page, "preview")
    assert not Review.objects.exists()
    page.get_by_role("button", name="Apply").click()

    expect(page.get_by_text("Decision applied to 2 judgements.")).to_be_visible()
    expect(page.get_by_text("not counted: random answer: always 3")).to_have_count(2)
    assert Judgement.objects.counted().count() == 15

    page.get_by_role("link", name="Review", exact=True).click()
    page.get_by_role("link", name=re.compile("^Undo the decision of")).click()
    expect(page.locator(".consequences")).to_contain_text("Restored to results: 2 judgements.")
    page.get_by_role("button", name="Undo", exact=True).click()

    expect(page.get_by_text("Decision undone for 2 judgements.")).to_be_visible()
    looked_at(page, "history")
    assert Judgement.objects.counted().count() == 17


@pytest.mark.smoke
def test_disputes_are_settled_by_keyboard_with_an_unclear_mark_a_note_and_a_step_back(
    page, sign_in, judged_batch, carol
):
    sign_in(carol)
    page.goto(f"{HOME}disputes/")
    looked_at(page, "disputes")
    page.get_by_role("link", name="guild teh Built").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".response .text")).to_have_text("guild teh Built")

    press(page, "u")
    page.keyboard.type("Gr")  # a list is chosen from by the first letters
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Marked: Grammar is unclear here.")).to_be_visible()
    assert UnclearMark.objects.get().section == "Grammar"
    looked_at(page, "item")

    press(page, "n")
    page.keyboard.type("Is a wrong order of words malformed?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Noted.")).to_be_visible()

    press(page, "3")
    page.keyboard.type("by the guideline")
    page.get_by_role("checkbox", name="Reuse this reason").check()
    page.get_by_label("Reason").first.press("Enter")
    expect(page.locator(".response .text")).to_have_text("I do not know.")
    press(page, "3")  # with the kept reason of this label it is settled at once
    expect(page.locator(".response .text")).to_have_text("In 1702.")
    assert verdicts.current_verdict(judged_batch.item(4)).adjudication.reason == "by the guideline"

    press(page, "z")
    expect(page.get_by_role("heading", name="Item in dispute")).to_be_visible()
    expect(page.locator(".response .text")).to_have_text("I do not know.")
    assert verdicts.current_verdict(judged_batch.item(4)).state == VerdictState.DISPUTED
    assert verdicts.current_verdict(judged_batch.item(3)).label == "malformed"


# Two presses of a key, so many milliseconds apart: each says itself when it was made, on a busy machine too.
PRESSED_TWICE = """(every) => {
    for (const timeStamp of [performance.now(), performance.now() + every]) {
        const down = new KeyboardEvent("keydown", {key: "3", code: "Digit3", bubbles: true});
        Object.defineProperty(down, "timeStamp", {value: timeStamp});
        document.body.dispatchEvent(down);
    }
}"""


@pytest.fixture
def kept(page, sign_in, judged_batch, carol) -> Page:
    """The page of item 4, after item 3 was settled as malformed with a reason to reuse."""
    sign_in(carol)
    page.goto(f"{HOME}items/{judged_batch.item(3).public_id}/")
    press(page, "3")
    page.keyboard.type("words in no order")
    page.get_by_role("checkbox", name="Reuse this reason").check()
    page.get_by_label("Reason").first.press("Enter")
    expect(page.locator(".response .text")).to_have_text("I do not know.")
    return page


def test_two_presses_of_a_key_settle_one_dispute(kept, judged_batch):
    press(kept, "Shift")  # the page is looked at
    kept.evaluate(PRESSED_TWICE, 30)

    expect(kept.locator(".response .text")).to_have_text("In 1702.")
    assert Adjudication.objects.count() == 2


def test_a_press_that_comes_sooner_than_anybody_reads_settles_nothing(kept, judged_batch):
    """The second press of a double press arrives at the page of the next dispute."""
    kept.evaluate(
        """() => {
            const down = new KeyboardEvent("keydown", {key: "3", code: "Digit3", bubbles: true});
            const [loaded] = performance.getEntriesByType("navigation");
            Object.defineProperty(down, "timeStamp", {value: loaded.domInteractive + 100});
            document.body.dispatchEvent(down);
        }"""
    )

    expect(kept.locator("#adjudicate input:checked")).to_have_count(0)
    assert Adjudication.objects.count() == 1


def test_the_digit_of_another_label_asks_for_a_reason_of_its_own(kept, judged_batch):
    press(kept, "1")

    expect(kept.locator("#adjudicate [name=reason]")).to_be_focused()
    expect(kept.locator("#adjudicate [name=reason]")).to_have_value("")
    assert Adjudication.objects.count() == 1


@pytest.fixture
def second_page(kept, context) -> Page:
    """Of the same person. A form that is refused is an error in the console, which fails no test here."""
    return context.new_page()


def test_no_digit_settles_an_item_that_is_settled(second_page, judged_batch):
    second_page.goto(f"{HOME}items/{judged_batch.item(3).public_id}/")
    press(second_page, "1")
    second_page.keyboard.type("a second thought")
    second_page.keyboard.press("Enter")

    expect(second_page.get_by_text("Tick this to change a settled item.")).to_be_visible()
    looked_at(second_page, "a settled item")
    assert verdicts.current_verdict(judged_batch.item(3)).label == "malformed"


def test_a_missing_reason_is_said_by_the_page(second_page, judged_batch):
    second_page.goto(f"{HOME}items/{judged_batch.item(4).public_id}/")
    second_page.get_by_role("button", name="Save and next").click()

    expect(
        second_page.get_by_text("Write the reason: it is kept with the decision.")
    ).to_be_visible()
    expect(second_page.get_by_text("Choose a label.")).to_be_visible()
    looked_at(second_page, "what is missing")


def test_a_second_look_is_taken_without_the_first_label_and_the_requester_reads_the_agreement(
    page, sign_in, judged_batch, alice, carol, erin
):
    for number in (3, 8):
        reviews.adjudicate(
            item=judged_batch.item(number), label="malformed", reason="words in no order", by=carol
        )
    sign_in(alice)
    page.goto(f"{HOME}batches/{judged_batch.batch.pk}/second-looks/")
    page.get_by_label("Share of the adjudicated items").fill("1")
    page.get_by_role("button", name="Draw them").click()
    expect(page.get_by_text("2 of 2 are drawn.")).to_be_visible()

    sign_in(erin)
    page.goto(f"{HOME}disputes/")
    page.get_by_role("link", name="2 items for blind re-adjudication").click()
    looked_at(page, "second queue")
    page.get_by_role("link", name="Who?").first.click()
    looked_at(page, "second")
    expect(page.locator("main")).not_to_contain_text("words in no order")
    for key, left in (("3", "1 left"), ("1", "")):
        press(page, key)
        page.keyboard.type("read anew")
        page.keyboard.press("Enter")
        expect(page.get_by_text(left or "No item waits for your second look")).to_be_visible()
    assert SecondAdjudication.objects.count() == 2

    sign_in(alice)
    page.goto(f"{HOME}batches/{judged_batch.batch.pk}/second-looks/")
    expect(page.get_by_text("1 of 2 items got the same label")).to_be_visible()
    expect(page.get_by_role("cell", name=re.compile("^plausible"))).to_be_visible()
    looked_at(page, "second looks")


def test_where_the_guideline_is_unclear_reads_well_everywhere(page, sign_in, judged_batch, carol):
    guideline_marks.mark_unclear(item=judged_batch.item(3), section="Grammar", by=carol)
    sign_in(carol)

    page.goto(f"{HOME}batches/{judged_batch.batch.pk}/unclear/")

    expect(page.get_by_role("row", name="Grammar 1")).to_be_visible()
    looked_at(page, "unclear")
