"""Work that waits on a device goes out from every page, is said there, and is not forgotten at the sign-out."""

import re
import time

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from annotation.actions import guideline_readings
from annotation.models import Batch, Judgement
from tests.annotation.desk import assert_counts_match
from tests.annotation.desk_pages import address
from tests.browser import axe
from tests.browser.test_desk import batch_of, press, scrolls_sideways, set_beat, stored_labels

FEED = re.compile("/feed/$")
# A browser in which no request outlives its page.
NOTHING_OUTLIVES = """
    const all = window.fetch;
    window.fetch = (address, options) => options?.keepalive ? Promise.reject(Error("ended")) : all(address, options);
"""
# Requests of the page that are still on their way when it goes, and end with it.
NEVER_LEAVES = """() => {
    const all = window.fetch;
    window.fetch = (address, options) => options?.keepalive ? all(address, options) : new Promise(() => {});
}"""
WAITING = "2 judgements on this device are not sent."


def lose(route: Route) -> None:
    route.abort()


@pytest.fixture
def batch(study) -> Batch:
    return batch_of(study, n=12)


@pytest.fixture
def unsent(context, batch, bob, sign_in) -> Page:
    """The desk of bob with two judgements that did not arrive. The console may tell of requests that fail."""
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    context.add_init_script(NOTHING_OUTLIVES)
    page = context.new_page()
    set_beat(page, 0)
    with page.expect_response(FEED):
        page.goto(address("desk", batch))
    context.route(FEED, lose)
    for number, key in enumerate("12", start=1):
        expect(page.locator("#judged")).to_contain_text(f"Mason number {number},")
        press(page, key)
    expect(page.locator("#trouble")).to_contain_text("2 answers are saved on this device")
    return page


def place(page: Page):
    return page.locator("#unsent")


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out", exact=True).click()


def expect_stored(batch: Batch, labels: list[str]) -> None:
    """Once what outlives a page has arrived."""
    end = time.monotonic() + 20
    while stored_labels(batch) != labels and time.monotonic() < end:
        time.sleep(0.05)
    assert stored_labels(batch) == labels


# From every page


@pytest.mark.smoke
@pytest.mark.parametrize("name", ["work", "account"])
def test_what_waits_goes_out_from_pages_that_are_no_desk(unsent, context, batch, name):
    context.unroute(FEED)

    unsent.goto(reverse(name))

    expect(place(unsent)).to_contain_text("2 judgements from this device were sent.")
    assert stored_labels(batch) == ["plausible", "implausible"]
    assert axe.violations(unsent) == []
    unsent.reload()
    expect(unsent.get_by_role("heading", level=1)).to_be_visible()
    expect(place(unsent)).to_be_hidden()
    assert_counts_match(batch)


def test_pages_say_what_waits_and_send_it_when_asked(unsent, context, batch):
    unsent.goto(reverse("work"))

    expect(place(unsent)).to_contain_text(f"{WAITING} They are sent when you are online.")
    assert axe.violations(unsent) == []
    assert not scrolls_sideways(unsent)
    context.unroute(FEED)
    unsent.get_by_role("button", name="Send now").click()

    expect(place(unsent)).to_contain_text("2 judgements from this device were sent.")
    assert stored_labels(batch) == ["plausible", "implausible"]


def test_another_person_neither_sees_nor_sends_them(unsent, context, batch, dora, sign_in):
    unsent.close()
    sign_in(dora)
    of_dora = context.new_page()
    context.unroute(FEED)

    of_dora.goto(reverse("work"))

    expect(of_dora.get_by_role("heading", name="My work")).to_be_visible()
    of_dora.wait_for_load_state("networkidle")
    expect(place(of_dora)).to_be_hidden()
    assert not Judgement.objects.exists()


def test_what_became_of_them_is_said_where_it_is_heard_and_on_the_desk(unsent, context, batch):
    def refuse(route: Route) -> None:
        asked = route.request.post_data_json["submissions"]
        results = [
            {
                "client_id": each["client_id"],
                "assignment": each["assignment"],
                "outcome": "refused",
                "words": "the item is not assigned to you",
            }
            for each in asked
        ]
        route.fulfill(json={"results": results, "items": [], "over": [], "csrf": "x" * 64})

    context.unroute(FEED)
    context.route(FEED, refuse, times=1)

    unsent.goto(reverse("work"))

    expect(place(unsent)).to_contain_text(
        "“plausible” was not saved: the item is not assigned to you."
    )
    unsent.goto(address("desk", batch))
    expect(unsent.locator("#notes li")).to_have_count(2)


# When the page goes


def test_what_was_judged_last_arrives_although_the_page_is_closed_at_once(
    context, batch, bob, sign_in
):
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    page = context.new_page()
    set_beat(page, 0)
    with page.expect_response(FEED):
        page.goto(address("desk", batch))
    page.evaluate(NEVER_LEAVES)
    press(page, "1")
    expect(page.locator(".last")).to_contain_text("Sending…")

    page.close(run_before_unload=True)

    expect_stored(batch, ["plausible"])
    later = context.new_page()
    later.goto(address("desk", batch))
    expect(later.locator("#judged")).to_contain_text("Mason number 2,")
    expect(later.locator(".progress")).to_contain_text("1 of 12")


# Counts


def test_a_lost_answer_and_a_reload_count_nothing_twice(context, batch, bob, sign_in):
    Batch.objects.update(reward="0.06", currency="GBP")
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    page = context.new_page()
    set_beat(page, 0)
    with page.expect_response(FEED):
        page.goto(address("desk", batch))

    def store_and_lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route(FEED, store_and_lose)
    press(page, "1")
    expect(page.locator("#trouble")).to_contain_text("1 answer is saved on this device")

    page.reload()
    expect(page.locator("#trouble")).to_contain_text("1 answer is saved on this device")
    expect(page.locator(".progress")).to_contain_text("1 of 12")
    page.unroute(FEED)

    expect(page.locator("#trouble")).to_be_hidden()
    expect(page.locator(".last")).to_contain_text("Saved: plausible")
    expect(page.locator(".progress")).to_contain_text("1 of 12")
    expect(page.locator(".progress")).to_contain_text("£0.06 so far")
    assert stored_labels(batch) == ["plausible"]


# Signing out


@pytest.mark.smoke
def test_signing_out_with_unsent_work_asks_first(unsent, context, batch):
    unsent.goto(reverse("work"))
    expect(place(unsent)).to_contain_text(WAITING)

    sign_out(unsent)

    dialog = unsent.get_by_role("dialog")
    expect(dialog).to_contain_text("2 judgements on this device are not sent")
    assert axe.violations(unsent) == []
    dialog.get_by_role("button", name="Stay signed in").click()
    expect(dialog).to_have_count(0)
    expect(unsent.get_by_role("heading", name="My work")).to_be_visible()
    sign_out(unsent)
    dialog.get_by_role("button", name="Sign out all the same").click()
    expect(unsent.get_by_role("button", name="Sign in")).to_be_visible()
    assert not Judgement.objects.exists()


def test_who_signs_in_again_after_that_sends_them(unsent, context, batch, bob, sign_in):
    unsent.goto(reverse("work"))
    sign_out(unsent)
    unsent.get_by_role("button", name="Sign out all the same").click()
    expect(unsent.get_by_role("button", name="Sign in")).to_be_visible()
    context.unroute(FEED)
    sign_in(bob)

    unsent.goto(reverse("work"))

    expect(place(unsent)).to_contain_text("2 judgements from this device were sent.")
    assert stored_labels(batch) == ["plausible", "implausible"]


def test_signing_out_sends_first_what_can_be_sent(unsent, context, batch):
    unsent.goto(reverse("work"))
    expect(place(unsent)).to_contain_text(WAITING)
    context.unroute(FEED)

    sign_out(unsent)

    expect(unsent.get_by_role("button", name="Sign in")).to_be_visible()
    assert stored_labels(batch) == ["plausible", "implausible"]
