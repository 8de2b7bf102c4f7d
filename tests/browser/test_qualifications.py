"""Qualifications in a browser: granted, a person sees the batch; revoked, they no longer do."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import Role
from annotation.actions import guideline_readings
from annotation.models import Assignment, Batch, Judgement, Qualification
from tests.annotation.desk import assert_counts_match
from tests.annotation.desk_pages import address
from tests.annotation.trust import grant, group, qualification, revoke, settled_batch
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.test_desk import batch_of, expect_done, press, set_beat
from tests.conftest import member


@pytest.fixture
def trusted(study) -> Qualification:
    return qualification(study, recall={"malformed": 0.6})


@pytest.fixture
def full(study, trusted) -> Batch:
    return batch_of(study, n=8, name="the full round", qualification=trusted)


def href(name: str, *parts: object) -> str:
    return reverse(name, args=parts)


def decide(page: Page, asked: Qualification, person: str, button: str, reason: str) -> None:
    page.goto(href("qualification", asked.study.slug, asked.pk))
    page.get_by_role("checkbox", name=person).check()
    page.get_by_label("Reason").fill(reason)
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.locator(".messages")).to_contain_text(asked.name)


def test_who_is_granted_it_sees_the_batch_and_who_loses_it_no_longer(
    page, sign_in, study, trusted, full, alice, bob
):
    guideline_readings.confirm(batch=full, by=bob)
    set_beat(page, 0)
    sign_in(bob)
    page.goto(href("work"))
    expect(page.locator("main")).not_to_contain_text("the full round")

    sign_in(alice)
    decide(page, trusted, "bob", "Grant", "careful in the pilot")

    sign_in(bob)
    page.goto(href("work"))
    page.get_by_role("link", name="Start with the full round").click()
    expect_done(page, 0, 8)
    press(page, "1")
    expect_done(page, 1, 8)
    assert Assignment.objects.claimed().filter(annotator=bob).exists()

    sign_in(alice)
    decide(page, trusted, "bob", "Revoke", "one key, sixty times")

    assert not Assignment.objects.claimed().exists()
    assert_counts_match(full)
    assert full.items.filter(n_counted=1).count() == 1
    sign_in(bob)
    page.goto(href("work"))
    expect(page.locator("main")).to_contain_text("You no longer work on the full round.")
    expect(page.get_by_role("link", name="Start with the full round")).to_have_count(0)
    assert axe.violations(page) == []


def test_at_the_desk_the_next_judgement_is_kept_and_the_person_is_told(
    page, sign_in, trusted, full, bob
):
    grant(trusted, bob)
    guideline_readings.confirm(batch=full, by=bob)
    set_beat(page, 0)
    sign_in(bob)
    page.goto(address("desk", full))
    expect_done(page, 0, 8)
    page.wait_for_load_state("networkidle")  # what is asked for ahead would tell it before
    revoke(trusted, bob)

    press(page, "1")

    expect(page.locator('#state [data-when="left"]')).to_be_visible()
    assert Judgement.objects.get(assignment__annotator=bob).is_surplus
    assert axe.violations(page) == []


@pytest.fixture
def pages(study, trusted, full, alice, bob, dora) -> list[str]:
    """The pages of qualifications, with people of each standing."""
    fay, gil = (member(study, name, Role.ANNOTATOR, by=alice) for name in ("fay", "gil"))
    labels = {bob: "p" * 12, dora: "p" * 12, fay: "p" * 12, gil: "i" * 12}
    pilot = settled_batch(study, labels)
    grant(trusted, bob, dora)
    revoke(trusted, dora)
    group(study)
    slug = study.slug
    return [
        href("qualifications", slug),
        href("qualification_new", slug),
        f"{href('qualification', slug, trusted.pk)}?from={pilot.pk}",
        href("people", slug),
        href("batch", slug, full.pk),
        href("batch_new", slug),
    ]


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_no_rule_of_accessibility_is_broken_and_nothing_is_cut_off(
    page, sign_in, alice, pages, size, colours
):
    sign_in(alice)
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=colours)

    for each in pages:
        page.goto(each)
        assert axe.violations(page) == [], each
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], each


def test_by_keyboard_alone_somebody_is_granted_it(page, sign_in, study, trusted, alice, bob):
    sign_in(alice)
    page.goto(href("qualification", study.slug, trusted.pk))
    page.get_by_role("checkbox", name="bob").focus()
    page.keyboard.press("Space")
    page.get_by_label("Reason").focus()
    page.keyboard.type("careful")
    page.keyboard.press("Enter")

    expect(page.locator(".messages")).to_contain_text("is granted to 1 person")
