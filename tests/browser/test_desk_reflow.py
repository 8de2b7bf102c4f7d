"""The desk enlarged to 200 %, and on a screen of 320 pixels: everything is there, nothing scrolls sideways."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from annotation.actions import guideline_readings
from tests.annotation.desk_pages import address
from tests.browser import axe
from tests.browser.test_desk import batch_of, expect_done, expect_saved, press, set_beat
from tests.browser.test_desk_queue import judge_here
from tests.factories import GuidelineFactory

# 1280 x 1024 at 200 %, and what WCAG 1.4.10 asks for (1280 pixels at 400 %).
SIZES = {
    "200 %": {"viewport": {"width": 640, "height": 512}, "device_scale_factor": 2},
    "320 px": {"viewport": {"width": 320, "height": 640}, "device_scale_factor": 1},
}
LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen" * 2
OLD = f"# How to judge\n\nMind *the question* and `{LONG}`.\n\n- One\n- Two\n- Three\n- Four\n"
NEW = OLD.replace("the question", "every question").replace("Four", LONG)

# What stands beyond an edge, or is cut off by what it stands in. Cut off on purpose is what is for screen
# readers only, and the middle of long answers in the list of the last ten, which has a class of its own.
_WRONG = """() => {
    const found = [];
    const within = document.querySelector("dialog[open]") ?? document.body;
    const clips = ["hidden", "clip"];
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
    for (const each of within.querySelectorAll("*")) {
        if (each.closest(".visually-hidden, .skip, .truncate, svg, [hidden]")) continue;
        const box = each.getBoundingClientRect();
        if (!box.width || !box.height) continue;
        const name = `${each.tagName} ${each.className} “${each.textContent.trim().slice(0, 30)}”`;
        if (box.left < -1 || box.right > innerWidth + 1) found.push(`beyond the edge: ${name}`);
        const style = getComputedStyle(each);
        const [wide, high] = [each.scrollWidth - each.clientWidth, each.scrollHeight - each.clientHeight];
        if (clips.includes(style.overflowX) && wide > 1) found.push(`cut off: ${name}`);
        if (clips.includes(style.overflowY) && high > 1) found.push(`cut off below: ${name}`);
        if (each.scrollWidth > each.clientWidth + 1 && style.overflowX === "auto" && each !== within) {
            found.push(`scrolls by itself: ${name}`);
        }
    }
    return found;
}"""
# The controls that cannot be brought to where a finger or a pointer would hit them.
_OUT_OF_REACH = """() => {
    const found = [];
    const within = document.querySelector("dialog[open]") ?? document.body;
    for (const each of within.querySelectorAll("a[href], button, input, textarea, select, summary")) {
        if (each.closest("[hidden], .skip") || each.type === "hidden" || !each.checkVisibility()) continue;
        each.scrollIntoView({block: "center"});
        const box = each.getBoundingClientRect();
        const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        if (!each.contains(hit) && !hit?.closest("label")?.contains(each)) {
            found.push(`${each.tagName} “${each.textContent.trim()}” lies under ${hit?.outerHTML.slice(0, 80)}`);
        }
    }
    scrollTo(0, 0);
    return found;
}"""


def layout_faults(page: Page) -> list[str]:
    return [*page.evaluate(_WRONG), *page.evaluate(_OUT_OF_REACH)]


@pytest.fixture(params=SIZES)
def small_screen(request, browser, context, live_server) -> Iterator[Page]:
    """A page of bob's on a small screen. Its console may tell of a network that is away."""
    opened = browser.new_context(
        base_url=live_server.url, storage_state=context.storage_state(), **SIZES[request.param]
    )
    yield opened.new_page()
    opened.close()


@pytest.fixture
def signed_in(bob, sign_in) -> None:
    sign_in(bob)


def judge_all_that_is_here(page: Page, first: int) -> None:
    """Without a connection, from item number `first` to the last one that the page has."""
    waiting = page.locator("#waiting:not([hidden])")
    for number in range(first, 9):
        item = page.locator("#judged", has_text=f"Mason number {number},")
        expect(item.or_(waiting)).to_be_visible()
        if waiting.is_visible():
            return
        press(page, "2")


@pytest.mark.parametrize(("has_touch", "are_shown"), [(False, True), (True, False)])
def test_options_show_their_keys_where_there_is_a_keyboard(
    study, bob, signed_in, browser, context, live_server, has_touch, are_shown
):
    batch = batch_of(study, "plausibility", n=1)
    guideline_readings.confirm(batch=batch, by=bob)
    opened = browser.new_context(
        base_url=live_server.url,
        storage_state=context.storage_state(),
        has_touch=has_touch,
        is_mobile=has_touch,
    )
    page = opened.new_page()

    page.goto(address("desk", batch))

    expect(page.locator(".option").first).to_be_visible()
    assert page.locator(".option kbd").first.is_visible() == are_shown
    opened.close()


@pytest.mark.parametrize("scheme", ["plausibility", "faithfulness"])
def test_on_a_small_screen_everything_is_whole_and_in_reach(
    study, bob, signed_in, small_screen, scheme
):
    for text in (OLD, NEW):
        batch = batch_of(study, scheme, n=8, name=f"A batch of {LONG[:60]} {text == NEW}")
        batch.guideline = GuidelineFactory(study=study, scheme=scheme, text=text)
        batch.save()
        if text == OLD:
            guideline_readings.confirm(batch=batch, by=bob)
    page = small_screen
    set_beat(page, 0)

    page.goto(address("desk", batch))
    expect(page.get_by_text("The guideline has changed since you read it")).to_be_visible()
    assert layout_faults(page) == []
    with page.expect_response("**/feed/"):  # from then on it hears the keys
        page.get_by_role("button", name="I have read it").click()
    expect_done(page, 0, 8)
    assert layout_faults(page) == []
    for key in "sfg?":
        press(page, key)
        expect(page.locator("dialog[open]")).to_be_visible()
        for folded in page.locator("dialog[open] summary").all():
            folded.click()
        assert layout_faults(page) == [], key
        press(page, "Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
    press(page, "c")
    page.get_by_text("earlier questions").click()
    assert layout_faults(page) == []
    press(page, "Escape", "1")
    expect_saved(page)
    assert layout_faults(page) == []

    page.context.set_offline(True)
    judge_here(page, "22", first=2)
    expect(page.get_by_role("button", name="Try now")).to_be_visible()
    assert layout_faults(page) == []
    judge_all_that_is_here(page, first=4)
    expect(page.locator("#waiting")).to_be_visible()
    assert layout_faults(page) == []
    assert axe.violations(page) == []
    page.context.set_offline(False)
    expect(page.locator("#judgement")).to_be_visible()
    for name in ("desk_recent", "desk_guidelines"):
        page.goto(address(name, batch))
        expect(page.get_by_role("link", name="Start annotating").last).to_be_visible()
        assert layout_faults(page) == [], name
