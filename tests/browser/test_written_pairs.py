"""An adjudicator decides between written answers in a browser, by keyboard alone, wide and on a phone."""

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Adjudication
from annotation.queries import written_pairs
from tests.annotation.desk_pages import address
from tests.annotation.differing import CHANGED, SKIPPED, item, second_round_said
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.test_curation import shot
from tests.browser.test_desk_reflow import layout_faults
from tests.browser.test_rating import FIRST_LOOK

OWN = "Oil, then gas.\n\u0645\u0631\u062d\u0628\u0627"


@pytest.fixture
def batch(study, tmp_path, bob, dora):
    return second_round_said(study, tmp_path, bob, dora, CHANGED, SKIPPED, CHANGED)


def tab_to(page: Page, selector: str, key: str = "Tab") -> None:
    """Press the key until what is named has the focus."""
    for _ in range(60):
        page.keyboard.press(key)
        if page.evaluate("css => document.activeElement.matches(css)", selector):
            return
    raise AssertionError(f"{selector} is out of reach by {key}")


def expect_decided(page: Page, n: int) -> None:
    expect(
        page.locator(".messages, [role=status]").filter(has_text="Decided:").first
    ).to_be_visible()
    assert Adjudication.objects.count() == n


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_answers_are_decided_between_by_keyboard_alone(page, sign_in, batch, carol, size):
    page.set_viewport_size(size)
    sign_in(carol)
    page.goto(address("written_pairs", batch))
    assert axe.violations(page) == []
    assert layout_faults(page) == []
    shot(page, f"pairs-{size['width']}")
    tab_to(page, "a.button.primary")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Answers that differ")
    box = page.locator("[name='third.answer']")
    expect(box).to_be_hidden()
    expect(page.locator(".answer-2 mark").first).to_be_visible()
    assert axe.violations(page) == []
    assert layout_faults(page) == []
    shot(page, f"pair-{size['width']}")

    # A digit takes an answer and leads to the reason, where Enter saves and opens the next.
    page.wait_for_timeout(FIRST_LOOK)
    page.keyboard.press("2")
    expect(page.locator("[name=reason]")).to_be_focused()
    page.keyboard.type("It names both.")
    page.keyboard.press("Enter")
    expect(page.locator(".answer-2")).to_contain_text("Skips the question")
    expect_decided(page, 1)

    # Another one: its box, its ticks and its confirmations come into sight.
    page.wait_for_timeout(FIRST_LOOK)
    page.keyboard.press("3")
    expect(box).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type(OWN)
    tab_to(page, ".sentence input[name='third.s.1.3']", "Shift+Tab")
    page.keyboard.press("Space")
    for name in ("makes_sense", "concise", "grammatical"):
        tab_to(page, f"[name='third.{name}']")
        page.keyboard.press("Space")
    assert axe.violations(page) == []
    assert layout_faults(page) == []
    shot(page, f"pair-third-{size['width']}")
    page.emulate_media(color_scheme="dark")
    shot(page, f"pair-third-dark-{size['width']}")
    page.emulate_media(color_scheme="light")
    tab_to(page, "[name=reason]")
    page.keyboard.type("Both are right.")
    page.keyboard.press("Enter")
    expect(page.locator(".answer-2 mark").first).to_be_visible()
    expect_decided(page, 2)
    third = written_pairs.pair_of(item(batch, 2)).decision.response
    assert (third["answer"], third["s.1.3"]) == (OWN, "yes")

    # What was decided last is undone by one key.
    page.wait_for_timeout(FIRST_LOOK)
    page.keyboard.press("z")
    expect(page.locator("h1")).to_have_text("Answers that differ")
    assert written_pairs.pair_of(item(batch, 2)).is_open
