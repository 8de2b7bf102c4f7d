"""The desk without a network, from a reload on: the service worker keeps it, and keeps nothing after a sign-out."""

import re
import time
from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect

from annotation.actions import guideline_readings
from annotation.models import Batch, Judgement
from tests.annotation.desk import assert_counts_match
from tests.annotation.desk_pages import address
from tests.browser.conftest import LONGEST, WIDE
from tests.browser.test_desk import batch_of, press, set_beat, stored_labels

FEED = re.compile("/feed/$")
LABELS = {"1": "plausible", "2": "implausible", "3": "malformed"}
PRIVATE = """async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith("touchstone-private-"));
    const found = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return found.flat().map((request) => new URL(request.url).pathname);
}"""


@pytest.fixture
def context(browser: Browser, live_server) -> Iterator[BrowserContext]:
    """A browser with service workers."""
    opened = browser.new_context(base_url=live_server.url, viewport=WIDE, reduced_motion="reduce")
    opened.set_default_timeout(LONGEST)
    yield opened
    opened.close()


@pytest.fixture
def batch(study) -> Batch:
    return batch_of(study, n=60, prefetch_depth=20)


@pytest.fixture
def desk(context, batch, bob, sign_in) -> Page:
    """The desk of bob, kept by the service worker. The console may tell of a network that is away."""
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    page = context.new_page()
    set_beat(page, 0)
    with page.expect_response(FEED):
        page.goto(address("desk", batch))
    page.wait_for_function("() => navigator.serviceWorker.controller")
    expect_kept(page, address("desk", batch))
    return page


def expect_kept(page: Page, path: str) -> None:
    end = time.monotonic() + LONGEST / 1000
    while path not in page.evaluate(PRIVATE) and time.monotonic() < end:
        page.wait_for_timeout(50)
    assert path in page.evaluate(PRIVATE)


def judge_here(page: Page, keys: str, first: int = 1) -> None:
    for number, key in enumerate(keys, start=first):
        expect(page.locator("#judged")).to_contain_text(f"Mason number {number},")
        press(page, key)


@pytest.mark.smoke
def test_ten_judgements_offline_a_reload_and_three_more_arrive_once_and_in_order(
    desk, context, batch
):
    context.set_offline(True)
    judge_here(desk, "1231231231")
    expect(desk.locator("#trouble")).to_contain_text("10 answers are saved on this device")

    desk.reload()

    expect(desk.locator("#trouble")).to_contain_text("10 answers are saved on this device")
    expect(desk.locator(".progress")).to_contain_text("10 of 60")
    judge_here(desk, "231", first=11)
    expect(desk.locator(".progress")).to_contain_text("13 of 60")
    assert not Judgement.objects.exists()
    context.set_offline(False)
    expect(desk.locator("#trouble")).to_be_hidden()
    expect(desk.locator(".last")).to_contain_text("Saved: plausible")
    expect(desk.locator(".progress")).to_contain_text("13 of 60")
    assert stored_labels(batch) == [LABELS[key] for key in "1231231231231"]
    assert_counts_match(batch)


def test_what_was_judged_before_the_reload_can_be_undone_after_it(desk, context, batch):
    context.set_offline(True)
    judge_here(desk, "12")
    expect(desk.locator("#trouble")).to_contain_text("2 answers are saved on this device")
    desk.reload()
    # What waits is read after the item is shown, and the keys are listened to before that is said.
    expect(desk.locator("#trouble")).to_contain_text("2 answers are saved on this device")
    expect(desk.locator("#judged")).to_contain_text("Mason number 3,")

    press(desk, "z")

    expect(desk.locator("#hint")).to_contain_text("Undone. Your answer was “implausible”.")
    judge_here(desk, "3", first=2)
    context.set_offline(False)
    expect(desk.locator("#trouble")).to_be_hidden()
    assert stored_labels(batch) == ["plausible", "malformed"]


def test_with_a_network_the_page_is_the_servers(desk, batch):
    judge_here(desk, "1")
    expect(desk.locator(".last")).to_contain_text("Saved: plausible")

    with desk.expect_response(FEED):
        desk.reload()

    assert not desk.locator("html[data-copy]").count()
    expect(desk.locator("#judged")).to_contain_text("Mason number 2,")


def test_only_the_desk_and_its_items_are_kept(desk, context, batch):
    judge_here(desk, "1")
    expect(desk.locator(".last")).to_contain_text("Saved: plausible")
    for name in ("work", "account"):
        desk.goto(reverse(name))
    desk.goto(address("desk_recent", batch))
    desk.goto(address("desk_guidelines", batch))

    kept = desk.evaluate(PRIVATE)

    here = address("desk", batch)
    assert here in kept
    assert all(each == here or each.startswith(f"{here}kept/") for each in kept)


@pytest.mark.smoke
def test_after_a_sign_out_nothing_private_is_left(desk, context, batch):
    desk.goto(reverse("work"))
    desk.get_by_role("button", name="Sign out", exact=True).click()
    expect(desk.get_by_role("button", name="Sign in")).to_be_visible()

    assert desk.evaluate(PRIVATE) == []
    context.set_offline(True)
    with pytest.raises(Exception, match="ERR_"):
        desk.goto(address("desk", batch))


def test_a_desk_that_stays_open_in_another_tab_keeps_nothing_after_the_sign_out(
    desk, context, batch
):
    other = context.new_page()
    other.goto(reverse("work"))
    other.get_by_role("button", name="Sign out", exact=True).click()
    expect(other.get_by_role("button", name="Sign in")).to_be_visible()

    judge_here(desk, "1")
    expect(desk.locator("#trouble")).to_contain_text("You are signed out.")

    assert other.evaluate(PRIVATE) == []
