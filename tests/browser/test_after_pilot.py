"""After the pilot in a browser: the bar is moved, the full batch opens, and only those who were chosen see it."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import Role, Study, User
from annotation.actions import analysis_plans, reviews
from annotation.models import Batch
from exports.after_pilot import stored_figures
from jobs.models import Job
from tests.annotation.trust import settled_batch
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.conftest import member
from tests.factories import CandidateFactory, PoolFactory, TurnFactory


@pytest.fixture
def pilot(study: Study, alice: User, bob: User, dora: User, carol: User) -> Batch:
    fay = member(study, "fay", Role.ANNOTATOR, by=alice)
    batch = settled_batch(study, {bob: "p" * 11, dora: "p" * 11, fay: "i" * 11})
    for item in batch.items.all():
        reviews.adjudicate(item=item, label="plausible", reason="it is", by=carol)
    pool = PoolFactory(dataset=batch.pool.dataset, name="the rest")
    for _ in range(4):
        CandidateFactory(pool=pool, turn=TurnFactory(conversation__dataset=pool.dataset))
    return batch


def test_from_a_pilot_to_the_full_batch_that_the_chosen_people_see(
    page, sign_in, study, pilot, alice, bob
):
    sign_in(alice)
    page.goto(reverse("batch", args=[study.slug, pilot.pk]))
    page.get_by_role("link", name="After the pilot").click()
    chosen = page.locator("table tr.quoted")
    expect(chosen).to_contain_text("2 of 3")

    page.get_by_label("Bar for right answers").fill("0.9")
    page.get_by_role("button", name="Show").click()
    expect(chosen).to_contain_text("0 of 3")
    expect(page.get_by_role("checkbox", name="bob")).not_to_be_checked()
    page.get_by_label("Bar for right answers").fill("0.8")
    page.get_by_label("Judgements of each item").fill("2")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("checkbox", name="bob")).to_be_checked()
    expect(page.get_by_role("checkbox", name="fay")).not_to_be_checked()
    expect(page.locator(".consequences")).to_contain_text("4 items of the pool the rest")

    page.get_by_label("Name of the full batch").fill("the full round")
    page.get_by_label("Name of the new qualification").fill("trusted")
    page.get_by_label("Reason why these people").fill("right in the pilot")
    page.get_by_label("Plan of analysis").fill("Unanimous, disputes are discarded.")
    page.get_by_role("button", name="Grant and open the full batch").click()

    expect(page.locator(".messages")).to_contain_text("is granted to 2 people")
    expect(page.locator("main")).to_contain_text("before the first judgement")
    sign_in(bob)
    page.goto(reverse("work"))
    expect(page.get_by_role("link", name="Start with the full round")).to_be_visible()
    sign_in(User.objects.get(username="fay"))
    page.goto(reverse("work"))
    expect(page.locator("main")).not_to_contain_text("the full round")


def test_figures_of_two_kinds_that_start_themselves_keep_a_place_each(
    page, sign_in, pilot, alice, monkeypatch
):
    monkeypatch.setattr(stored_figures, "MOST_READ_FOR_A_VIEW", 0)
    sign_in(alice)
    page.goto(reverse("after_pilot", args=[pilot.study.slug, pilot.pk]))

    expect(page.get_by_text("The figures are being computed")).to_have_count(2)
    places = page.locator(".computed").evaluate_all("all => all.map((each) => each.id)")
    assert places == ["computed-pilot_figures", "computed-agreement"]
    kinds = Job.objects.values_list("kind", flat=True)
    assert sorted(kinds) == ["agreement", "pilot_figures"]


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_no_rule_of_accessibility_is_broken_and_nothing_is_cut_off(
    page, sign_in, alice, pilot, size, colours
):
    analysis_plans.freeze(batch=pilot, text="# Plan\n\nUnanimous.", by=alice)
    sign_in(alice)
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=colours)

    for name in ("after_pilot", "batch_plan"):
        page.goto(reverse(name, args=[pilot.study.slug, pilot.pk]))
        assert axe.violations(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
