"""The last decisions in reach, reasons to skip by one key, breaks, and claims that run out while one looks."""

import json
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.actions import guideline_readings
from annotation.models import Assignment, AssignmentState, Batch, Judgement
from tests.annotation.desk_pages import address
from tests.browser import axe
from tests.browser.conftest import PHONE
from tests.browser.test_desk import (
    batch_of,
    expect_saved,
    press,
    scrolls_sideways,
    set_beat,
    stored_labels,
)

FEED = re.compile("/feed/$")


@pytest.fixture
def batch(study) -> Batch:
    return batch_of(study, n=12, skip_reasons=["Wrong language", "No <b>idea</b>"])


@pytest.fixture
def desk(page, sign_in, batch, bob) -> Page:
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    set_beat(page, 0)
    with page.expect_response(FEED):
        page.goto(address("desk", batch))
    return page


def expect_item(page: Page, number: int) -> None:
    expect(page.locator("#judged")).to_contain_text(f"Mason number {number},")


def judge_here(page: Page, keys: str, first: int = 1) -> None:
    for number, key in enumerate(keys, start=first):
        expect_item(page, number)
        press(page, key)
    expect_item(page, first + len(keys))
    expect_saved(page)


def undo(page: Page, label: str) -> None:
    """By key, once the page is there; it comes again with the item."""
    page.wait_for_load_state()
    with page.expect_navigation():
        press(page, "z")
    expect(
        page.get_by_text(f"Undone. Your answer was “{label}”. Choose again to save.")
    ).to_be_visible()


# History


def test_each_of_the_last_decisions_is_one_click_back(desk, batch):
    judge_here(desk, "123")
    history = desk.locator("#history")
    expect(history.get_by_role("button")).to_have_count(3)
    expect(history.get_by_role("button").first).to_contain_text("malformed")
    expect(history.get_by_role("button").last).to_contain_text("Mason number 1,")
    assert axe.violations(desk) == []

    with desk.expect_response(FEED):  # its script listens then
        history.get_by_role("button").last.click()

    expect(desk.get_by_text("Undone. Your answer was “plausible”.")).to_be_visible()
    expect_item(desk, 1)
    expect(history.get_by_role("button")).to_have_count(2)
    press(desk, "2")
    expect_saved(desk)
    assert stored_labels(batch) == ["implausible", "implausible", "malformed"]


def test_the_history_stands_there_after_a_reload_and_is_a_link_on_a_phone(desk):
    judge_here(desk, "12")
    desk.reload()
    expect(desk.locator("#history").get_by_role("button")).to_have_count(2)

    desk.set_viewport_size(PHONE)

    expect(desk.locator("#history")).to_be_hidden()
    expect(desk.get_by_role("link", name="History")).to_be_visible()
    assert not scrolls_sideways(desk)


def test_what_several_undos_opened_is_listed_and_comes_back_in_order(desk, batch):
    judge_here(desk, "123")
    for label in ("malformed", "implausible", "plausible"):
        undo(desk, label)
    expect_item(desk, 1)
    expect(desk.locator("#undone li")).to_have_count(2)
    assert axe.violations(desk) == []

    for number in (1, 2, 3):
        expect_item(desk, number)
        press(desk, "1")

    expect_item(desk, 4)
    expect(desk.locator("#undone")).to_be_hidden()
    expect_saved(desk)
    assert stored_labels(batch) == ["plausible"] * 3


def test_what_was_undone_and_left_is_offered_in_the_work_and_in_the_history(desk, batch):
    judge_here(desk, "12")
    undo(desk, "implausible")

    desk.goto(reverse("work"))

    note = desk.get_by_text("You undid 1 answer")
    expect(note).to_be_visible()
    assert axe.violations(desk) == []
    desk.goto(address("desk_recent", batch))
    expect(desk.get_by_text("You undid 1 answer and have not answered again")).to_be_visible()
    assert axe.violations(desk) == []
    desk.get_by_role("link", name="Mason number 2,").click()
    expect_item(desk, 2)
    expect(desk.get_by_text("Undone. Your answer was “implausible”.")).to_be_visible()


# Skipping


@pytest.mark.smoke
def test_a_digit_after_s_skips_for_that_reason(desk, batch):
    press(desk, "s")
    expect(desk.locator("#skip")).to_be_visible()
    assert axe.violations(desk) == []

    press(desk, "2")

    expect(desk.get_by_text("Skipped.")).to_be_visible()
    skipped = Assignment.objects.get(state=AssignmentState.SKIPPED)
    assert (skipped.skip_choice, skipped.skip_reason) == ("No <b>idea</b>", "")
    assert not Judgement.objects.exists()


def test_a_reason_may_have_words_and_one_of_both_is_needed(desk):
    press(desk, "s")
    skip = desk.locator("#skip")
    skip.get_by_role("button", name="Skip it").click()
    expect(skip.get_by_text("Choose a reason, or write one.")).to_be_visible()

    skip.get_by_text("Wrong language").click()
    skip.get_by_label("In words").fill("It is Welsh")
    skip.get_by_role("button", name="Skip it").click()

    expect(desk.get_by_text("Skipped.")).to_be_visible()
    skipped = Assignment.objects.get(state=AssignmentState.SKIPPED)
    assert skipped.skip_because == "Wrong language: It is Welsh"


# Breaks


def test_a_break_counts_no_time_and_keeps_the_item(page, sign_in, batch, bob):
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    set_beat(page, 0)
    page.clock.install()
    with page.expect_response(FEED):
        page.goto(address("desk", batch))
    page.clock.run_for(4_000)
    page.keyboard.press("p")
    expect(page.get_by_role("dialog", name="Paused")).to_be_visible()
    page.clock.run_for(60_000)
    page.keyboard.press("1")
    expect_item(page, 1)
    assert axe.violations(page) == []
    page.get_by_role("button", name="Continue").click()
    page.clock.run_for(2_000)

    with page.expect_request(FEED) as asked:
        page.keyboard.press("1")
        page.clock.run_for(10)

    (sent,) = json.loads(asked.value.post_data or "")["submissions"]
    assert sent["active_seconds"] == pytest.approx(6, abs=4)
    expect_saved(page)


def test_a_goal_and_the_session_are_told_on_this_device(desk):
    press(desk, "p")
    desk.get_by_label("My goal for a day").fill("2")
    desk.get_by_role("button", name="Continue").click()

    judge_here(desk, "1")
    expect(desk.locator("#session")).to_contain_text("This session: 1 in 0 min · today 1 of 2")
    judge_here(desk, "1", first=2)

    expect(desk.locator("#session")).to_contain_text("today 2 of 2, goal reached")
    expect(desk.locator("#hint")).to_have_text("You reached your goal of 2 for today.")
    desk.reload()
    expect(desk.locator("#session")).to_contain_text("today 2 of 2")


# Claims that run out


def test_that_the_time_for_an_item_is_over_is_told_at_once(desk, batch):
    soon = timezone.now() + timedelta(seconds=4)
    Assignment.objects.update(expires_at=soon)
    desk.reload()
    expect(desk.locator("#judgement")).to_be_visible()

    expired = desk.locator("#expired")
    expect(expired).to_be_visible()

    assert timezone.now() >= soon
    expect(desk.locator("#said")).to_contain_text("Your time with this item is over")
    assert axe.violations(desk) == []
    press(desk, "1")
    expect_saved(desk)
