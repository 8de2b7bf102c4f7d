"""Enlarged to 200 and to 400 %, and on a phone: one sees what has the focus, at every stop of the keyboard."""

import pytest
from playwright.sync_api import Page, expect

from tests.annotation.desk_pages import address
from tests.browser.conftest import PHONE, WIDE
from tests.browser.focus import assert_visible
from tests.browser.hard_items import SCHEMES, hard_batch

# 1280 x 800 at 200 %, and 1280 x 1024 at 400 %.
SIZES = {
    "wide": WIDE,
    "phone": PHONE,
    "200 %": {"width": 640, "height": 400},
    "400 %": {"width": 320, "height": 256},
}
MOMENT = 100  # milliseconds; a digit that comes sooner is a key that bounces
FIRST_LOOK = 250  # milliseconds; no digit is for an item, or a part of it, that came sooner


def stops(page: Page) -> int:
    """The number of stops from the top of the page to its end; at each one sees the focus."""
    n = 0
    while n < 60:
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            return n
        assert_visible(page)
        n += 1
    raise AssertionError("the keyboard does not come to the end of the page")


def show_the_passages(page: Page) -> None:
    for field in page.locator("fieldset.asked-scale").all():
        field.locator("label").first.click()
    page.get_by_role("button", name="Show the passages").click()
    expect(page.get_by_role("region", name="Passage 3")).to_be_attached()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_at_every_stop_of_the_keyboard_one_sees_the_focus(page, sign_in, study, bob, scheme, size):
    batch = hard_batch(study, scheme)
    sign_in(bob)
    page.set_viewport_size(SIZES[size])
    page.goto(address("desk", batch))
    expect(page.get_by_role("button", name="keys")).to_be_visible()  # the script has begun

    assert stops(page) > 6
    if scheme == "rating":
        show_the_passages(page)
        page.evaluate("document.activeElement.blur()")
        assert stops(page) > 8


@pytest.mark.parametrize("size", ["200 %", "400 %"])
def test_a_digit_leads_to_a_question_that_one_sees(page, sign_in, study, bob, size):
    batch = hard_batch(study, "rating")
    sign_in(bob)
    page.set_viewport_size(SIZES[size])
    page.goto(address("desk", batch))
    expect(page.locator("#left")).to_have_text("4 questions left")
    page.wait_for_timeout(FIRST_LOOK)

    for n_left in (3, 2, 1):
        page.keyboard.press("2")
        assert_visible(page)
        if not page.locator("#left", has_text=f"{n_left} question").count():
            page.wait_for_timeout(MOMENT)
            page.keyboard.press("2")  # the first one led to the question
        expect(page.locator("#left")).to_contain_text(f"{n_left} question")
        assert_visible(page)
        page.wait_for_timeout(MOMENT)
