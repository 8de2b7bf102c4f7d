"""One more judgement in a browser, by keyboard: asked for, judged by somebody else, and the item is saved."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import Role
from annotation.actions import batches, guideline_readings, settlement, verdicts
from annotation.models import Batch, VerdictState
from tests.annotation import judged_batches
from tests.annotation.judged_batches import JudgedBatch
from tests.browser.focus import tab_to
from tests.browser.test_desk import expect_done, expect_saved, press, set_beat
from tests.browser.test_review import looked_at
from tests.conftest import member

HOME = "/studies/lighthouses/"


@pytest.fixture
def gus(study, alice):
    return member(study, "gus", Role.ANNOTATOR, by=alice)


@pytest.fixture
def judged_batch(study, alice, bob, dora, gus) -> JudgedBatch:
    """Closed and settled by majority, paid; items 3, 4, 5, 7 and 8 are one against one."""
    found = judged_batches.create_judged_batch(study, alice, bob, dora, closed=False)
    for item in found.batch.items.all():
        item.n_wanted, item.n_open = item.n_counted, 0
        item.save()
    Batch.objects.filter(pk=found.batch.pk).update(reward="0.06", currency="USD")
    batches.close(batch=found.batch, by=alice)
    settlement.settle(batch=found.batch, rule="majority", by=alice)
    return found


def enter(page: Page, role: str, name: str) -> None:
    tab_to(page, page.get_by_role(role, name=name))
    press(page, "Enter")


def test_items_in_dispute_are_saved_by_a_third_judgement_that_a_requester_asks_for(
    page, sign_in, judged_batch, alice, gus
):
    sign_in(alice)
    page.goto(f"{HOME}disputes/")
    tab_to(page, page.locator("main").get_by_role("link", name="campaign", exact=True))
    press(page, "Enter")
    expect(page.get_by_role("heading", name="One more judgement")).to_be_visible()
    tab_to(page, page.get_by_label("Further judgements of an item, at most"))
    page.keyboard.type("2")
    press(page, "Enter")
    expect(page.get_by_role("heading", name="By majority, at most 2 more")).to_be_visible()
    looked_at(page, "more")
    enter(page, "button", "Ask for 5 judgements, $0.30")
    expect(page.get_by_text("One judgement more is asked of 5 items.")).to_be_visible()

    guideline_readings.confirm(batch=judged_batch.batch, by=gus)
    sign_in(gus)
    set_beat(page, 0)
    page.goto(f"{HOME}desk/{judged_batch.batch.pk}/")
    expect(page.locator("#judged")).to_contain_text("guild teh Built")
    expect_done(page, 0, 5)
    press(page, "2")
    expect(page.locator("#judged")).to_contain_text("I do not know.")
    expect_saved(page)

    sign_in(alice)
    page.goto(f"{HOME}batches/{judged_batch.batch.pk}/close/")
    page.get_by_role("button", name="Close").press("Enter")
    settlement.settle(batch=judged_batch.batch, rule="majority", by=alice, expire_claims=True)
    page.goto(f"{HOME}batches/{judged_batch.batch.pk}/more/")

    saved = verdicts.current_verdict(judged_batch.item(3))
    assert (saved.state, saved.label) == (VerdictState.DECIDED, "implausible")
    row = page.get_by_role("region", name="Asked before").locator("tbody tr")
    expect(row).to_contain_text("majority, at most 2, $0.06 each")
    looked_at(page, "asked before")
