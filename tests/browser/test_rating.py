"""Sheets in a browser: a rating with the hidden passage, and the relevance of passages."""

import pytest
from playwright.sync_api import Page, expect

from annotation.actions import judgements
from annotation.models import Batch, Judgement
from tests.annotation.desk_pages import address
from tests.annotation.sheets import PASSAGES, batch_of_sheets, content
from tests.browser.conftest import PHONE, WIDE
from tests.browser.focus import assert_visible
from tests.browser.test_review import looked_at
from tests.browser.waiting import wait_until

MOMENT = 100  # milliseconds; a digit that comes sooner is a key that bounces
FIRST_LOOK = 250  # no digit is for an item, or a part of it, that came sooner
IN_A_PASSAGE = PASSAGES[0]["sentences"][0]


def go_to(page: Page, sign_in, batch: Batch, bob) -> list[int]:
    """Open the desk. Return the numbers of the answers in their order on it."""
    sign_in(bob)
    page.goto(address("desk", batch))
    page.wait_for_timeout(FIRST_LOOK)
    held = batch.items.get(position=1).assignments.get(annotator=bob)
    return judgements.screen_order(held, batch)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.wait_for_timeout(MOMENT)
        page.keyboard.press(key)


def focused_question(page: Page) -> str:
    """The question that has the focus; one sees that."""
    assert_visible(page)
    return page.evaluate(
        "document.activeElement.closest('[data-question]')?.dataset.question ?? ''"
    )


def expect_at_text(page: Page) -> None:
    """No question has the focus: one reads."""
    wait_until(page, "document.activeElement.matches('body, #judged')")


def press_in_sight(page: Page, question: str, key: str) -> None:
    """Once the question is in sight: before, a key only leads there."""
    page.locator(f"[data-question='{question}'] label").first.scroll_into_view_if_needed()
    press(page, key)


def expect_left(page: Page, words: str) -> None:
    expect(page.locator("#left")).to_have_text(words)


def expect_next_item(page: Page, stored: int = 1) -> None:
    expect(page.locator(".progress")).to_contain_text(f"{stored} of 2")
    expect(page.locator(".last:not(.is-sending)")).to_contain_text("Saved: your ")


@pytest.mark.parametrize("window", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_rating_by_keyboard_alone_with_the_passages_hidden_until_they_may_be_seen(
    page, sign_in, study, bob, window
):
    page.set_viewport_size(window)
    batch = batch_of_sheets(study, payload=content(3, 2), n=2)
    first, second, third = go_to(page, sign_in, batch, bob)
    passage = page.get_by_text(IN_A_PASSAGE)

    # Without the passage: what is ticked is of the answer that one is at.
    assert IN_A_PASSAGE not in page.content()
    expect_left(page, "4 questions left")
    expect_at_text(page)
    press(page, "3")
    assert focused_question(page) == f"appropriate.{first}"
    press(page, "d", "i", "i", "2", "4")
    assert focused_question(page) == f"appropriate.{third}"
    press(page, "Enter")
    expect(page.locator("fieldset.wrong")).to_contain_text("Not answered yet.")
    assert IN_A_PASSAGE not in page.content()
    press(page, "ArrowUp", "ArrowUp", "1", "3")  # the second one anew
    expect_left(page, "All answered")
    expect(page.get_by_role("button", name="Show the passages")).to_be_focused()
    press(page, "Enter")

    # With the passages; what was said before stays.
    expect(passage).to_be_visible()
    expect(page.locator(".part-name:visible")).to_contain_text("Your answers to part 1 are locked.")
    expect(page.locator(f"input[name='appropriate.{first}']").first).to_be_disabled()
    expect_left(page, "5 questions left")
    expect_at_text(page)
    page.wait_for_timeout(FIRST_LOOK)
    press_in_sight(page, "relevant.1", "y")
    press_in_sight(page, "relevant.2", "n")
    assert focused_question(page) == f"faithful.{first}"
    press(page, "4")
    assert focused_question(page) == f"supports.{first}"
    press(page, "Enter")
    expect(page.locator("fieldset.wrong").first).to_contain_text("Which passages support it?")
    press(page, "1", "2", "1", "Enter")
    assert focused_question(page) == f"faithful.{second}"
    press(page, "2", "1")
    expect_left(page, "All answered: ready to submit")
    expect(page.get_by_role("button", name="Submit")).to_be_focused()
    press(page, "Enter")

    expect_next_item(page)
    expect(passage).to_have_count(0)
    stored = Judgement.objects.get()
    assert stored.order == [first, second, third]
    assert stored.response == {
        "confidence": "3",
        f"appropriate.{first}": "2",
        f"unknown.{first}": "yes",
        f"appropriate.{second}": "1",
        f"appropriate.{third}": "3",
        "relevant.1": "relevant",
        "relevant.2": "irrelevant",
        f"faithful.{first}": "4",
        f"supports.{first}.2": "yes",
        f"faithful.{second}": "2",
        f"faithful.{third}": "1",
    }


HEARD_LATE = """(ago) => {
    for (const [key, milliseconds] of ago) {
        const down = new KeyboardEvent("keydown", {key, code: `Digit${key}`, bubbles: true});
        Object.defineProperty(down, "timeStamp", {value: performance.now() - milliseconds});
        document.activeElement.dispatchEvent(down);
        document.activeElement.dispatchEvent(new KeyboardEvent("keyup", {key, code: `Digit${key}`, bubbles: true}));
    }
}"""


def test_digits_that_a_busy_page_hears_of_late_all_count_and_one_that_bounces_does_not(
    page, sign_in, study, bob
):
    batch = batch_of_sheets(study, payload=content(3, 1))
    first, second, third = go_to(page, sign_in, batch, bob)
    page.wait_for_timeout(300)

    page.evaluate(HEARD_LATE, [["3", 250], ["2", 130], ["2", 100], ["4", 0]])

    chosen = page.locator("input:checked[type=radio]")
    expect(chosen).to_have_count(3)
    names = chosen.evaluate_all("all => all.map(each => [each.name, each.value])")
    assert names == [
        ["confidence", "3"],
        [f"appropriate.{first}", "2"],
        [f"appropriate.{second}", "4"],
    ]
    assert focused_question(page) == f"appropriate.{third}"


def choose(page: Page, question: str, value: str) -> None:
    """By mouse or finger: what is seen of an option is its label."""
    inputs = page.locator(f"[data-question='{question}'] label:has(input[value='{value}'])")
    inputs.first.click()


def test_a_rating_by_touch_outlasts_a_reload_and_comes_filled_in_when_it_is_taken_back(
    page, sign_in, study, bob
):
    page.set_viewport_size(PHONE)
    batch = batch_of_sheets(study, payload=content(2, 1), n=2)
    first, second = go_to(page, sign_in, batch, bob)
    looked_at(page, "part 1")
    page.set_viewport_size(PHONE)
    choose(page, "confidence", "2")
    choose(page, f"appropriate.{first}", "4")
    choose(page, f"is.{second}", "yes")
    page.get_by_role("button", name="Show the passage").click()
    expect(page.locator("#missing")).to_have_text(
        "1 question not answered yet, marked above: nothing is saved yet."
    )
    choose(page, f"appropriate.{second}", "1")
    expect(page.locator("#missing")).to_be_hidden()
    page.get_by_role("button", name="Show the passage").click()
    expect(page.get_by_text(IN_A_PASSAGE)).to_be_visible()
    choose(page, f"faithful.{first}", "3")

    page.reload()

    expect(page.get_by_text(IN_A_PASSAGE)).to_be_visible()
    expect_left(page, "1 question left")
    looked_at(page, "part 2")
    page.set_viewport_size(PHONE)
    choose(page, f"faithful.{second}", "1")
    page.get_by_role("button", name="Submit").click()
    expect_next_item(page)
    said = {
        "confidence": "2",
        f"appropriate.{first}": "4",
        f"appropriate.{second}": "1",
        f"unknown.{second}": "yes",
        f"faithful.{first}": "3",
        f"faithful.{second}": "1",
    }
    assert Judgement.objects.get().response == said

    page.get_by_role("button", name="Undo", exact=True).click()

    expect(page.get_by_text("Your answers are filled in")).to_be_visible()
    expect_left(page, "All answered: ready to submit")
    choose(page, f"faithful.{first}", "2")
    page.get_by_role("button", name="Submit").click()
    expect_next_item(page)
    judgement = Judgement.objects.not_withdrawn().get()
    assert judgement.response == said | {f"faithful.{first}": "2"}


def test_what_is_said_without_a_connection_goes_out_later_and_comes_filled_in_when_taken_back(
    context, sign_in, study, bob
):
    page = context.new_page()  # its console tells of a network that is away
    batch = batch_of_sheets(study, "relevance", payload=content(0, 2), n=2)
    go_to(page, sign_in, batch, bob)
    page.wait_for_load_state("networkidle")  # the second item is at hand
    context.set_offline(True)
    press(page, "y", "n", "Enter")
    expect(page.locator(".last")).to_contain_text("Not saved yet: your choice of passages")

    page.wait_for_timeout(FIRST_LOOK)
    press(page, "z")

    expect(page.locator("#hint")).to_contain_text("Your answers are filled in")
    expect_left(page, "All answered: ready to submit")
    page.wait_for_timeout(FIRST_LOOK)
    press(page, "n")
    expect(page.get_by_role("button", name="Submit")).to_be_focused()
    press(page, "Enter")
    context.set_offline(False)
    expect_next_item(page)
    assert Judgement.objects.get().response == {
        "relevant.1": "irrelevant",
        "relevant.2": "irrelevant",
    }


def test_without_a_connection_the_passages_come_when_it_returns(context, sign_in, study, bob):
    page = context.new_page()  # its console tells of a network that is away
    batch = batch_of_sheets(study, payload=content(1, 1))
    go_to(page, sign_in, batch, bob)
    page.wait_for_load_state("networkidle")
    context.set_offline(True)
    press(page, "3", "2", "Enter")
    expect(page.locator("#trouble")).to_contain_text(
        "Offline. This page continues when you are online."
    )
    press(page, "Enter", "4")  # it is on its way: nothing is asked twice, and nothing is changed

    context.set_offline(False)

    expect(page.get_by_text(IN_A_PASSAGE)).to_be_visible()
    expect(page.locator("#trouble")).to_be_hidden()
    expect_left(page, "1 question left")
    page.wait_for_timeout(FIRST_LOOK)
    expect_at_text(page)
    press(page, "4", "Enter")
    expect(page.get_by_role("heading", name="You have finished this batch")).to_be_visible()
    assert Judgement.objects.get().response["confidence"] == "3"


def test_in_another_tab_one_is_where_one_was_and_cannot_begin_again(context, sign_in, study, bob):
    batch = batch_of_sheets(study, payload=content(1, 1))
    one = context.new_page()
    (first,) = go_to(one, sign_in, batch, bob)
    other = context.new_page()
    other.goto(address("desk", batch))
    other.wait_for_timeout(FIRST_LOOK)
    press(other, "1", "1")
    press(one, "3", "2", "Enter")
    expect(one.get_by_text(IN_A_PASSAGE)).to_be_visible()

    press(other, "Enter")

    expect(other.get_by_text(IN_A_PASSAGE)).to_be_visible()
    expect(other.locator("input[name='confidence'][value='3']")).to_be_checked()
    other.wait_for_timeout(FIRST_LOOK)
    press(other, "4", "Enter")
    expect(other.get_by_role("heading", name="You have finished this batch")).to_be_visible()
    stored = Judgement.objects.get().response
    assert stored == {"confidence": "3", f"appropriate.{first}": "2", f"faithful.{first}": "4"}


def test_a_comment_that_is_being_written_goes_on_when_the_passages_come(
    context, sign_in, study, bob
):
    page = context.new_page()  # its console tells of a network that is away
    batch = batch_of_sheets(study, payload=content(1, 1))
    go_to(page, sign_in, batch, bob)
    page.wait_for_load_state("networkidle")
    context.set_offline(True)
    press(page, "3", "2", "Enter", "c")
    page.keyboard.type("Which ")

    context.set_offline(False)
    expect(page.get_by_text(IN_A_PASSAGE)).to_be_visible()
    page.keyboard.type("lighthouse, s or z?")

    expect(page.get_by_label("Comment")).to_have_value("Which lighthouse, s or z?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect_left(page, "1 question left")


def test_what_was_skipped_elsewhere_meanwhile_shows_no_passage(page, sign_in, study, bob):
    """Also where as many items are at hand as may be, so that no other answer of the server tells of it."""
    batch = batch_of_sheets(study, payload=content(1, 1), n=8, prefetch_depth=2)
    go_to(page, sign_in, batch, bob)
    page.wait_for_load_state("networkidle")
    held = batch.items.get(position=1).assignments.get(annotator=bob)
    judgements.skip(assignment=held, reason="elsewhere", by=bob)

    press(page, "3", "2", "Enter")

    expect(page.locator("#hint")).to_contain_text("You answered that item in another tab")
    expect(page.locator("#the-question")).to_contain_text("(2)")
    assert IN_A_PASSAGE not in page.content()


@pytest.mark.parametrize("status", [200, 400])
def test_what_the_server_does_not_keep_can_be_said_anew(context, sign_in, study, bob, status):
    page = context.new_page()  # its console tells of the refusal
    batch = batch_of_sheets(study, payload=content(1, 1))
    go_to(page, sign_in, batch, bob)
    page.wait_for_load_state("networkidle")

    def refuse(route):
        asked = route.request.post_data_json
        if "opens" not in asked:
            return route.continue_()
        if status != 200:
            return route.fulfill(status=status, json={"error": "it is too dark"})
        told = {"assignment": asked.pop("opens")["assignment"], "html": "", "is_over": False}
        whole = route.fetch(post_data=asked).json()
        return route.fulfill(json=whole | {"opened": told | {"words": "it is too dark"}})

    page.route("**/feed/", refuse)
    press(page, "3", "2", "Enter")

    expect(page.locator("#hint")).to_have_text("This was not kept: it is too dark")
    page.unroute("**/feed/")
    expect_at_text(page)
    press(page, "3", "4", "Enter")
    expect(page.get_by_text(IN_A_PASSAGE)).to_be_visible()


def test_the_relevance_of_passages_by_keyboard_alone(page, sign_in, study, bob):
    batch = batch_of_sheets(study, "relevance", payload=content(0, 3), n=2)
    go_to(page, sign_in, batch, bob)
    expect(page.locator("mark").first).to_have_text("lighthouse")
    looked_at(page, "relevance")
    page.set_viewport_size(WIDE)
    page.evaluate("window.scrollTo(0, 0)")

    expect_at_text(page)
    page.locator("[data-question='relevant.1']").focus()
    press(page, "ArrowDown", "ArrowDown", "ArrowUp", "n")
    assert focused_question(page) == "relevant.3"
    press(page, "y")
    assert focused_question(page) == "relevant.1"
    press(page, "Tab", "Shift+Tab", "y", "?")
    expect(page.get_by_role("dialog")).to_contain_text("go to the next open question")
    press(page, "Escape")
    expect(page.get_by_role("button", name="Submit")).to_be_focused()
    press(page, "Enter")

    expect_next_item(page)
    assert Judgement.objects.get().response == {
        "relevant.1": "relevant",
        "relevant.2": "irrelevant",
        "relevant.3": "relevant",
    }


def test_without_a_script_what_depends_on_another_answer_says_when_it_is_asked(
    browser, live_server, page, sign_in, study, bob
):
    batch = batch_of_sheets(study, payload=content(1, 2))
    sign_in(bob)
    plain = browser.new_context(
        base_url=live_server.url,
        viewport=PHONE,
        java_script_enabled=False,
        storage_state=page.context.storage_state(),
    )
    desk = plain.new_page()
    desk.goto(address("desk", batch))
    assert IN_A_PASSAGE not in desk.content()
    choose(desk, "confidence", "1")
    choose(desk, "appropriate.1", "1")
    desk.get_by_role("button", name="Show the passages").click()

    expect(desk.get_by_text(IN_A_PASSAGE)).to_be_visible()
    expect(desk.get_by_text("Only where you said 3 or 4.")).to_be_visible()
    for question, value in {"relevant.1": "relevant", "relevant.2": "irrelevant"}.items():
        choose(desk, question, value)
    choose(desk, "faithful.1", "4")
    choose(desk, "supports.1", "yes")
    desk.get_by_role("button", name="Submit").click()
    expect(desk.get_by_role("heading", name="You have finished this batch")).to_be_visible()
    plain.close()
    assert Judgement.objects.get().response["supports.1.1"] == "yes"
