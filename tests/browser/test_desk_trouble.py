"""What is in the way of saving is seen at once, on every size of screen, and the choice stays under the finger."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from annotation.actions import guideline_readings
from tests.annotation.desk_pages import address
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.hard_items import hard_batch
from tests.browser.test_desk import batch_of, press, set_beat

FEED = re.compile("/feed/$")
SIZES = {"wide": WIDE, "phone": PHONE, "low phone": {"width": 390, "height": 660}}
PLACES = {"the top": "0", "the middle": "300", "the end": "document.body.scrollHeight"}
_IS_SEEN = """(note) => {
    const { top, bottom, left, width } = note.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && note.contains(hit);
}"""


class Desk:
    """A desk on a screen, whose judgements wait on the way until they are lost or sent."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.choice, self.note = page.locator(".choice-bar"), page.locator("#trouble")
        self._waiting: list[Route] = []

    def judge(self) -> None:
        """The next item is there, and the judgement is on its way."""
        self.page.route(FEED, lambda route: self._waiting.append(route))
        press(self.page, "1")
        expect(self.page.locator("#saved")).to_have_text("Sending…")
        expect(self.page.locator(".progress")).to_contain_text("1 of 5")

    def lose(self) -> Locator:
        """The network is away: the note of it."""
        while not self._waiting:
            self.page.wait_for_timeout(20)
        self._waiting.pop(0).abort()
        expect(self.note).to_contain_text("Offline. 1 answer is saved on this device")
        return self.note

    def deliver(self) -> None:
        """The network is back."""
        self.page.unroute(FEED)
        self.page.evaluate("dispatchEvent(new Event('online'))")
        expect(self.note).to_be_hidden()

    def place(self) -> float:
        box = self.choice.bounding_box()
        assert box is not None
        return box["y"]


@pytest.fixture(params=SIZES)
def screen(request, browser: Browser, live_server) -> Iterator[BrowserContext]:
    """A screen of that size. Its console may tell of a network that is away."""
    opened = browser.new_context(
        base_url=live_server.url, viewport=SIZES[request.param], service_workers="block"
    )
    yield opened
    opened.close()


@pytest.fixture
def open_desk(context, screen, sign_in, bob):
    def opened(batch) -> Desk:
        guideline_readings.confirm(batch=batch, by=bob)
        sign_in(bob)
        screen.add_cookies(context.cookies())
        page = screen.new_page()
        set_beat(page, 0)
        with page.expect_response(FEED):  # the items after the first
            page.goto(address("desk", batch))
        return Desk(page)

    return opened


@pytest.mark.parametrize("place", PLACES)
def test_below_a_long_text_it_is_seen_and_the_choice_stays(open_desk, study, place):
    desk = open_desk(hard_batch(study, "plausibility", n=5))
    desk.judge()
    desk.page.evaluate(f"scrollTo(0, {PLACES[place]})")
    before = desk.place()

    note = desk.lose()

    assert note.evaluate(_IS_SEEN)
    assert abs(desk.place() - before) < 1
    desk.deliver()
    assert abs(desk.place() - before) < 1


def test_below_a_short_text_it_is_seen_and_the_choice_stays(open_desk, study):
    desk = open_desk(batch_of(study, n=5))
    desk.judge()
    before = desk.place()

    note = desk.lose()

    assert note.evaluate(_IS_SEEN)
    assert abs(desk.place() - before) < 1
    assert axe.violations(desk.page) == []


def test_it_lies_above_what_is_judged_and_not_over_it(open_desk, study):
    desk = open_desk(hard_batch(study, "plausibility", n=5))
    desk.judge()

    note = desk.lose()
    desk.page.evaluate("scrollTo(0, 0)")

    box, question = note.bounding_box(), desk.page.locator(".question").bounding_box()
    assert box is not None
    assert question is not None
    assert (
        box["y"] + box["height"] <= question["y"] or box["y"] > question["y"] + question["height"]
    )
    assert axe.violations(desk.page) == []
