"""Reserved items in a browser: on a phone, in the dark, and what the annotator reads at the desk."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.actions import guideline_readings
from annotation.models import Batch, Reservation
from tests.annotation.actions.test_reservations import reserve
from tests.annotation.trust import open_batch
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.browser.test_desk import batch_of, press, set_beat


@pytest.fixture
def batch(study, bob, dora) -> Batch:
    return open_batch(study, None, n_items=6, prefetch_depth=3)


def address(name: str, batch: Batch, *more: object) -> str:
    return reverse(name, args=[batch.study.slug, batch.pk, *more])


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_no_rule_of_accessibility_is_broken_and_nothing_is_cut_off(
    page: Page, sign_in, alice, bob, batch, size, colours
):
    reserve(batch, bob, 1, 2)
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=colours)
    sign_in(alice)

    for href in (address("batch_reserved", batch), address("reserved_part", batch, bob.pk)):
        page.goto(href)
        assert axe.violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_the_desk_counts_the_part_also_without_a_network(context, sign_in, bob, study):
    batch = batch_of(study, n=6, prefetch_depth=6)
    reserve(batch, bob, 3, 4)
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    page = context.new_page()  # its console may tell of a network that is away
    page.set_viewport_size(PHONE)
    set_beat(page, 0)
    with page.expect_response(re.compile("/feed/$")):
        page.goto(address("desk", batch))
    bar = page.locator(".desk-bar .progress")
    expect(bar).to_contain_text("your part: 0 of 2")

    context.set_offline(True)
    expect(page.locator("#judged")).to_contain_text("Mason number 3,")
    press(page, "1")
    expect(bar).to_contain_text("your part: 1 of 2")
    expect(page.locator("#judged")).to_contain_text("Mason number 4,")
    press(page, "1")
    expect(page.locator("#judged")).to_contain_text("Mason number 1,")
    context.set_offline(False)
    expect(page.locator("#trouble")).to_be_hidden()

    expect(bar).to_contain_text("your part: 2 of 2")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    work = Reservation.objects.with_work().values_list("work", flat=True)
    assert list(work) == ["submitted", "submitted"]
