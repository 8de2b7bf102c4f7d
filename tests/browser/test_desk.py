"""The desk in a browser: by keyboard alone, on a phone, without a script, for everybody."""

import time
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation import schemes
from annotation.actions import batches, claims, flags, guideline_readings, judgements
from annotation.models import Assignment, AssignmentState, Batch, Flag, Judgement
from annotation.schemes import payloads
from tests.annotation.desk import judge
from tests.annotation.desk_pages import address
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.factories import BatchFactory, GuidelineFactory, ItemFactory

GUIDELINE = "# How to judge\n\nMind *the question*.\n\n## Examples\n\n1. One\n2. Two\n"
ZOOMED = {"width": 640, "height": 400}  # 1280 x 800 at 200 %
DIGITS = set("0123456789")
MOMENT = 90  # milliseconds; a digit that comes sooner is a key that bounces


def batch_of(study, scheme="plausibility", n=8, **fields) -> Batch:
    made = BatchFactory(
        pool__dataset__study=study,
        scheme=scheme,
        guideline=GuidelineFactory(study=study, scheme=scheme, text=f"{GUIDELINE}\n\n{fields}"),
        **fields,
    )
    evidence = [f"Masons built it in 17{'0' * 40}2.", "It was lit by oil."]
    for position in range(1, n + 1):
        content = payloads.payload(
            question="Who built the lighthouse, and when was it lit for the first time?",
            context=["Is there a lighthouse?", "Where does it stand?"],
            answers=[f"Mason number {position}, who came from a long line of masons. " * 4],
            evidence=evidence * 4 if scheme == "faithfulness" else None,
        )
        ItemFactory(batch=made, position=position, payload=content)
    return made


@pytest.fixture
def batch(study) -> Batch:
    return batch_of(study)


@pytest.fixture
def at_desk(page, sign_in, batch, bob) -> Page:
    """Bob at the desk; he has read the guidelines. Digits submit at once."""
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    set_beat(page, 0)
    page.goto(address("desk", batch))
    return page


def set_beat(page: Page, beat: int) -> None:
    """Before the first page; what is set on a page later stays."""
    page.add_init_script(f"localStorage['touchstone.desk'] ??= '{{\"beat\": {beat}}}'")


def press(page: Page, *keys: str) -> None:
    """As hands do: a digit not before the item was there for a moment."""
    for key in keys:
        if key in DIGITS:
            page.wait_for_timeout(MOMENT)
        page.keyboard.press(key)


def expect_done(page: Page, n: int, n_all: int) -> None:
    """The desk after n judgements, with an item on it."""
    expect(page.locator(".progress")).to_contain_text(f"{n} of {n_all}")
    expect(page.locator("#judgement")).to_be_visible()
    page.wait_for_load_state()


def expect_saved(page: Page) -> None:
    """The server has all that was judged."""
    expect(page.locator(".last:not(.is-sending)")).to_contain_text("Saved: ")


def stored_labels(batch: Batch) -> list[str]:
    judgements = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch)
    ordered = judgements.order_by("assignment__item__position")
    return [schemes.get(batch.scheme).label(each.response) for each in ordered]


# By keyboard alone


@pytest.mark.parametrize("scheme", ["plausibility", "faithfulness"])
def test_a_batch_is_judged_by_keyboard_alone(page, sign_in, study, alice, bob, scheme):
    batch = batch_of(study, scheme, n=7)
    first, second, third = schemes.get(scheme).labels
    sign_in(bob)
    set_beat(page, 0)
    page.goto(reverse("work"))
    tab_to(page, page.get_by_role("link", name="Start"))
    press(page, "Enter")
    tab_to(page, page.get_by_role("button", name="I have read it"))
    press(page, "Enter")

    for n, key in enumerate("12312"):
        expect_done(page, n, 7)
        press(page, key)
    expect_done(page, 5, 7)
    expect_saved(page)
    assert stored_labels(batch) == [first, second, third, first, second]

    press(page, "z")
    expect(page.get_by_text(f"Undone. Your answer was “{second}”")).to_be_visible()
    expect_done(page, 4, 7)
    press(page, "3")
    expect_done(page, 5, 7)
    expect_saved(page)
    assert stored_labels(batch) == [first, second, third, first, third]

    press(page, "f")
    page.keyboard.type("Is this 1 answer?")
    press(page, "Tab", "Enter")
    expect(page.get_by_text("Message sent")).to_be_visible()
    assert Flag.objects.get().message == "Is this 1 answer?"
    expect_done(page, 5, 7)

    press(page, "s")
    page.keyboard.type("not my 3 languages")
    press(page, "Enter")
    expect(page.get_by_text("Skipped.")).to_be_visible()
    skipped = Assignment.objects.get(state=AssignmentState.SKIPPED)
    assert skipped.skip_reason == "not my 3 languages"

    expect_done(page, 5, 6)
    press(page, "c")
    page.keyboard.type("2 of them?")
    press(page, "Escape", "1")
    expect(page.get_by_role("heading", name="You have finished this batch")).to_be_visible()
    assert stored_labels(batch) == [first, second, third, first, third, first]
    assert Judgement.objects.get(comment="2 of them?").assignment.item.position == 7
    assert axe.violations(page) == []


def tab_to(page: Page, target) -> None:
    for _ in range(40):
        press(page, "Tab")
        if target.evaluate("element => element === document.activeElement"):
            return
    pytest.fail(f"the keyboard does not reach {target}")


def test_without_single_keys_the_desk_works_by_tab_arrows_and_enter(at_desk, batch):
    page = at_desk
    press(page, "?")
    page.get_by_label("Keyboard shortcuts on").uncheck()
    press(page, "Escape", "1", "s", "z")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert not Judgement.objects.exists()

    tab_to(page, page.get_by_role("radio").first)
    press(page, "ArrowDown", "Enter")

    expect(page.locator(".last")).to_contain_text("Saved: implausible")
    assert stored_labels(batch) == ["implausible"]
    expect(page.locator("kbd").first).to_be_hidden()


def test_keys_do_nothing_while_one_types_or_holds_a_modifier(at_desk):
    page = at_desk
    press(page, "c")
    page.keyboard.type("1 s f z ?")
    expect(page.get_by_label("Comment")).to_have_value("1 s f z ?")
    press(page, "Escape", "Control+1", "Alt+2", "Meta+3", "Control+f")

    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    assert not Judgement.objects.exists()


LAYOUTS = [("&", "Digit1", "digit"), ("\u0661", "Digit1", "digit"), ("ы", "KeyS", "skip")]
LAYOUTS += [("y", "KeyZ", ""), ("!", "Digit1", "")]


@pytest.mark.parametrize(("key", "code", "does"), LAYOUTS)
def test_a_key_with_another_sign_on_it_does_what_its_place_says(at_desk, key, code, does):
    """AZERTY, Arabic and Russian; German has y where others have z, and that is a letter by itself."""
    page = at_desk
    pressed = {"key": key, "code": code, "shiftKey": key == "!", "bubbles": True}
    page.evaluate(
        "pressed => document.body.dispatchEvent(new KeyboardEvent('keydown', pressed))", pressed
    )

    if does == "digit":
        expect_done(page, 1, 8)
        expect_saved(page)
    expect(page.locator("dialog[open]")).to_have_count(1 if does == "skip" else 0)
    assert Judgement.objects.count() == (does == "digit")


def test_after_a_request_that_was_stopped_the_item_can_be_judged(page, sign_in, batch, bob):
    guideline_readings.confirm(batch=batch, by=bob)
    judge(batch, bob, now=timezone.now())
    sign_in(bob)
    set_beat(page, 0)
    page.clock.install()
    page.goto(address("desk", batch))
    # The page stays, as when the browser is told to stop.
    page.route("**/take-back/", lambda route: route.fulfill(status=204))
    with page.expect_response("**/take-back/"):
        press(page, "z")

    page.clock.run_for(5_000)
    press(page, "2")

    page.clock.run_for(1_000)
    expect_done(page, 2, 8)
    expect(page.locator(".last")).to_contain_text("Saved: implausible")


def test_a_key_that_is_held_down_judges_one_item(at_desk):
    page = at_desk
    page.keyboard.down("1")
    expect_done(page, 1, 8)
    for _ in range(5):
        page.evaluate(
            "document.body.dispatchEvent(new KeyboardEvent('keydown',"
            " {key: '1', repeat: true, bubbles: true}))"
        )

    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    expect_saved(page)
    assert Judgement.objects.count() == 1


def test_enter_without_a_choice_says_what_is_missing_and_leads_there(at_desk):
    page = at_desk
    press(page, "Enter")

    expect(page.get_by_text("Choose 1, 2 or 3: nothing is saved yet.").first).to_be_visible()
    expect(page.locator("#judgement fieldset")).to_be_focused()
    assert axe.violations(page) == []
    assert not Judgement.objects.exists()


def test_until_the_beat_is_over_another_digit_changes_the_choice_and_escape_stops_it(
    page, sign_in, batch, bob
):
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    set_beat(
        page, 10_000
    )  # the page's clock goes on by itself as well: what that adds is little beside it
    page.clock.install()
    page.goto(address("desk", batch))

    page.keyboard.press("1")
    page.clock.run_for(6_000)
    page.keyboard.press("Escape")
    page.clock.run_for(20_000)
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)

    page.keyboard.press("1")
    page.clock.run_for(6_000)
    page.keyboard.press("z")
    page.clock.run_for(20_000)
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    assert not Judgement.objects.exists()

    page.keyboard.press("1")
    page.clock.run_for(6_000)
    page.keyboard.press("2")
    page.clock.run_for(6_000)
    expect(page.get_by_role("radio").nth(1)).to_be_checked()
    assert not Judgement.objects.exists()
    page.clock.run_for(4_000)
    expect(page.locator(".last")).to_contain_text("Saved: implausible")


def test_the_beat_is_kept_in_this_browser(page, sign_in, batch, bob):
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    page.goto(address("desk", batch))
    page.get_by_role("button", name="Keys").click()
    expect(page.get_by_label("Submit delay: 150 ms")).to_be_visible()
    page.get_by_label("Submit delay").fill("400")

    page.reload()
    press(page, "?")

    expect(page.get_by_label("Submit delay: 400 ms")).to_be_visible()


def test_saved_is_said_aloud_only_when_the_server_has_it(at_desk):
    page = at_desk
    expect(page.locator("#said")).to_have_text("")

    press(page, "2")

    expect(page.locator("#said")).to_have_text("Saved: implausible. Item 2 of 8.")
    page.reload()
    expect_done(page, 1, 8)
    expect(page.locator("#said")).to_have_text("")


# Active time


def test_active_time_counts_while_the_last_input_is_less_than_two_minutes_old(
    page, sign_in, batch, bob
):
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    begun = time.monotonic()
    page.clock.install()
    page.goto(address("desk", batch))
    page.clock.run_for(30_000)
    press(page, "Shift")  # an input that is no key of the desk
    page.clock.run_for(10 * 60_000)  # away: two minutes of it count
    press(page, "Shift")
    page.clock.run_for(5_000)

    expect_active_seconds(page, 30 + 120 + 5, begun)


def expect_active_seconds(page: Page, seconds: float, begun: float) -> None:
    """Submits by mouse. The page's clock goes on by itself as well, at most for the time since `begun`."""
    page.get_by_role("radio").first.check()
    # Items are fetched ahead by requests without a submission; one of these may be on its way.
    with page.expect_request(lambda request: "client_id" in str(request.post_data)) as sent:
        page.get_by_role("button", name="Submit").click()
    (submission,) = sent.value.post_data_json["submissions"]
    at_most = seconds + time.monotonic() - begun + 1
    assert seconds - 1 < float(submission["active_seconds"]) < at_most


def test_time_and_a_half_written_comment_outlast_a_reload(page, sign_in, batch, bob):
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    begun = time.monotonic()
    page.clock.install()
    page.goto(address("desk", batch))
    shown_at = page.locator("[name=shown_at]").input_value()
    press(page, "c")
    page.keyboard.type("half a thou")
    page.clock.run_for(30_000)

    page.reload()

    expect(page.get_by_label("Comment")).to_have_value("half a thou")
    assert page.locator("[name=shown_at]").input_value() == shown_at
    expect_active_seconds(page, 30, begun)
    expect(page.locator(".last")).to_contain_text("Saved: plausible")
    expect(page.get_by_label("Comment")).to_have_value("")


# For everybody


def open_and_close(page: Page, key: str, button: str) -> list[str]:
    """What axe finds in a window that the key opens; the button closes it."""
    press(page, key)
    expect(page.locator("dialog[open]")).to_be_visible()
    found = axe.violations(page)
    page.locator("dialog[open]").get_by_role("button", name=button).click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    return found


@pytest.mark.parametrize(
    ("scheme", "colours"), [("plausibility", "light"), ("faithfulness", "dark")]
)
def test_the_desk_and_its_windows_have_no_violation(
    page, sign_in, study, alice, bob, scheme, colours
):
    batch = batch_of(study, scheme)
    guideline_readings.confirm(batch=batch, by=bob)
    flag = judgements.flag(
        assignment=claims.claim(batch=batch, by=bob)[0], message="Cut off?", by=bob
    )
    flags.answer(flag=flag, text="Judge what is there.", by=alice)
    sign_in(bob)
    page.emulate_media(color_scheme=colours)
    page.goto(address("desk", batch))

    assert axe.violations(page) == []
    for key in "sfg?":
        assert open_and_close(page, key, "Back to the item") == []
    press(page, "c")
    page.get_by_text("earlier questions").click()
    assert axe.violations(page) == []


def test_the_pages_around_the_desk_have_no_violation(page, sign_in, study, batch, alice, bob):
    paused, closed = batch_of(study, n=2, name="paused"), batch_of(study, n=2, name="closed")
    for each in (paused, closed):
        judge(each, bob, now=timezone.now())
    batches.pause(batch=paused, by=alice)
    batches.close(batch=closed, by=alice)
    sign_in(bob)
    page.goto(address("desk_guidelines", batch))
    assert axe.violations(page) == []
    guideline_readings.confirm(batch=batch, by=bob)
    for reached in (batch, paused, closed):
        guideline_readings.confirm(batch=reached, by=bob)
    judge(batch, bob, now=timezone.now())
    (held,) = claims.claim(batch=batch, by=bob)
    judgements.flag(assignment=held, message="Cut off?", by=bob)

    for href in (
        reverse("work"),
        address("desk_guidelines", batch),
        address("desk_recent", batch),
        address("desk_skip", batch, held),
        address("desk_flag", batch, held),
        address("desk", paused),
        address("desk", closed),
        address("desk_recent", closed),
    ):
        page.goto(href)
        assert axe.violations(page) == [], href


@pytest.mark.parametrize("size", [PHONE, ZOOMED], ids=["phone", "zoomed"])
def test_nothing_scrolls_sideways(page, sign_in, study, bob, size):
    batch = batch_of(study, "faithfulness")
    page.set_viewport_size(size)
    sign_in(bob)
    for href in (reverse("work"), address("desk_guidelines", batch)):
        page.goto(href)
        assert not scrolls_sideways(page), href
    guideline_readings.confirm(batch=batch, by=bob)
    for href in (address("desk", batch), address("desk_recent", batch)):
        judge(batch, bob, "faithful", now=timezone.now())
        page.goto(href)
        assert not scrolls_sideways(page), href
    assert axe.violations(page) == []


def scrolls_sideways(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_on_a_phone_the_question_stays_in_sight_above_the_form(page, sign_in, study, bob):
    batch = batch_of(study, "faithfulness")
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    page.set_viewport_size(PHONE)
    page.goto(address("desk", batch))
    page.evaluate("scrollTo(0, 600)")

    assert page.locator(".response").bounding_box()["y"] < 0
    assert page.locator(".question").bounding_box()["y"] == 0
    page.get_by_text("Yes, the evidence supports it").click()
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".last")).to_contain_text("Saved: faithful")


def test_on_a_wide_screen_the_form_stands_right_below_the_item(at_desk):
    page = at_desk
    judged, judging_side = (
        page.locator(name).bounding_box() for name in (".response", "#judgement")
    )

    assert 0 <= judging_side["y"] - judged["y"] - judged["height"] < 60
    submit = page.get_by_role("button", name="Submit").bounding_box()
    assert submit["y"] + submit["height"] < WIDE["height"]


def test_the_desk_works_without_a_script(browser, live_server, sign_in, context, batch, bob):
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    plain = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, storage_state=context.storage_state()
    )
    page = plain.new_page()
    page.goto(address("desk", batch))
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Choose 1, 2 or 3")).to_be_visible()
    page.get_by_label("No, it does not answer the question").check()
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".last")).to_contain_text("Saved: implausible")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_text("Undone. Your answer was “implausible”")).to_be_visible()
    page.get_by_role("link", name="Skip", exact=True).click()
    page.get_by_label("In words").fill("no idea")
    page.get_by_role("button", name="Skip it").click()
    expect(page.get_by_text("Skipped.")).to_be_visible()
    page.get_by_role("link", name="Guidelines").click()
    expect(page.get_by_role("heading", name="How to judge")).to_be_visible()
    plain.close()

    assert Assignment.objects.filter(state=AssignmentState.SKIPPED).count() == 1


def test_a_claim_that_ran_out_and_was_lost_is_said_to_be_saved_and_late(at_desk, batch):
    page = at_desk
    page.wait_for_load_state("networkidle")  # what is asked for ahead would hold the item anew
    held = Assignment.objects.get(item__position=1)
    Assignment.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    claims.expire_lapsed(batch=batch, now=timezone.now())
    type(held.item).objects.filter(pk=held.item_id).update(n_open=0)

    press(page, "1")

    expect(page.locator("#notes").get_by_text("Saved after the time limit")).to_be_visible()
    assert axe.violations(page) == []


def test_a_window_leaves_the_item_that_another_one_judged(at_desk, context, batch):
    other = context.new_page()
    other.goto(address("desk", batch))
    expect(other.get_by_text("Mason number 1,")).to_be_visible()
    press(at_desk, "1")
    expect(at_desk.locator(".last")).to_contain_text("Saved: plausible")

    expect(other.get_by_text("You answered that item in another tab")).to_be_visible()
    expect_done(other, 1, 8)
    expect(other.get_by_text("Mason number 2,")).to_be_visible()
    expect(other.locator(".last")).to_contain_text("Saved: plausible")
    assert axe.violations(other) == []
