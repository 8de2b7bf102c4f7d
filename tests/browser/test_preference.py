"""Two answers side by side in a browser: by keyboard alone, wide and on a phone, by mouse, for everybody."""

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation import schemes
from annotation.actions import guideline_readings
from annotation.models import Batch, Judgement
from annotation.schemes import payloads
from tests.annotation.desk_pages import address
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.focus import tab_to
from tests.browser.test_desk import expect_done, expect_saved, press, set_beat
from tests.browser.test_desk_reflow import layout_faults
from tests.factories import BatchFactory, GuidelineFactory, ItemFactory

N_ITEMS = 6
KEPT = (
    "The tower was finished in 1702 by the keepers' guild, after two winters in which the stones lay under snow."
    " Its first lamp burned rape oil; gas came in 1868, and electric light with the harbour's power station."
)
# Of number 1 and 2.
ANSWERS = (
    "The keepers' guild built it in 1702, and its first lamp burned oil. It was lit by gas only from 1868 on.",
    "It was built in 1702. (I do not know who first lit it, but lighthouses of that time mostly burned coal.)",
)


@pytest.fixture
def batch(study) -> Batch:
    made = BatchFactory(
        pool__dataset__study=study,
        scheme="preference",
        guideline=GuidelineFactory(study=study, scheme="preference"),
    )
    for position in range(1, N_ITEMS + 1):
        content = payloads.payload(
            question=f"Who built the lighthouse number {position}, and what was its first lamp?",
            context=[],
            answers=ANSWERS,
            evidence=None,
            passages=[{"title": "The lighthouse", "text": KEPT, "sentences": []}],
        )
        ItemFactory(batch=made, position=position, payload=content)
    return made


@pytest.fixture
def at_desk(page, sign_in, batch, bob) -> Page:
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    set_beat(page, 0)
    page.goto(address("desk", batch))
    return page


def answer(page: Page, letter: str) -> Locator:
    return page.get_by_role("region", name=f"Answer {letter}")


def on_the_screen(page: Page) -> list[int]:
    """The numbers of the answers as they stand, left to right or from the top."""
    texts = page.locator(".pair .text").all_inner_texts()
    return [ANSWERS.index(text) + 1 for text in texts]


def position_of(target: Locator) -> dict[str, float]:
    box = target.bounding_box()
    assert box is not None
    return dict(box)


def stored_choices(batch: Batch) -> list[tuple[str, list[int]]]:
    """What was chosen and how the answers stood, in the order of the items."""
    judgements = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch)
    ordered = judgements.order_by("assignment__item__position")
    return [(each.response["preference"], each.order) for each in ordered]


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_pairs_are_judged_by_keyboard_alone(at_desk, batch, size):
    page = at_desk
    page.set_viewport_size(size)
    stood = []

    for n, key in enumerate(["1", "ArrowLeft", "2", "ArrowRight", "0"]):
        expect_done(page, n, N_ITEMS)
        stood.append(on_the_screen(page))
        page.wait_for_timeout(100)  # an arrow that comes sooner after the item bounces too
        press(page, key)
    expect_done(page, 5, N_ITEMS)
    expect_saved(page)
    stood.append(on_the_screen(page))
    tab_to(page, page.get_by_role("radio").first)
    press(page, "ArrowDown", "Enter")  # the radios by themselves: nothing is sent before Enter
    expect(page.get_by_role("heading", name="You have finished this batch")).to_be_visible()

    chosen = ["left", "left", "right", "right", "tie", "right"]
    assert stored_choices(batch) == list(zip(chosen, stood, strict=True))


def test_what_is_stored_is_what_was_on_the_screen(at_desk, batch):
    page = at_desk
    left, right = on_the_screen(page)

    press(page, "ArrowRight")
    expect_saved(page)

    judgement = Judgement.objects.get()
    rows = schemes.get("preference").rows(
        judgement.response, judgement.order, judgement.assignment.item.payload
    )
    found = {row.answer_number: (row.label, row.position) for row in rows}
    assert found == {left: ("other", 1), right: ("preferred", 2)}


def test_by_mouse_one_chooses_and_submits(at_desk, batch):
    page = at_desk
    stood = on_the_screen(page)

    page.get_by_text("Tie: only if you cannot decide").click()
    assert not Judgement.objects.exists()
    page.get_by_role("button", name="Submit").click()

    expect_done(page, 1, N_ITEMS)
    expect_saved(page)
    assert stored_choices(batch) == [("tie", stood)]


def test_wide_the_answers_stand_side_by_side_above_the_choice_and_all_is_in_view(at_desk):
    page = at_desk

    left, right, form = (
        position_of(each) for each in (answer(page, "A"), answer(page, "B"), options(page))
    )

    assert left["y"] == right["y"]
    assert left["x"] + left["width"] < right["x"]
    assert max(each["y"] + each["height"] for each in (left, right)) <= form["y"]
    expect(answer(page, "A")).to_contain_text("left")
    for each in (page.get_by_text(KEPT), *options(page).get_by_role("radio").all()):
        expect(each).to_be_in_viewport(ratio=1)


def test_on_a_phone_a_stands_above_b_and_nothing_is_beyond_the_edge(at_desk):
    page = at_desk
    page.set_viewport_size(PHONE)

    first, second = position_of(answer(page, "A")), position_of(answer(page, "B"))

    assert first["x"] == second["x"]
    assert first["y"] + first["height"] <= second["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.fixture
def long_passages(batch):
    for item in batch.items.all():
        item.payload["passages"] = [
            {"number": n, "title": "The lighthouse", "text": KEPT * 4, "sentences": []}
            for n in (1, 2, 3)
        ]
        item.save(update_fields=["payload"])


@pytest.mark.parametrize(
    "size", [PHONE, {"width": 768, "height": 1024}, {"width": 320, "height": 640}], ids=str
)
def test_below_long_passages_the_choice_stays_in_reach(long_passages, at_desk, batch, size):
    page = at_desk
    page.set_viewport_size(size)
    choice = [*options(page).locator("label").all(), page.get_by_role("button", name="Submit")]
    most = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    assert most > 300

    for to in (0, most // 2):
        page.evaluate(f"scrollTo(0, {to})")
        for each in choice:
            expect(each).to_be_in_viewport(ratio=1)
    for each in (choice[1], choice[-1]):
        assert page.evaluate("scrollY") == most // 2  # the choice moves nothing
        box = position_of(each)
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    expect_done(page, 1, N_ITEMS)
    expect_saved(page)
    assert [label for label, _ in stored_choices(batch)] == ["right"]
    assert axe.violations(page) == []
    assert layout_faults(page) == []


@pytest.mark.parametrize("size", [PHONE, {"width": 320, "height": 640}], ids=str)
def test_what_has_the_focus_is_not_under_the_choice(long_passages, at_desk, size):
    """Where the last one can be taken back, and a comment is open."""
    page = at_desk
    page.set_viewport_size(size)
    press(page, "1")
    expect_saved(page)
    press(page, "c")
    expect(page.locator("#id_comment")).to_be_focused()

    for _ in range(12):
        hidden = page.evaluate(HIDDEN)
        assert hidden is None, hidden
        press(page, "Tab")


def test_a_low_screen_is_left_to_the_answers(long_passages, at_desk):
    page = at_desk
    page.set_viewport_size({"width": 700, "height": 360})

    expect(options(page)).not_to_be_in_viewport()
    options(page).get_by_text("B is better").click()

    assert layout_faults(page) == []


# What has the focus, where something else lies over the middle of it or it is out of sight.
HIDDEN = """() => {
    const on = document.activeElement;
    if (on === document.body || on.closest("header, .skip")) return null;
    const box = on.getBoundingClientRect();
    const hit = document.elementFromPoint(box.x + box.width / 2, Math.min(box.bottom - 4, box.y + box.height / 2));
    if (on.contains(hit) || hit?.closest("label")?.contains(on)) return null;
    return `${on.outerHTML.slice(0, 120)} under ${hit?.outerHTML.slice(0, 120)}`;
}"""


def options(page: Page) -> Locator:
    return page.locator("#judgement fieldset")


def test_every_key_is_told_where_it_is_used_and_in_the_list_of_keys(at_desk):
    page = at_desk
    told = [each.get_attribute("aria-keyshortcuts") for each in page.get_by_role("radio").all()]
    assert told == ["1 ArrowLeft", "2 ArrowRight", "0"]

    press(page, "?")

    expect(page.locator("#keys dl")).to_contain_text("←")
    expect(page.locator("#keys dl")).to_contain_text("→")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(at_desk, size, scheme):
    page = at_desk
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme)

    assert axe.violations(page) == []
