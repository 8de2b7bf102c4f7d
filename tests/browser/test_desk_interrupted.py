"""What the desk says while somebody works: a server that cannot store, a batch that stops and goes on."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from annotation.actions import batches, guideline_readings
from annotation.models import Batch, Judgement
from tests.annotation.desk_pages import address
from tests.browser import axe
from tests.browser.test_desk import (
    batch_of,
    expect_saved,
    press,
    scrolls_sideways,
    set_beat,
    stored_labels,
)

FEED = re.compile("/feed/$")
FULL = "the server's disk is full: nothing of this was saved"
PAUSED = "This batch was paused. What you have on the screen can still be judged."
OVER = "The deadline of this batch has passed. What you have on the screen can still be judged."
CLOSED = "This batch was closed. What you have on the screen can still be judged."
GOES_ON = "The batch has resumed."


@pytest.fixture
def batch(study) -> Batch:
    return batch_of(study, n=12)


@pytest.fixture
def desk(context, sign_in, batch, bob) -> Page:
    """A page whose console may tell of a server that fails; digits submit at once."""
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    opened = context.new_page()
    set_beat(opened, 0)
    with opened.expect_response(FEED):
        opened.goto(address("desk", batch))
    return opened


# A server that cannot


def test_a_full_disk_is_told_in_the_servers_words_and_tried_until_there_is_room(desk, batch):
    desk.route(FEED, lambda route: route.fulfill(status=507, json={"error": FULL}))

    press(desk, "1")
    expect(desk.locator("#judged")).to_contain_text("Mason number 2,")
    press(desk, "2")

    trouble = desk.locator("#trouble")
    expect(trouble).to_contain_text(
        f"The server cannot save anything now: “{FULL}”."
        " 2 answers are saved on this device and will be sent again."
    )
    expect(desk.locator("#said")).to_contain_text("The server cannot save anything")
    expect(desk.locator(".last")).to_contain_text("Not saved yet: implausible")
    assert axe.violations(desk) == []
    desk.unroute(FEED)
    expect_saved(desk)
    expect(trouble).to_be_hidden()
    assert stored_labels(batch) == ["plausible", "implausible"]


@pytest.mark.parametrize("status", [500, 503, 507])
def test_what_a_page_says_is_told_by_its_heading(desk, status):
    page = "<!doctype html><title>x</title><h1>Back in &lt;ten&gt; minutes</h1><p>More.</p>"
    answer = {"status": status, "body": page, "content_type": "text/html; charset=utf-8"}
    desk.route(FEED, lambda route: route.fulfill(**answer))

    press(desk, "1")

    expect(desk.locator("#trouble")).to_contain_text("“Back in <ten> minutes”")


def test_while_the_server_cannot_the_rest_waits_in_words(desk):
    desk.route(FEED, lambda route: route.fulfill(status=503, json={"error": "in the works"}))

    press(desk, "1")
    expect(desk.locator("#trouble")).to_be_visible()
    press(desk, "s")
    desk.keyboard.type("no idea")
    press(desk, "Enter")
    expect(desk.locator("dialog[open] .missing")).to_contain_text(
        "Skipping has to wait until the server can save again."
    )
    press(desk, "Escape")
    expect(desk.locator("dialog[open]")).to_have_count(0)
    for _ in range(4):
        press(desk, "1")

    expect(desk.locator("#waiting")).to_contain_text("when the server can send it")
    assert axe.violations(desk) == []


# Try now


def test_in_a_pause_the_next_try_is_counted_down_and_can_be_made_at_once(desk, batch):
    desk.clock.install()
    tried: list[Route] = []

    def lose(route: Route) -> None:
        tried.append(route)
        route.abort()

    desk.route(FEED, lose)
    press(desk, "1")
    trouble = desk.locator("#trouble")
    again = desk.get_by_role("button", name="Try now")
    expect(again).to_be_visible()
    for _ in range(4):  # 1 s, 2 s, 4 s, then 8 s
        expect(trouble).to_contain_text(re.compile(r"Next try in \d+ s\."))
        with desk.expect_request(FEED):
            desk.clock.run_for(31_000)
    expect(trouble).to_contain_text(re.compile(r"Next try in \d+ s\."))
    first = int(re.findall(r"(\d+) s\.", trouble.inner_text())[0])
    desk.clock.run_for(5_000)
    assert int(re.findall(r"(\d+) s\.", trouble.inner_text())[0]) < first
    n = len(tried)
    desk.unroute(FEED)

    again.focus()
    press(desk, "Enter")

    expect(desk.locator(".last")).to_contain_text("Saved: plausible")
    expect(trouble).to_be_hidden()
    expect(desk.locator("#judged")).to_be_focused()
    assert len(tried) == n
    assert stored_labels(batch) == ["plausible"]


def test_a_try_that_is_in_vain_is_counted_down_anew(desk):
    desk.route(FEED, lambda route: route.abort())
    press(desk, "1")
    again = desk.get_by_role("button", name="Try now")
    again.click()

    expect(desk.locator("#trouble")).to_contain_text(re.compile(r"Next try in \d+ s\."))
    expect(again).to_be_focused()
    assert not scrolls_sideways(desk)


def test_who_is_signed_out_is_led_to_sign_in_and_not_to_try(desk, context):
    context.clear_cookies()

    press(desk, "1")

    expect(desk.get_by_role("link", name="Sign in, in a new tab")).to_be_visible()
    expect(desk.get_by_role("button", name="Try now")).to_be_hidden()


# The batch


def test_a_pause_is_told_at_once_and_so_is_its_end(desk, batch, alice):
    batches.pause(batch=batch, by=alice)
    press(desk, "1")
    expect(desk.get_by_text(PAUSED)).to_be_visible()
    expect(desk.locator("#state")).to_have_attribute("role", "status")
    assert axe.violations(desk) == []

    batches.resume(batch=batch, by=alice)
    press(desk, "2")
    expect(desk.get_by_text(GOES_ON)).to_be_visible()
    expect(desk.get_by_text(PAUSED)).to_be_hidden()

    press(desk, "3")
    expect(desk.get_by_text(GOES_ON)).to_be_hidden()
    expect_saved(desk)
    expect(desk.locator("#state")).to_have_text(re.compile(r"^\s*$"), use_inner_text=True)
    assert stored_labels(batch) == ["plausible", "implausible", "malformed"]


def test_a_close_is_told_and_what_is_on_the_screen_still_counts(desk, batch, alice):
    batches.close(batch=batch, by=alice)
    press(desk, "1")
    expect(desk.get_by_text(CLOSED)).to_be_visible()

    press(desk, "2")

    expect(desk.locator(".last")).to_contain_text("Saved: implausible")
    assert stored_labels(batch) == ["plausible", "implausible"]


def test_a_deadline_is_told_when_it_passes_and_when_it_is_put_off(desk, batch):
    soon = timezone.now() + timedelta(seconds=3)
    Batch.objects.update(deadline_at=soon)
    press(desk, "1")
    expect_saved(desk)

    expect(desk.get_by_text(OVER)).to_be_visible()
    assert timezone.now() >= soon

    Batch.objects.update(deadline_at=soon + timedelta(days=400))
    press(desk, "2")
    expect(desk.get_by_text(GOES_ON)).to_be_visible()
    assert Judgement.objects.count() == 2


def test_another_tab_is_told_too(desk, context, batch, alice):
    other = context.new_page()
    other.goto(address("desk", batch))
    expect(other.locator("#judgement")).to_be_visible()
    batches.pause(batch=batch, by=alice)

    press(desk, "1")

    expect(other.get_by_text(PAUSED)).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_page_that_is_opened_later_says_how_the_batch_stands(
    desk, browser, context, live_server, batch, alice, scripts
):
    batches.pause(batch=batch, by=alice)
    later = browser.new_context(
        base_url=live_server.url,
        java_script_enabled=scripts,
        storage_state=context.storage_state(),
    )
    page = later.new_page()

    page.goto(address("desk", batch))
    expect(page.get_by_text(PAUSED)).to_be_visible()

    Batch.objects.update(deadline_at=timezone.now() - timedelta(seconds=1))
    page.goto(address("desk", batch))
    expect(page.get_by_text(OVER)).to_be_visible()
    expect(page.get_by_text(PAUSED)).to_be_hidden()
    later.close()
