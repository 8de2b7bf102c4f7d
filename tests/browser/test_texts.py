"""Texts in a browser: drawn as they were written, in the direction of their letters, and as Markdown where a batch says so."""

import pytest
from playwright.sync_api import Page, expect

from annotation.actions import guideline_readings
from annotation.models import Batch
from annotation.schemes import payloads
from tests.annotation.desk_pages import address
from tests.browser import axe
from tests.browser.conftest import PHONE
from tests.browser.test_desk import expect_saved
from tests.factories import BatchFactory, ItemFactory

CODE = "def lit(year):\n    return year   >=   1702\n\tdone"
MIXED = (
    "بنى البناؤون المنارة عام 1702.\n\nThe masons built it.\n\n- أول\n- ثان\n\n"
    "| سنة البناء | who built it |\n| --- | --- |\n| ١٧٠٢ | masons |\n\n```\nx = lit(1702)\n```\n"
)

# Where the words of an element begin and end: the box around its text, not around the element.
EDGES = """element => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const text = range.getBoundingClientRect(), box = element.getBoundingClientRect();
    return [text.left - box.left, box.right - text.right];
}"""
# The width of the text from one place to another.
WIDTH = """(element, [start, end]) => {
    const range = document.createRange();
    range.setStart(element.firstChild, start);
    range.setEnd(element.firstChild, end);
    return range.getBoundingClientRect().width;
}"""


def batch_of(study, *answers: str, scheme="plausibility", **fields) -> Batch:
    made = BatchFactory(pool__dataset__study=study, scheme=scheme, **fields)
    for position, text in enumerate(answers, start=1):
        content = payloads.payload(
            question="Who  built\tit?", context=[], answers=[text], evidence=None
        )
        ItemFactory(batch=made, position=position, payload=content)
    return made


@pytest.fixture
def open_desk(page, sign_in, bob):
    def opened(batch: Batch) -> Page:
        guideline_readings.confirm(batch=batch, by=bob)
        sign_in(bob)
        page.goto(address("desk", batch))
        page.wait_for_load_state()
        return page

    return opened


def test_indentation_tabs_and_runs_of_spaces_are_drawn(study, open_desk):
    page = open_desk(batch_of(study, CODE))
    answer = page.locator(".response .as-written")

    line = CODE.index("    return")
    assert answer.evaluate(WIDTH, [line, line + 4]) > 12
    run = CODE.index("   >=")
    space = answer.evaluate(WIDTH, [run, run + 1])
    assert answer.evaluate(WIDTH, [run, run + 3]) == pytest.approx(3 * space, abs=0.5)
    tab = CODE.index("\t")
    assert answer.evaluate(WIDTH, [tab, tab + 1]) > 2 * space
    assert answer.inner_text() == CODE


def test_a_long_token_wraps_on_a_phone(study, open_desk):
    page = open_desk(batch_of(study, "x" * 900, "| a |\n| - |\n| " + "y" * 900 + " |"))
    page.set_viewport_size(PHONE)

    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_markdown_with_long_code_and_tables_wraps_on_a_phone(study, open_desk):
    text = f"```\n{'z' * 900}\n```\n\n| a | b |\n| - | - |\n| {'y' * 300} | `{'x' * 300}` |"
    page = open_desk(batch_of(study, text, shows_markdown=True))
    page.set_viewport_size(PHONE)

    expect(page.locator(".markdown table")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_one_key_shows_the_answer_as_it_was_written_and_back(study, open_desk):
    page = open_desk(batch_of(study, "It was **1702**.", "**1703**", shows_markdown=True))
    drawn, written = page.locator(".markdown"), page.locator(".source .as-written")
    expect(drawn).to_have_text("It was 1702.")
    expect(written).to_be_hidden()

    page.keyboard.press("w")

    expect(written).to_have_text("It was **1702**.")
    expect(drawn).to_be_hidden()
    expect(page.locator("#said")).to_have_text("Answers as they were written.")
    page.keyboard.press("w")
    expect(drawn).to_be_visible()
    expect(written).to_be_hidden()


def test_the_next_item_that_was_fetched_ahead_is_markdown_again(study, open_desk):
    page = open_desk(batch_of(study, "**one**", "**two**", shows_markdown=True))
    page.keyboard.press("w")
    expect(page.locator(".markdown")).to_be_hidden()
    shown = page.locator(".markdown").inner_html()

    page.get_by_role("radio").first.check()
    page.get_by_role("button", name="Submit").click()

    expect(page.locator(".markdown")).to_be_visible()
    assert page.locator(".markdown").inner_html() != shown
    expect_saved(page)


def test_the_switch_works_by_mouse_without_a_script(
    browser, live_server, study, bob, sign_in, context
):
    batch = batch_of(study, "**one**", shows_markdown=True)
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    plain = browser.new_context(
        base_url=live_server.url,
        java_script_enabled=False,
        storage_state=context.storage_state(),
    )
    page = plain.new_page()
    page.goto(address("desk", batch))

    page.get_by_text("Show as written").click()

    expect(page.locator(".source .as-written")).to_have_text("**one**")
    expect(page.locator(".markdown")).to_be_hidden()
    plain.close()


def test_each_line_list_and_cell_has_its_direction_and_code_goes_from_left_to_right(
    study, open_desk
):
    page = open_desk(batch_of(study, MIXED, shows_markdown=True))
    drawn = page.locator(".markdown")

    def is_at_the_right(selector: str, nth: int = 0) -> bool:
        left, right = drawn.locator(selector).nth(nth).evaluate(EDGES)
        return left > right

    assert is_at_the_right("> p", 0)
    assert not is_at_the_right("> p", 1)
    assert is_at_the_right("li")
    assert drawn.locator("ul").evaluate("each => getComputedStyle(each).direction") == "rtl"
    assert drawn.locator("table").evaluate("each => getComputedStyle(each).direction") == "rtl"
    table, box = drawn.locator("table").bounding_box(), drawn.bounding_box()
    assert table["x"] + table["width"] == pytest.approx(box["x"] + box["width"], abs=1)
    assert is_at_the_right("td", 0)
    assert is_at_the_right("td", 1)
    assert drawn.locator("pre").evaluate("each => getComputedStyle(each).direction") == "ltr"


def test_lines_of_a_text_as_it_was_written_have_their_own_directions(study, open_desk):
    page = open_desk(batch_of(study, "The masons.\nبنى البناؤون المنارة.\nThen oil."))
    answer = page.locator(".response .as-written")
    box = answer.bounding_box()
    places = answer.evaluate("""element => {
        const text = element.firstChild;
        let from = 0;
        return text.data.split("\\n").map(line => {
            const range = document.createRange();
            range.setStart(text, from);
            range.setEnd(text, from + line.length);
            from += line.length + 1;
            return range.getBoundingClientRect().left;
        });
    }""")

    assert places[0] == pytest.approx(box["x"], abs=1)
    assert places[1] > box["x"] + box["width"] / 2
    assert places[2] == pytest.approx(box["x"], abs=1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_a_batch_that_shows_markdown(study, open_desk, scheme):
    page = open_desk(batch_of(study, f"# Masons\n\n{MIXED}", shows_markdown=True))
    page.emulate_media(color_scheme=scheme)

    assert axe.violations(page) == []
    page.keyboard.press("w")
    expect(page.locator(".markdown")).to_be_hidden()
    assert axe.violations(page) == []


def test_nothing_of_an_answer_is_fetched(study, open_desk):
    asked: list[str] = []
    text = "![m](http://elsewhere.example/m.png) <img src=http://elsewhere.example/x> [a](http://elsewhere.example)"
    batch = batch_of(study, text, shows_markdown=True)

    page = open_desk(batch)
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.wait_for_load_state("networkidle")

    assert asked
    assert not [url for url in asked if "elsewhere" in url]
    assert page.locator(".markdown :is(a, img)").count() == 0
