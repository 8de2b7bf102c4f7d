"""The guideline at the desk: what changed in it, and the search through it."""

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.actions import guideline_readings
from annotation.models import Batch
from tests.annotation.desk_pages import address
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.test_desk import batch_of, expect_done, press, scrolls_sideways
from tests.factories import GuidelineFactory

OLD = """# How to judge

Mind **the bold** question, and mind it *well*.

- One
- Two
- Three
- Four

Look nothing up. A bold guess is no judgement, and mind
the question.
"""
NEW = OLD.replace("*well*", "*very* well") + "\nNever guess.\n"
CHANGED = "The guideline has changed since you read it"


@pytest.fixture
def batch(study, bob) -> Batch:
    """By a guideline that changed since bob read it."""
    for number, text in enumerate((OLD, NEW)):
        made = batch_of(study, n=4, name=f"batch {number}")
        made.guideline = GuidelineFactory(study=study, text=text)
        made.save()
        if text == OLD:
            guideline_readings.confirm(batch=made, by=bob)
    return made


@pytest.fixture
def desk(page, sign_in, bob, batch) -> Page:
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    page.goto(address("desk", batch))
    expect_done(page, 0, 4)
    return page


@pytest.mark.parametrize(("size", "colours"), [(WIDE, "light"), (PHONE, "dark")])
def test_the_change_is_read_before_the_first_item_and_stays_at_hand(
    page, sign_in, bob, batch, size, colours
):
    sign_in(bob)
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=colours)
    page.goto(address("desk", batch))

    banner = page.get_by_role("region", name=CHANGED)
    expect(banner.get_by_role("insertion").filter(has_text="Never guess.")).to_be_visible()
    expect(banner.get_by_role("deletion").filter(has_text="well")).to_be_visible()
    expect(banner.get_by_text("Three", exact=True)).to_be_hidden()
    banner.get_by_text("3 unchanged paragraphs").click()
    expect(banner.get_by_text("Three", exact=True)).to_be_visible()
    assert axe.violations(page) == []
    assert not scrolls_sideways(page)
    page.get_by_role("button", name="I have read it: start").click()
    expect_done(page, 0, 4)
    press(page, "g")
    drawer = page.locator("dialog[open]")
    expect(drawer.get_by_text("Never guess.").last).to_be_visible()
    expect(drawer.get_by_role("insertion")).to_have_count(0)
    drawer.get_by_text(CHANGED).click()
    expect(drawer.get_by_role("insertion").filter(has_text="Never guess.")).to_be_visible()
    assert axe.violations(page) == []
    assert not scrolls_sideways(page)


def test_a_change_is_told_by_more_than_colour(desk):
    press(desk, "g")
    desk.locator("dialog[open]").get_by_text(CHANGED).click()
    lines = {
        name: desk.locator(f".change {name}").last.evaluate(
            "each => getComputedStyle(each).textDecorationLine"
        )
        for name in ("ins", "del")
    }

    assert lines == {"ins": "underline", "del": "line-through"}
    spoken = desk.locator(".change ins").last.text_content() or ""
    assert spoken.startswith("added: ")


def test_without_a_script_the_change_is_read_and_confirmed(
    browser: Browser, live_server, context, sign_in, bob, batch
):
    sign_in(bob)
    plain = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, storage_state=context.storage_state()
    )
    page = plain.new_page()
    page.goto(address("desk", batch))

    expect(page.get_by_role("heading", name=CHANGED)).to_be_visible()
    page.get_by_text("3 unchanged paragraphs").click()
    expect(page.get_by_text("Three", exact=True).first).to_be_visible()
    page.get_by_role("button", name="I have read it: start").click()

    expect(page.get_by_role("button", name="Submit")).to_be_visible()
    expect(page.get_by_text("z to undo")).to_be_hidden()  # no key does without a script
    plain.close()


@pytest.mark.parametrize(
    ("looked", "n", "n_marks"),
    [
        ("bold question", 1, 2),  # out of what is bold
        ("mind the bold", 1, 2),  # into it
        ("d the bold q", 1, 3),  # all of it and more
        ("bold", 2, 2),
        ("mind the question", 1, 1),  # over the end of a line
        ("mind", 3, 3),
        ("One Two", 0, 0),  # two items of a list are two things
        ("judge mind", 0, 0),
    ],
)
def test_a_search_finds_what_runs_across_elements_and_not_across_paragraphs(
    desk, looked, n, n_marks
):
    press(desk, "g")
    text = desk.locator(".guideline")
    before = text.inner_html()
    field = desk.get_by_label("Search in the guidelines")

    field.fill(looked)

    found = {0: f"“{looked}” is not in the guidelines.", 1: "1 place"}.get(n, f"Place 1 of {n}")
    expect(desk.locator("#found")).to_have_text(found)
    expect(text.locator("mark")).to_have_count(n_marks)
    for _ in range(2):
        press(desk, "Enter")
    expect(text.locator("mark.at")).to_have_count(n_marks // n if n else 0)
    field.fill("")
    expect(text.locator("mark")).to_have_count(0)
    assert text.inner_html() == before


def test_a_guideline_that_begins_with_a_list_is_searched(page, sign_in, bob, study):
    batch = batch_of(study, n=2, name="listed")
    batch.guideline = GuidelineFactory(study=study, text="- Mind the question.\n- Guess nothing.\n")
    batch.save()
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    page.goto(address("desk", batch))
    expect_done(page, 0, 2)
    press(page, "g")

    page.get_by_label("Search in the guidelines").fill("guess")

    expect(page.locator("#found")).to_have_text("1 place")
