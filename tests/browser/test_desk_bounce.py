"""A key that bounces or repeats judges one item, also where nothing is waited for after a choice."""

import pytest
from playwright.sync_api import Page, expect

from annotation.actions import guideline_readings
from annotation.models import Batch, Judgement
from tests.annotation.desk_pages import address
from tests.browser.test_desk import batch_of, expect_done, expect_saved, press, set_beat

# Each press says when it was made, so that a busy machine makes no second press of a bounce.
PRESSED = """async ({presses, every, repeat}) => {
    const begun = performance.now();
    const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
    for (let n = 0; n < presses; n++) {
        const key = {key: "1", code: "Digit1", bubbles: true};
        const down = new KeyboardEvent("keydown", {...key, repeat: repeat && n > 0});
        Object.defineProperty(down, "timeStamp", {value: begun + n * every});
        document.body.dispatchEvent(down);
        if (!repeat) document.body.dispatchEvent(new KeyboardEvent("keyup", key));
        await pause(every);
    }
}"""


@pytest.fixture
def batch(study) -> Batch:
    return batch_of(study, n=12)


@pytest.fixture
def desk(page, sign_in, batch, bob) -> Page:
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    set_beat(page, 0)
    with page.expect_response("**/feed/"):  # from then on it judges at once
        page.goto(address("desk", batch))
    expect_done(page, 0, 12)
    return page


@pytest.mark.parametrize("every", [0, 10, 30, 60])
def test_a_key_that_bounces_judges_one_item(desk, every):
    desk.evaluate(PRESSED, {"presses": 2, "every": every, "repeat": False})

    expect_done(desk, 1, 12)
    expect_saved(desk)
    expect(desk.get_by_role("radio", checked=True)).to_have_count(0)
    assert Judgement.objects.count() == 1


def test_a_key_that_repeats_judges_one_item(desk):
    desk.evaluate(PRESSED, {"presses": 40, "every": 30, "repeat": True})

    expect_done(desk, 1, 12)
    expect_saved(desk)
    assert Judgement.objects.count() == 1


def test_a_press_that_waited_for_a_busy_page_counts_by_when_it_was_made(desk):
    """The second press was made for the item before, and is heard of after a long while."""
    desk.evaluate(
        """() => {
            const key = {key: "1", code: "Digit1", bubbles: true};
            const late = new KeyboardEvent("keydown", key);
            document.body.dispatchEvent(new KeyboardEvent("keydown", key));
            document.body.dispatchEvent(new KeyboardEvent("keyup", key));
            setTimeout(() => document.body.dispatchEvent(late), 200);
        }"""
    )
    desk.wait_for_timeout(400)

    expect_done(desk, 1, 12)
    assert Judgement.objects.count() == 1


def test_a_press_for_every_item_judges_every_item(desk):
    for n in range(5):
        expect_done(desk, n, 12)
        press(desk, "1")

    expect_done(desk, 5, 12)
    expect_saved(desk)
    assert Judgement.objects.count() == 5
