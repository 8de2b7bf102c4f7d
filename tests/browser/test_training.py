"""Training in a browser: what was expected after each item, attempts, and what came of it; also without a network."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.actions import guideline_readings
from annotation.models import Batch, Judgement, Standing
from tests.annotation.desk_pages import address
from tests.annotation.trainings import training_batch, training_pool
from tests.annotation.trust import qualification
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.test_desk import batch_of, press, set_beat

FEED = re.compile("/feed/$")
KEYS = {"p": "1", "i": "2", "m": "3"}


@pytest.fixture
def acting(study):
    return qualification(study, min_answers=4, accuracy=0.6, attempts=2, acts=True)


@pytest.fixture
def trainings(study, acting) -> list[Batch]:
    return [
        training_batch(study, "pimp", asked=acting, name="first training"),
        training_batch(study, "mipp", asked=acting, name="second training"),
    ]


@pytest.fixture
def desk(page, sign_in, bob, trainings) -> Page:
    return opened(page, sign_in, bob, trainings)


@pytest.fixture
def calm_desk(context, sign_in, bob, trainings) -> Page:
    """The desk in a page whose console may tell of a network that is away; the next items are fetched."""
    page = opened(context.new_page(), sign_in, bob, trainings)
    with page.expect_response(FEED):
        page.reload()
    return page


def opened(page: Page, sign_in, bob, trainings) -> Page:
    set_beat(page, 0)
    sign_in(bob)
    page.goto(address("desk", trainings[0]))
    return page


def judge(page: Page, number: int, key: str) -> None:
    expect(page.locator("#judged")).to_contain_text(f"Keeper {number}.")
    expect(page.locator("#judgement")).to_be_visible()
    press(page, key)


def go_on(page: Page) -> None:
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    page.wait_for_timeout(50)
    page.keyboard.press("Enter")


@pytest.mark.smoke
def test_who_fails_the_first_and_passes_the_second_training_works_in_the_batch(
    desk, study, acting, trainings, bob
):
    full = batch_of(study, n=3, name="the full round", qualification=acting)
    guideline_readings.confirm(batch=full, by=bob)
    for number, letter in enumerate("pimp", start=1):
        judge(desk, number, "1" if letter == "m" else "3")
        expect(desk.locator("#judged")).to_contain_text(f"Because of {number}.")
        expect(desk.locator("#judged .expected")).to_contain_text("✗ Expected was")
        expect(desk.locator("#take-back")).to_be_hidden()
        go_on(desk)
    expect(desk.locator("main")).to_contain_text("You answered 0 of 4 items as expected.")
    assert Standing.objects.get().state == "failed"
    assert axe.violations(desk) == []

    desk.get_by_role("link", name="Begin second training").click()
    for number, letter in enumerate("mipp", start=1):
        judge(desk, number, KEYS[letter])
        expect(desk.locator("#judged .expected")).to_contain_text("✓ As expected")
        go_on(desk)
    expect(desk.locator("main")).to_contain_text("You passed.")

    desk.goto(reverse("work"))
    desk.get_by_role("link", name="Start with the full round").click()
    expect(desk.locator("h1")).to_contain_text("Item 1 of 3")


def test_offline_the_desk_waits_for_what_was_expected(calm_desk, context):
    context.set_offline(True)
    judge(calm_desk, 1, "1")

    expect(calm_desk.locator("#waiting")).to_contain_text(
        "What was expected comes when you are online."
    )
    expect(calm_desk.locator("#judgement")).to_be_hidden()
    press(calm_desk, "1")
    assert not Judgement.objects.exists()

    context.set_offline(False)
    expect(calm_desk.locator("#judged .expected")).to_contain_text("As expected")
    go_on(calm_desk)
    judge(calm_desk, 2, "2")
    expect(calm_desk.locator("#judged .expected")).to_contain_text("As expected")
    assert Judgement.objects.count() == 2


def test_what_is_not_sent_yet_can_be_undone(calm_desk, context):
    context.set_offline(True)
    judge(calm_desk, 1, "3")
    expect(calm_desk.locator("#waiting")).to_contain_text(
        "What was expected comes when you are online."
    )
    press(calm_desk, "z")
    judge(calm_desk, 1, "1")

    context.set_offline(False)

    expect(calm_desk.locator("#judged .expected")).to_contain_text("As expected: plausible.")
    assert Judgement.objects.count() == 1


def test_a_reload_leads_on_and_the_history_keeps_what_was_expected(desk, trainings):
    judge(desk, 1, "3")
    expect(desk.locator("#judged")).to_contain_text("Because of 1.")

    desk.reload()

    expect(desk.locator("#judged")).to_contain_text("Keeper 2.")
    desk.goto(address("desk_recent", trainings[0]))
    expect(desk.locator("main")).to_contain_text("Because of 1.")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_no_rule_of_accessibility_is_broken_and_nothing_is_cut_off(desk, size, colours):
    desk.set_viewport_size(size)
    desk.emulate_media(color_scheme=colours)
    judge(desk, 1, "3")
    expect(desk.get_by_role("button", name="Next")).to_be_in_viewport()

    assert axe.violations(desk) == []
    assert desk.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_a_requester_makes_and_opens_a_training(page, sign_in, alice, trainings):
    sign_in(alice)
    for name in ("batch", "batch_controls"):
        page.goto(address(name, trainings[0]))
        assert axe.violations(page) == []
    expect(page.locator("main")).to_contain_text("everybody judges in this order")


CHECK = """An answer is right, but misspelt. Which label?
( ) malformed
(x) plausible
> Malformed is what nobody can read.

Is it asked of you to look answers up?
( ) yes
(x) no"""


def answer(page: Page, *choices: str) -> None:
    for choice in choices:
        page.get_by_role("radio", name=choice, exact=True).check()
    page.get_by_role("button", name="Send my answers").click()


def draft_with_check(page: Page, study) -> Batch:
    pool = training_pool(study)
    page.goto(f"{reverse('batch_new', args=[study.slug])}?pool={pool.pk}")
    page.locator("[name=name]").fill("asked first")
    page.locator("[name=guideline]").fill("Read it.")
    page.locator("[name=check]").fill(CHECK)
    page.get_by_role("button", name="Create the draft").click()
    expect(page.locator(".messages")).to_contain_text("was created")
    page.get_by_role("link", name="Open it").click()
    page.get_by_role("button", name="Open the batch").click()
    return Batch.objects.get(name="asked first")


def test_questions_on_the_guideline_from_the_draft_to_the_results(
    page, sign_in, study, alice, bob, dora
):
    sign_in(alice)
    batch = draft_with_check(page, study)
    sign_in(bob)
    page.goto(address("desk", batch))
    page.get_by_role("button", name="I have read it").click()
    expect(page.locator("h1")).to_have_text("Before your first item: a few questions")
    assert axe.violations(page) == []

    answer(page, "malformed", "no")
    expect(page.locator("h1")).to_have_text("Not all of it was right")
    expect(page.locator("main")).to_contain_text("Malformed is what nobody can read.")
    answer(page, "plausible", "no")
    expect(page.locator("h1")).to_have_text("All right")
    page.get_by_role("link", name="Start annotating").click()
    expect(page.locator("#judged")).to_contain_text("Nobody is asked about this.")

    sign_in(dora)
    page.goto(address("desk", batch))
    page.get_by_role("button", name="I have read it").click()
    answer(page, "malformed", "yes")
    answer(page, "malformed", "yes")
    expect(page.locator("h1")).to_have_text("You cannot work in this batch")
    assert axe.violations(page) == []
    page.goto(reverse("work"))
    expect(page.locator("main")).to_contain_text("questions on the guideline not passed")

    sign_in(alice)
    page.goto(address("batch", batch))
    page.get_by_role("link", name="2 questions").click()
    expect(page.locator("main")).to_contain_text("Right at the first attempt: 0 of 2 people.")
    assert axe.violations(page) == []
    page.goto(reverse("people", args=[study.slug]))
    expect(page.get_by_role("row", name="dora")).to_contain_text("not passed")
    assert axe.violations(page) == []
