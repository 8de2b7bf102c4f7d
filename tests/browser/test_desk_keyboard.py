"""The whole desk by keyboard alone, from signing in; one always sees where one is."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.models import Assignment, AssignmentState, Batch, Flag, Judgement
from tests.annotation.desk_pages import address
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.focus import assert_visible, tab_to
from tests.browser.test_desk import (
    batch_of,
    expect_done,
    expect_saved,
    press,
    set_beat,
    stored_labels,
)

PASSWORD = "lighthouse-keeper"


@pytest.fixture
def batch(study) -> Batch:
    return batch_of(study, n=8)


@pytest.fixture
def at_door(page, bob, batch) -> Page:
    """The page to sign in on, and nobody is signed in."""
    bob.set_password(PASSWORD)
    bob.save()
    set_beat(page, 0)
    page.goto(reverse("sign_in"))
    return page


def sign_in(page: Page) -> None:
    tab_to(page, page.get_by_label("User name"))
    page.keyboard.type("bob")
    press(page, "Tab")
    expect(page.get_by_label("Password")).to_be_focused()
    page.keyboard.type(PASSWORD)
    press(page, "Enter")
    expect(page.get_by_role("link", name="Start")).to_be_visible()
    page.wait_for_load_state()


def expect_at_item(page: Page, number: int) -> None:
    """The item is there, and what is read next has the focus."""
    expect(page.locator("#judged")).to_contain_text(f"Mason number {number},")
    expect(page.locator("#judged")).to_be_focused()


def test_everything_at_the_desk_is_done_by_keyboard_alone(at_door, batch):
    page = at_door
    sign_in(page)
    tab_to(page, page.get_by_role("link", name="Start"))
    press(page, "Enter")
    expect(page.get_by_role("heading", name="Before your first item")).to_be_visible()
    page.wait_for_load_state()
    tab_to(page, page.get_by_role("button", name="I have read it: start"))
    press(page, "Enter")

    # Three items: by a digit; by Tab, arrows and Enter; by Tab, Space and the button.
    expect_done(page, 0, 8)
    press(page, "1")
    expect_at_item(page, 2)
    tab_to(page, page.get_by_role("radio").first)
    press(page, "ArrowDown")
    assert_visible(page)
    expect(page.get_by_role("radio").nth(1)).to_be_checked()
    press(page, "Enter")
    expect_at_item(page, 3)
    tab_to(page, page.get_by_role("radio").first)
    press(page, "Space")
    tab_to(page, page.get_by_role("button", name="Submit"))
    press(page, "Enter")
    expect_at_item(page, 4)
    expect_saved(page)
    assert stored_labels(batch) == ["plausible", "implausible", "plausible"]

    # A comment, left by Escape: the keys are the desk's again.
    press(page, "c")
    expect(page.get_by_label("Comment")).to_be_focused()
    assert_visible(page)
    page.keyboard.type("1 of 2?")
    press(page, "Escape", "3")
    expect_at_item(page, 5)
    expect_saved(page)
    assert Judgement.objects.get(comment="1 of 2?").response == {"plausibility": "malformed"}

    # Take back.
    press(page, "z")
    expect(page.get_by_text("Undone. Your answer was “malformed”")).to_be_visible()
    expect_done(page, 3, 8)
    expect(page.get_by_label("Comment")).to_have_value("1 of 2?")
    press(page, "1")
    expect_at_item(page, 5)
    expect_saved(page)

    # All keys, by the key; closed, one is back where one was.
    tab_to(page, page.get_by_role("link", name="History"))
    press(page, "?")
    expect(page.locator("#keys-title")).to_be_focused()
    tab_to(page, page.locator("dialog[open]").get_by_role("button", name="Back to the item"))
    press(page, "Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.get_by_role("link", name="History")).to_be_focused()
    assert_visible(page)

    # The guidelines: by Tab and Enter there, by Escape back.
    tab_to(page, page.get_by_role("link", name="Guidelines"))
    press(page, "Enter")
    expect(page.get_by_role("heading", name="How to judge")).to_be_visible()
    assert_visible(page)
    expect(page.get_by_label("Search in the guidelines")).to_be_focused()
    page.keyboard.type("question")
    expect(page.locator("#found")).to_have_text("1 place")
    press(page, "Escape")
    if page.locator("dialog[open]").count():  # the first one may empty the field
        press(page, "Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.get_by_role("link", name="Guidelines")).to_be_focused()

    # Flag, with a message.
    press(page, "f")
    expect(page.locator("dialog[open] :focus")).to_have_count(1)
    assert_visible(page)
    page.keyboard.type("Cut off?")
    press(page, "Tab", "Enter")
    expect(page.get_by_text("Message sent")).to_be_visible()
    assert Flag.objects.get().message == "Cut off?"
    expect_done(page, 4, 8)

    # Skip, with a reason.
    press(page, "s")
    assert_visible(page)
    page.keyboard.type("no idea")
    press(page, "Enter")
    expect(page.get_by_text("Skipped.")).to_be_visible()
    expect_done(page, 4, 7)
    assert Assignment.objects.get(state=AssignmentState.SKIPPED).skip_reason == "no idea"

    # One of the last ten.
    tab_to(page, page.get_by_role("link", name="History"))
    press(page, "Enter")
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    page.wait_for_load_state()
    tab_to(page, page.get_by_role("button", name="Change this judgement").nth(1))
    press(page, "Enter")
    expect(page.get_by_text("Undone. Your answer was “plausible”")).to_be_visible()
    expect_done(page, 3, 7)
    press(page, "2")
    expect_done(page, 4, 7)  # what was saved before is on the page until then
    expect_saved(page)
    assert stored_labels(batch) == ["plausible", "implausible", "implausible", "plausible"]
    assert axe.violations(page) == []


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_forth_and_back_by_tab_one_sees_every_control_of_the_desk(at_door, batch, size):
    page = at_door
    page.set_viewport_size(size)
    sign_in(page)
    page.goto(address("desk", batch))
    tab_to(page, page.get_by_role("button", name="I have read it"))
    press(page, "Enter")
    expect_done(page, 0, 8)
    press(page, "1")
    expect_at_item(page, 2)
    expect_saved(page)

    tab_to(page, page.get_by_role("button", name="Keys"))
    tab_to(page, page.get_by_role("link", name="My work"), key="Shift+Tab")


def test_a_window_keeps_the_keyboard_and_gives_it_back(at_door, batch):
    page = at_door
    sign_in(page)
    page.goto(address("desk", batch))
    tab_to(page, page.get_by_role("button", name="I have read it"))
    press(page, "Enter")
    expect_done(page, 0, 8)

    for key, name in [("s", "Skip"), ("f", "Flag"), ("g", "Guidelines"), ("?", "Settings")]:
        opener = page.locator(".tools").get_by_text(name, exact=False)
        tab_to(page, opener)
        press(page, key)
        for _ in range(8):
            press(page, "Tab")
            assert page.evaluate(
                "document.activeElement === document.body"
                " || document.querySelector('dialog[open]').contains(document.activeElement)"
            ), name
        press(page, "Escape")
        expect(opener).to_be_focused()
        assert_visible(page)
