"""The desk's queue in the browser: instant, in order, once each, and nothing lost, whatever the network does."""

import json
import re
import statistics
from collections.abc import Callable

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, expect

from annotation.actions import batches, claims, flags, guideline_readings, judgements
from annotation.models import Assignment, Batch, GuidelineReading, Judgement
from tests.annotation.desk import assert_counts_match, submit
from tests.annotation.desk_pages import address
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.test_desk import (
    batch_of,
    expect_done,
    expect_saved,
    press,
    scrolls_sideways,
    set_beat,
    stored_labels,
)

FEED = re.compile("/feed/$")
KEPT = "saved on this device"
SIGNED_OUT = "You are signed out."
WITHOUT_STORAGE = "Object.defineProperty(window, 'indexedDB', {get() { throw Error('private') }})"


@pytest.fixture
def batch(study) -> Batch:
    return batch_of(study, n=30)


@pytest.fixture
def opened(batch, bob, sign_in) -> Callable[[Page], Page]:
    """The desk of bob on a page; he has read the guidelines, and digits submit at once."""
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)

    def on(page: Page) -> Page:
        set_beat(page, 0)
        with page.expect_response(FEED):
            page.goto(address("desk", batch))
        return page

    return on


@pytest.fixture
def calm(context) -> Page:
    """A page whose console may tell of a network that is away."""
    return context.new_page()


@pytest.fixture
def desk(opened, calm) -> Page:
    return opened(calm)


def expect_item(page: Page, number: int) -> None:
    expect(page.locator("#judged")).to_contain_text(f"Mason number {number},")


def judge_here(page: Page, keys: str, first: int = 1) -> None:
    """One key an item, each pressed when its item is there; the first is item number `first`."""
    for number, key in enumerate(keys, start=first):
        expect_item(page, number)
        press(page, key)


def stored(batch: Batch) -> list[tuple[int, str]]:
    """The items by position and label in the order in which they were stored."""
    rows = Judgement.objects.filter(assignment__item__batch=batch).order_by("pk")
    return [(each.assignment.item.position, each.response["plausibility"]) for each in rows]


def feeds(page: Page) -> list[Request]:
    """What the page asks of the server from now on."""
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if FEED.search(request.url) else None)
    return sent


def cookie_of(user, live_server, client) -> dict[str, str]:
    client.force_login(user, backend="accounts.backends.RealPeopleBackend")
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    return {"name": cookie.key, "value": cookie.value, "url": live_server.url}


# Ahead


@pytest.mark.smoke
def test_the_next_item_is_there_before_the_server_has_the_judgement(desk):
    held_back: list[Route] = []
    desk.route(FEED, lambda route: held_back.append(route))

    with desk.expect_request(FEED):
        press(desk, "1")

    expect_item(desk, 2)
    expect(desk).to_have_title(re.compile("Item 2 of 30"))
    expect(desk.get_by_role("heading", level=1)).to_have_text("Item 2 of 30")
    expect(desk.locator(".progress")).to_contain_text("1 of 30")
    expect(desk.locator(".last")).to_contain_text("Sending…")
    expect(desk.get_by_text("Saved:")).to_have_count(0)
    expect(desk.locator("#judged")).to_be_focused()
    expect(desk.get_by_role("radio", checked=True)).to_have_count(0)
    held_back[0].continue_()
    expect(desk.locator("#said")).to_have_text("Saved: plausible. Item 2 of 30.")
    expect(desk.locator(".last")).to_contain_text("Saved: plausible")


def test_each_judgement_takes_one_request(opened, page, batch):
    desk = opened(page)
    sent = feeds(desk)

    for number in range(1, 16):
        judge_here(desk, "1", first=number)
        expect_done(desk, number, 30)
        expect_saved(desk)
    desk.evaluate("dispatchEvent(new Event('online'))")  # there is nothing to do
    desk.wait_for_timeout(300)

    assert len(sent) == 15
    asked = [json.loads(request.post_data or "") for request in sent]
    assert [len(each["submissions"]) for each in asked] == [1] * 15
    assert [each["wanted"] for each in asked] == [0, 0, 3] * 5
    assert stored(batch) == [(number, "plausible") for number in range(1, 16)]


def test_a_key_is_answered_by_the_next_item_at_once(opened, page):
    desk = opened(page)
    desk.evaluate(
        """() => {
            window.took = [];
            document.addEventListener("keydown", () => (window.pressed = performance.now()), true);
            new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => {
                window.took.push(performance.now() - window.pressed);
                document.body.dataset.took = window.took.length;
            }))).observe(document.querySelector("#judged"), {childList: true});
        }"""
    )

    for number in range(1, 21):
        judge_here(desk, "1", first=number)
        expect_saved(desk)
    expect_item(desk, 21)
    expect(desk.locator("body")).to_have_attribute("data-took", "20")  # a frame after it is there

    took = desk.evaluate("window.took")
    found = f"median {statistics.median(took):.1f} ms, at most {max(took):.1f} ms"
    print(f"key to next item visible: {found}")  # noqa: T201  a measurement, to be read with -s
    assert len(took) == 20


def test_the_words_of_the_progress_are_those_of_the_page(opened, page):
    desk = opened(page)
    for number in range(1, 8):
        judge_here(desk, "1", first=number)
        expect_saved(desk)
    expect_item(desk, 8)
    words = [desk.title(), *desk.locator(".progress, h1").all_inner_texts()]

    desk.reload()

    assert [desk.title(), *desk.locator(".progress, h1").all_inner_texts()] == words
    assert "less than a minute left" in " ".join(words)


def test_every_form_and_link_belongs_to_the_item_that_is_shown(desk):
    press(desk, "1")
    expect_item(desk, 2)
    second = str(Assignment.objects.get(item__position=2).public_id)

    forms = desk.locator("[data-of-item]").evaluate_all(
        "all => all.map(each => each.getAttribute('action') ?? each.getAttribute('href'))"
    )
    assert len(forms) == 5
    assert all(second in each for each in forms)


def test_after_the_last_item_the_page_says_so(study, bob, sign_in, page):
    batch = batch_of(study, n=3)
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    set_beat(page, 0)
    page.goto(address("desk", batch))

    judge_here(page, "123")

    expect(page.get_by_role("heading", name="You have finished this batch")).to_be_visible()
    assert stored_labels(batch) == ["plausible", "implausible", "malformed"]


def test_new_guidelines_are_shown_as_soon_as_more_is_wanted_and_everything_is_sent(desk, batch):
    GuidelineReading.objects.all().delete()

    judge_here(desk, "111")

    expect(desk.get_by_role("heading", name="Before your first item")).to_be_visible()
    assert stored(batch) == [(number, "plausible") for number in (1, 2, 3)]


# Without a network


@pytest.mark.smoke
def test_what_is_judged_without_a_network_arrives_once_and_in_order(
    desk, context, batch, bob, settings
):
    Batch.objects.update(prefetch_depth=25)
    with desk.expect_response(FEED):
        desk.reload()
    expect(desk.locator("#judgement")).to_be_visible()
    context.set_offline(True)
    keys = "1231123112"

    judge_here(desk, keys)

    expect(desk.locator("#trouble")).to_contain_text(
        "Offline. 10 answers are saved on this device and will be sent."
    )
    expect_item(desk, 11)
    expect(desk.locator(".progress")).to_contain_text("10 of 30")
    assert not Judgement.objects.exists()
    sent = feeds(desk)
    context.set_offline(False)
    expect(desk.locator("#said")).to_have_text("10 judgements saved. Item 11 of 30.")
    expect(desk.locator("#trouble")).to_be_hidden()
    labels = {"1": "plausible", "2": "implausible", "3": "malformed"}
    assert stored(batch) == [(n, labels[key]) for n, key in enumerate(keys, start=1)]
    # Its last try without a network may fall into this time too.
    assert len([each for each in sent if each.failure is None]) == 1
    assert_counts_match(batch)


def test_back_at_a_page_that_the_browser_kept_one_works_on_without_a_network(desk, context, batch):
    context.set_offline(True)
    judge_here(desk, "1")

    desk.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")

    judge_here(desk, "2", first=2)
    expect_item(desk, 3)
    context.set_offline(False)
    expect(desk.locator("#said")).to_have_text("2 judgements saved. Item 3 of 30.")
    assert stored(batch) == [(1, "plausible"), (2, "implausible")]


def test_without_a_network_and_an_item_it_waits_and_goes_on_by_itself(desk, context, batch):
    context.set_offline(True)
    judge_here(desk, "11111")

    expect(desk.get_by_text("The next item comes when you are online.")).to_be_visible()
    expect(desk.locator("#judgement")).to_be_hidden()
    press(desk, "1", "s", "f", "Enter")
    expect(desk.locator("dialog[open]")).to_have_count(0)
    context.set_offline(False)

    expect_item(desk, 6)
    expect(desk.locator("#judgement")).to_be_visible()
    assert [position for position, _ in stored(batch)] == [1, 2, 3, 4, 5]


def test_a_server_that_is_away_is_asked_again(desk, batch):
    desk.route(FEED, lambda route: route.fulfill(status=502, body="Bad Gateway"))
    press(desk, "1")
    expect(desk.locator("#trouble")).to_contain_text("Offline. 1 answer is saved")
    expect(desk.locator(".last")).to_contain_text("Not saved yet: plausible")
    desk.unroute(FEED)

    expect(desk.locator(".last")).to_contain_text("Saved: plausible")
    expect(desk.locator("#trouble")).to_be_hidden()
    assert stored(batch) == [(1, "plausible")]


def test_an_answer_that_was_lost_on_its_way_stores_nothing_twice(desk, batch):
    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    desk.route(FEED, lose, times=1)
    press(desk, "2")

    expect(desk.locator(".last")).to_contain_text("Saved: implausible")
    assert stored(batch) == [(1, "implausible")]
    judge_here(desk, "1", first=2)
    expect(desk.locator(".last")).to_contain_text("Saved: plausible")
    assert_counts_match(batch)


def test_after_a_reload_the_kept_ones_go_out_first_and_do_not_come_again(desk, batch):
    desk.route(FEED, lambda route: route.abort())
    judge_here(desk, "12")
    expect(desk.locator("#trouble")).to_contain_text(f"2 answers are {KEPT}")

    desk.reload()
    # The page begins with what the server holds for the next one: that was judged here.
    expect(desk.locator("#trouble")).to_contain_text(f"2 answers are {KEPT}")
    expect(desk.locator("#judgement")).to_be_hidden()
    desk.unroute(FEED)

    expect_item(desk, 3)
    assert stored(batch) == [(1, "plausible"), (2, "implausible")]


def test_what_was_kept_for_another_batch_goes_out_from_any_desk(desk, study, bob, batch):
    desk.route(FEED, lambda route: route.abort())
    press(desk, "3")
    expect(desk.locator("#trouble")).to_contain_text(KEPT)
    other = batch_of(study, n=4, judgements_per_item=3)
    guideline_readings.confirm(batch=other, by=bob)
    desk.unroute(FEED)

    desk.goto(address("desk", other))

    expect_item(desk, 1)
    expect(desk.locator("#judgement")).to_be_visible()
    judge_here(desk, "1")
    expect_saved(desk)
    assert stored(batch) == [(1, "malformed")]
    assert stored_labels(other) == ["plausible"]


@pytest.mark.parametrize("when", ["from the beginning", "midway"])
def test_a_browser_that_keeps_nothing_warns_before_the_page_goes(opened, calm, batch, when):
    if when == "from the beginning":
        calm.add_init_script(WITHOUT_STORAGE)
    desk = opened(calm)
    if when == "midway":
        desk.evaluate("() => { IDBDatabase.prototype.transaction = () => { throw Error('full') } }")
    judge_here(desk, "1")
    expect(desk.locator(".last")).to_contain_text("Saved: plausible")
    desk.route(FEED, lambda route: route.abort())
    judge_here(desk, "23", first=2)
    expect(desk.locator("#trouble")).to_contain_text("leave the page open until everything is sent")

    asked = []
    desk.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    desk.evaluate("location.href = '/work/'")
    desk.wait_for_timeout(200)
    desk.unroute(FEED)

    expect(desk.locator(".last")).to_contain_text("Saved: malformed")
    assert asked == ["beforeunload"]
    assert stored(batch) == [(1, "plausible"), (2, "implausible"), (3, "malformed")]


def test_a_browser_that_keeps_them_lets_the_page_go(desk, batch):
    desk.route(FEED, lambda route: route.abort())
    press(desk, "1")
    expect(desk.locator("#trouble")).to_contain_text(KEPT)
    asked = []
    desk.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))

    desk.goto(reverse("work"))

    assert asked == []


def test_one_that_the_server_cannot_read_is_told_and_keeps_nobody_up(desk, context, batch):
    def read(route: Route) -> None:
        if "unreadable" not in str(route.request.post_data):
            return route.continue_()
        return route.fulfill(status=400, json={"error": "the comment is not a text"})

    desk.route(FEED, read)
    context.set_offline(True)
    judge_here(desk, "1")
    expect_item(desk, 2)
    press(desk, "c")
    desk.keyboard.type("unreadable")
    press(desk, "Escape")
    judge_here(desk, "23", first=2)
    expect_item(desk, 4)

    context.set_offline(False)

    expect(desk.locator("#notes li")).to_contain_text(
        "“implausible” was not saved: the comment is not a text."
    )
    expect(desk.locator(".last")).to_contain_text("Saved: malformed")
    expect(desk.locator("#trouble")).to_be_hidden()
    assert stored(batch) == [(1, "plausible"), (3, "malformed")]


# Signed out


@pytest.mark.smoke
def test_after_the_session_ended_one_signs_in_again_and_nothing_is_lost(
    desk, context, batch, bob, sign_in
):
    context.clear_cookies()
    judge_here(desk, "12")
    expect(desk.locator("#trouble")).to_contain_text(SIGNED_OUT)
    expect(desk.locator("#trouble")).to_contain_text(f"2 answers are {KEPT}")
    assert axe.violations(desk) == []
    bob.set_password("lighthouse-keeper")
    bob.save()

    with context.expect_page() as found:
        desk.get_by_role("link", name="Sign in, in a new tab").click()
    signing_in = found.value
    signing_in.get_by_label("User name").fill("bob")
    signing_in.get_by_label("Password").fill("lighthouse-keeper")
    signing_in.get_by_role("button", name="Sign in").click()

    # Whichever tab comes first sends them; both go on with the third item.
    expect_item(signing_in, 3)
    expect_item(desk, 3)
    expect(desk.locator("#trouble")).to_be_hidden()
    expect(desk.locator(".last")).to_contain_text("Saved: implausible")
    assert stored(batch) == [(1, "plausible"), (2, "implausible")]
    signing_in.close()
    judge_here(desk, "3", first=3)
    expect(desk.locator(".last")).to_contain_text("Saved: malformed")


def test_a_page_that_came_with_an_item_that_was_judged_meanwhile_goes_on_by_itself(
    opened, calm, batch, bob, sign_in
):
    """The server made the page before, and the browser has it after, another tab delivered."""

    def judged_on_the_way(route: Route) -> None:
        made = route.fetch()
        submit(Assignment.objects.filter(annotator=bob).earliest("pk"), "plausible")
        route.fulfill(response=made)

    calm.route(address("desk", batch), judged_on_the_way, times=1)

    opened(calm)

    expect_item(calm, 2)
    expect(calm.locator("#hint")).to_contain_text("in another tab or on another device")
    judge_here(calm, "1", first=2)
    expect_item(calm, 3)


def test_a_token_that_has_expired_is_fetched_anew(desk, context, batch):
    context.clear_cookies(name=settings.CSRF_COOKIE_NAME)

    press(desk, "1")

    expect(desk.locator(".last")).to_contain_text("Saved: plausible")
    press(desk, "z")  # a plain form, with the fresh token
    expect(desk.get_by_text("Undone. Your answer was “plausible”")).to_be_visible()


def test_nobody_sends_or_sees_what_another_person_judged_in_this_browser(
    desk, context, batch, bob, dora, sign_in, live_server
):
    guideline_readings.confirm(batch=batch, by=dora)
    desk.route(FEED, lambda route: route.abort())
    judge_here(desk, "12")
    expect(desk.locator("#trouble")).to_contain_text(f"2 answers are {KEPT}")
    sign_in(dora)

    of_dora = context.new_page()
    set_beat(of_dora, 0)
    of_dora.goto(address("desk", batch))
    desk.unroute(FEED)
    desk.evaluate("dispatchEvent(new Event('online'))")

    expect(desk.locator("#trouble")).to_contain_text("dora is signed in on this device now")
    expect(of_dora.locator("#trouble")).to_be_hidden()
    press(of_dora, "3")
    expect(of_dora.locator(".last")).to_contain_text("Saved: malformed")
    assert Judgement.objects.get().assignment.annotator == dora
    sign_in(bob)
    desk.evaluate("dispatchEvent(new Event('online'))")
    expect(desk.locator(".last")).to_contain_text("Saved: implausible")
    assert Judgement.objects.filter(assignment__annotator=bob).count() == 2


def test_who_has_no_desk_any_more_is_told_so(desk, study, bob, alice):
    study.memberships.filter(user=bob).delete()

    press(desk, "1")

    expect(desk.locator("#trouble")).to_contain_text("This batch is not open to you any more.")
    expect(desk.locator("#trouble")).to_contain_text("1 answer is saved on this device")


# Several tabs, several devices


def test_two_tabs_judge_every_item_once(opened, context, calm, batch):
    first, second = opened(calm), opened(context.new_page())
    for number in range(1, 9):
        here, there = (first, second) if number % 2 else (second, first)
        expect_item(there, number)
        judge_here(here, "1", first=number)
        expect_item(there, number + 1)

    for each in (first, second):
        expect_done(each, 8, 30)
        expect_saved(each)
    assert sorted(stored(batch)) == [(number, "plausible") for number in range(1, 9)]
    expect(first.locator("#notes")).to_be_hidden()
    assert_counts_match(batch)


def test_two_tabs_without_a_network_send_everything_once(opened, context, calm, batch):
    first, second = opened(calm), opened(context.new_page())
    context.set_offline(True)
    judge_here(first, "12")
    expect_item(second, 3)
    judge_here(second, "3", first=3)
    expect(first.locator("#trouble")).to_contain_text("3 answers are saved")

    context.set_offline(False)

    for each in (first, second):
        expect_saved(each)
        expect(each.locator("#trouble")).to_be_hidden()
    assert stored(batch) == [(1, "plausible"), (2, "implausible"), (3, "malformed")]


@pytest.fixture
def second_device(browser: Browser, context: BrowserContext, live_server, opened, desk) -> Page:
    """The same desk on another device."""
    other = browser.new_context(
        base_url=live_server.url, viewport=PHONE, storage_state=context.storage_state()
    )
    yield opened(other.new_page())
    other.close()


def test_the_same_judgement_from_two_devices_counts_as_saved(desk, second_device, batch):
    press(desk, "1")
    expect_saved(desk)

    press(second_device, "1")

    expect(second_device.locator(".last")).to_contain_text("Saved: plausible")
    expect(second_device.locator("#notes")).to_be_hidden()
    assert stored(batch) == [(1, "plausible")]


def test_another_judgement_from_another_device_is_told_until_it_is_dismissed(
    desk, second_device, batch
):
    press(desk, "1")
    expect_saved(desk)

    press(second_device, "2")

    note = second_device.locator("#notes li")
    expect(note).to_contain_text("“implausible” was not saved")
    expect(note).to_contain_text("you answered “plausible” before")
    expect_item(second_device, 2)
    expect_done(second_device, 1, 30)
    assert axe.violations(second_device) == []
    assert not scrolls_sideways(second_device)
    second_device.reload()
    expect(note).to_have_count(1)
    note.get_by_role("button", name="Dismiss").click()
    expect(note).to_have_count(0)
    second_device.reload()
    expect(second_device.locator("#judgement")).to_be_visible()
    expect(note).to_have_count(0)
    assert stored(batch) == [(1, "plausible")]


def test_notes_are_read_before_the_page_goes_at_the_end(study, bob, sign_in, page):
    batch = batch_of(study, n=1)
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    set_beat(page, 0)
    with page.expect_response(FEED):
        page.goto(address("desk", batch))
    submit(Assignment.objects.get(), "malformed")  # elsewhere

    press(page, "1")

    expect(page.locator("#notes li")).to_contain_text("you answered “malformed” before")
    expect(page.get_by_text("Nothing more is at hand.")).to_be_visible()
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_role("heading", name="You have finished this batch")).to_be_visible()


def test_a_judgement_that_came_late_is_told(desk, batch):
    held = Assignment.objects.get(item__position=1)
    Assignment.objects.filter(pk=held.pk).update(expires_at=timezone.now())
    claims.expire_lapsed(batch=batch, now=timezone.now())
    type(held.item).objects.filter(pk=held.item_id).update(n_open=0)

    press(desk, "1")

    expect(desk.locator("#notes li")).to_contain_text("Saved after the time limit")
    expect(desk.locator(".last")).to_contain_text("Saved: plausible")


def test_an_item_that_was_skipped_elsewhere_is_told(desk, batch, bob):
    held = Assignment.objects.get(item__position=1)
    judgements.skip(assignment=held, reason="no idea", by=bob)

    press(desk, "1")

    expect(desk.locator("#notes li")).to_contain_text("You skipped this item")
    expect(desk.locator(".last")).to_be_hidden()


# Pressed twice


def test_a_digit_that_is_pressed_twice_judges_one_item(context, calm, opened, batch, page):
    calm.add_init_script("localStorage['touchstone.desk'] = '{\"beat\": 100}'")
    desk = opened(calm)
    desk.evaluate(
        """() => new MutationObserver((_, observer) => {
            observer.disconnect();
            const pressed = {key: "1", code: "Digit1", bubbles: true};
            document.body.dispatchEvent(new KeyboardEvent("keydown", pressed));
            document.body.dispatchEvent(new KeyboardEvent("keyup", pressed));
            window.pressedAtOnce = true;
        }).observe(document.querySelector("#judged"), {childList: true})"""
    )
    press(desk, "1")
    desk.wait_for_timeout(50)
    desk.keyboard.press("1")
    expect_item(desk, 2)
    desk.wait_for_timeout(500)

    assert desk.evaluate("window.pressedAtOnce")
    expect_item(desk, 2)
    expect(desk.get_by_role("radio", checked=True)).to_have_count(0)
    assert stored(batch) == [(1, "plausible")]


def test_a_key_that_stays_down_judges_one_item_though_it_seems_pressed_anew(desk, batch):
    desk.keyboard.down("1")
    expect_item(desk, 2)
    down = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '1', code: 'Digit1', bubbles: true}))"
    for _ in range(3):
        desk.evaluate(down)
    desk.keyboard.up("1")
    expect_saved(desk)
    expect_item(desk, 2)
    assert stored(batch) == [(1, "plausible")]

    press(desk, "1")
    expect_item(desk, 3)


def test_a_double_click_on_submit_judges_one_item(desk, batch):
    desk.get_by_role("radio").first.check()
    desk.get_by_role("button", name="Submit").dblclick()

    expect_saved(desk)
    expect_item(desk, 2)
    expect(desk.locator("#missing")).to_be_hidden()
    assert stored(batch) == [(1, "plausible")]


# Taking back


def test_what_was_not_sent_yet_is_taken_back_here(desk, context, batch):
    context.set_offline(True)
    press(desk, "c")
    desk.keyboard.type("a thought")
    press(desk, "Escape")
    judge_here(desk, "11")
    expect_item(desk, 3)
    press(desk, "z")
    expect_item(desk, 2)
    press(desk, "z")
    expect_item(desk, 1)

    expect(desk.locator("#hint")).to_contain_text("Undone. Your answer was “plausible”.")
    expect(desk.get_by_role("radio", checked=True)).to_have_count(0)
    expect(desk.get_by_label("Comment")).to_have_value("a thought")
    expect(desk.locator(".progress")).to_contain_text("0 of 30")
    judge_here(desk, "231")
    context.set_offline(False)
    expect_saved(desk)
    assert stored(batch) == [(1, "implausible"), (2, "malformed"), (3, "plausible")]
    assert not Judgement.objects.exclude(withdrawal=None).exists()
    assert Judgement.objects.get(assignment__item__position=1).comment == "a thought"


def test_what_the_server_may_have_is_taken_back_there(desk, batch):
    held_back: list[Route] = []
    desk.route(FEED, lambda route: held_back.append(route))
    with desk.expect_request(FEED):
        judge_here(desk, "1")
    expect_item(desk, 2)
    press(desk, "z")
    expect(desk.locator("#said")).to_have_text("Undoing…")
    press(desk, "2")  # the page is about to go
    expect_item(desk, 2)
    held_back[0].continue_()
    desk.unroute(FEED)

    expect(desk.get_by_text("Undone. Your answer was “plausible”")).to_be_visible()
    expect_item(desk, 1)
    judge_here(desk, "3")
    expect(desk.locator(".last")).to_contain_text("Saved: malformed")
    assert stored_labels(batch) == ["malformed"]


def test_what_the_server_may_have_without_our_knowing_is_not_taken_back_here(desk, batch):
    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    desk.route(FEED, lose)
    press(desk, "1")
    expect(desk.locator("#trouble")).to_contain_text(KEPT)

    press(desk, "z")

    expect(desk.locator("#hint")).to_contain_text("Undoing has to wait")
    expect_item(desk, 2)
    desk.unroute(FEED)
    expect(desk.locator(".last")).to_contain_text("Saved: plausible")
    assert stored(batch) == [(1, "plausible")]


def test_taking_back_what_is_saved_needs_the_connection(desk, context, batch):
    judge_here(desk, "1")
    expect_saved(desk)
    context.set_offline(True)

    press(desk, "z")

    expect(desk.locator("#hint")).to_have_text("Undoing has to wait until you are online.")
    expect_item(desk, 2)
    context.set_offline(False)
    expect(desk.locator("#trouble")).to_be_hidden()
    press(desk, "z")
    expect(desk.get_by_text("Undone. Your answer was “plausible”")).to_be_visible()


# Skip and flag


@pytest.mark.parametrize(("key", "words"), [("s", "Skipped."), ("f", "Message sent")])
def test_skipping_and_flagging_wait_for_the_connection_and_for_what_was_judged_before(
    desk, context, batch, key, words
):
    context.set_offline(True)
    judge_here(desk, "1")
    expect_item(desk, 2)
    press(desk, key)
    desk.keyboard.type("is this Welsh?")
    send = desk.locator("dialog[open] button.primary")
    send.click()
    expect(desk.locator("dialog[open] .missing")).to_contain_text("What you wrote stays here.")
    assert axe.violations(desk) == []
    context.set_offline(False)
    expect(desk.locator("#trouble")).to_be_hidden()

    send.click()

    expect(desk.get_by_text(words)).to_be_visible()
    assert stored(batch) == [(1, "plausible")]
    told = Assignment.objects.get(item__position=2)
    assert (told.skip_reason or told.flags.get().message) == "is this Welsh?"


# The guidelines


def test_the_guidelines_are_searched_by_keyboard(desk):
    press(desk, "g")
    field = desk.get_by_label("Search in the guidelines")
    field.focus()
    desk.keyboard.type("O")
    places = desk.locator(".guideline mark")
    n = places.count()
    assert n > 3
    expect(desk.locator("#found")).to_have_text(f"Place 1 of {n}")
    press(desk, "Enter", "Enter", "Shift+Enter")
    expect(desk.locator("#found")).to_have_text(f"Place 2 of {n}")
    expect(desk.locator("mark.at")).to_have_count(1)
    assert axe.violations(desk) == []
    field.fill("the question")
    expect(desk.locator("#found")).to_have_text("1 place")
    field.fill("(nowhere")
    expect(desk.locator("#found")).to_have_text("“(nowhere” is not in the guidelines.")
    field.fill("")
    expect(places).to_have_count(0)
    expect(desk.locator("#found")).to_have_text("")


# For everybody


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_what_is_in_the_way_stands_where_nothing_moves_and_has_no_violation(desk, context, size):
    desk.set_viewport_size(size)
    first = desk.get_by_role("radio").first
    before = first.bounding_box()
    context.set_offline(True)
    desk.evaluate("dispatchEvent(new Event('online'))")
    judge_here(desk, "1")
    expect(desk.locator("#trouble")).to_be_visible()

    assert first.bounding_box() == before
    assert axe.violations(desk) == []
    assert not scrolls_sideways(desk)
    judge_here(desk, "1111", first=2)
    expect(desk.locator("#waiting")).to_be_visible()
    assert axe.violations(desk) == []
    assert not scrolls_sideways(desk)


def test_each_item_has_its_own_active_time(opened, calm, batch):
    calm.clock.install()
    desk = opened(calm)
    sent = feeds(desk)
    for number, seconds in enumerate([30, 10, 20], start=1):
        expect_item(desk, number)
        desk.clock.run_for(1000 * seconds)
        desk.keyboard.press("1")
        desk.clock.run_for(10)
        expect_saved(desk)

    times = [json.loads(each.post_data or "")["submissions"][0] for each in sent]
    assert [each["active_seconds"] for each in times] == [
        pytest.approx(seconds, abs=4) for seconds in (30, 10, 20)
    ]


def test_an_answer_to_a_flag_comes_while_one_works(desk, batch, bob, alice):
    flag = judgements.flag(
        assignment=Assignment.objects.get(item__position=1), message="Cut off?", by=bob
    )
    flags.answer(flag=flag, text="Judge what is there.", by=alice)

    judge_here(desk, "111")

    expect(desk.locator("#notes li")).to_contain_text("Judge what is there.")
    expect(desk.locator("#notes li")).to_contain_text("Who built the lighthouse")


def test_batches_that_close_meanwhile_take_what_was_fetched(desk, batch, alice):
    batches.close(batch=batch, by=alice)

    judge_here(desk, "1")

    expect(desk.locator(".last")).to_contain_text("Saved: plausible")
    expect(desk.locator("#take-back")).to_be_hidden()
