"""Notices of the organisers at the desk, and where pay, time and contact stand there."""

import pytest
from playwright.sync_api import Page, expect

from annotation.actions import guideline_readings, notices
from annotation.models import Batch, NoticeDismissal
from tests.annotation.desk_pages import address
from tests.browser import axe
from tests.browser.test_desk import batch_of, expect_done, press

TEXT = "No work on Friday."


@pytest.fixture
def batch(study) -> Batch:
    return batch_of(study, n=4)


@pytest.fixture
def desk(page, sign_in, bob, batch) -> Page:
    guideline_readings.confirm(batch=batch, by=bob)
    sign_in(bob)
    page.goto(address("desk", batch))
    expect_done(page, 0, 4)
    return page


def test_a_notice_comes_while_one_works_and_stays_until_it_is_dismissed(desk, batch, alice, bob):
    notice = notices.write(batch=batch, text=TEXT, by=alice)

    press(desk, "1")

    expect(desk.locator("#notices[aria-live]")).to_contain_text(TEXT)
    expect_done(desk, 1, 4)
    desk.reload()
    expect(desk.locator("#notices")).to_contain_text(TEXT)
    assert axe.violations(desk) == []
    desk.get_by_role("button", name="Dismiss this notice").click()
    expect(desk.locator("#notices .notice")).to_have_count(0)
    expect(desk.locator("#judged")).to_be_focused()
    assert NoticeDismissal.objects.get().notice == notice


def test_the_desk_says_what_it_pays_how_long_it_takes_and_who_asks(desk, batch):
    said = f"unpaid · about 30 s an item · asked by {batch.created_by.username}"

    expect(desk.get_by_label("Your judgement")).to_contain_text(said)
    expect(desk.locator(".progress")).to_contain_text("about 30 s an item")
