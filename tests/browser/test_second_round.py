"""A second round of written answers in a browser, by keyboard: kept, changed, and what was changed found again."""

import pytest
from playwright.sync_api import expect

from annotation.models import Judgement
from tests.annotation.desk_pages import address
from tests.annotation.rounds import GAPS, OIL, SKIPPED, first_round, second_round, write
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.test_desk_reflow import layout_faults
from tests.browser.test_rating import FIRST_LOOK, expect_left, expect_next_item, press
from tests.browser.test_writing import box

OWN = "Gas.\nThen oil."


@pytest.fixture
def batch(study, tmp_path, bob):
    first = first_round(study, tmp_path, n=3)
    for response in (GAPS, GAPS, SKIPPED):
        write(first, bob, response)
    return second_round(first)


def test_an_answer_is_changed_put_aside_found_again_and_the_next_one_kept(
    page, sign_in, batch, dora
):
    sign_in(dora)
    page.goto(address("desk", batch))
    page.wait_for_timeout(FIRST_LOOK)
    ticks = page.locator(".sentence input:checked")
    expect(box(page)).to_have_value(OIL)
    expect_left(page, "2 questions left")

    # Changed, then kept: it is as it was written, and shut; changed after all: one's own is back.
    press(page, "e")
    box(page).fill(OWN)
    page.locator(".sentence .words").nth(6).click()
    page.locator("[data-question='kept']").focus()
    press(page, "k")
    expect(box(page)).to_have_value(OIL)
    expect(box(page)).not_to_be_editable()
    expect(page.locator(".sentence input").nth(1)).to_be_disabled()
    expect(ticks).to_have_count(2)
    press(page, "Escape", "c")
    expect(box(page)).to_have_value(OIL)
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)
        page.evaluate("window.scrollTo(0, 0)")
        assert axe.violations(page) == []
        assert layout_faults(page) == []
    page.set_viewport_size(WIDE)
    page.locator("[data-question='kept']").focus()
    press(page, "e")
    expect(box(page)).to_have_value(OWN)
    expect(ticks).to_have_count(3)

    # Who says that the passage does not answer keeps nothing, and has to empty the box of their own words alone.
    page.locator("[data-question='outcome']").focus()
    press(page, "u")
    expect(page.locator("[data-question='answer']")).to_be_visible()
    page.locator("[data-question='outcome']").focus()
    press(page, "a")
    page.locator("[data-question='confirm']").focus()
    press(page, "1", "2", "3", "Shift+Enter")
    expect_next_item(page)

    # The next one is kept as it is.
    page.wait_for_timeout(FIRST_LOOK)
    press(page, "k", "1", "2", "3", "Enter", "Enter")
    expect(page.locator("#desk")).to_have_count(0)  # sent, and nothing is left
    stored = Judgement.objects.filter(assignment__item__batch=batch).order_by("pk")
    changed, kept = [each.response for each in stored]
    assert (changed["kept"], changed["answer"]) == ("modify", OWN)
    assert kept == GAPS | {"kept": "keep"}
