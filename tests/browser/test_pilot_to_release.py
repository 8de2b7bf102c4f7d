"""docs/pilot-to-release.md by pages: each thing in italics there is used by the name that it has there."""

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from annotation.actions import reviews
from annotation.models import Batch
from exports.models import Release
from jobs import shortcuts
from jobs.actions import execution
from jobs.models import Job
from tests import pilot_to_release as way
from tests.browser import axe, label_rule

pytestmark = pytest.mark.journey


class Names:
    """What pages have, by names that the steps of the page say; which of them were used."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.all = {name for _, text in way.steps() for name in way.labels_of_pages(text)}
        self.used: set[str] = set()

    def __call__(self, name: str) -> str:
        assert name in self.all, f"docs/pilot-to-release.md does not say {name}"
        self.used.add(name)
        return name

    def link(self, name: str) -> None:
        self.page.get_by_role("link", name=self(name)).first.click()

    def button(self, name: str) -> None:
        self.page.get_by_role("button", name=self(name), exact=True).click()

    def field(self, name: str) -> Locator:
        return self.page.get_by_label(self(name))


@pytest.fixture
def study(tmp_path, monkeypatch, transactional_db):
    monkeypatch.setattr(shortcuts.work_on, "delay", lambda pk: None)
    return way.create_study(tmp_path)


def run_jobs() -> None:
    for job in Job.objects.unfinished():
        execution.run(job)


def draw_pool(names: Names, home: str, name: str, turns: str) -> None:
    names.page.goto(home)
    names.link("Draw a pool")
    names.page.get_by_role("spinbutton", name=names("Threshold"), exact=True).fill("0.8")
    if turns:
        names.page.locator("summary", has_text=names("Questions: all that give candidates")).click()
        names.field("Questions to draw").fill(turns)
    names.page.get_by_label("Name of the pool").fill(name)
    names.button("Draw the pool")
    expect(names.page.get_by_role("heading", level=1)).to_have_text(name)


def open_draft(names: Names) -> None:
    names.button("Create the draft")
    names.link("Open it")
    names.button("Open the batch")
    expect(names.page.get_by_text("is open")).to_be_visible()


def close_and_settle(names: Names, batch: Batch) -> None:
    way.judge_all(batch)
    names.page.goto(reverse("batch", args=[batch.study.slug, batch.pk]))
    names.link("Close")
    names.page.get_by_role("button", name="Close").click()
    names.link("Settle")
    names.field("unanimous").check()
    names.page.get_by_role("button", name="Settle the batch").click()
    expect(names.page.get_by_role("heading", name="Verdicts")).to_be_visible()


def test_a_way_from_a_pilot_to_a_release_goes_by_the_pages_that_are_named(page, sign_in, study):
    names = Names(page)
    home = reverse("study", args=[study.slug])
    alice, carol = (User.objects.get(username=name) for name in ("alice", "carol"))
    sign_in(alice)
    draw_pool(names, home, "all", "")
    draw_pool(names, home, "few", "18")

    names.link("Open a batch on it")
    page.get_by_label("Name", exact=True).fill("pilot")
    names.field("What it is for").select_option("pilot")
    page.get_by_label("Judgements of each item").fill("3")
    open_draft(names)
    pilot = Batch.objects.get(name="pilot")
    close_and_settle(names, pilot)
    for item, label in way.disputes("pilot"):
        reviews.adjudicate(item=item, label=label, reason=label_rule.REASON, by=carol)

    page.goto(reverse("batch", args=[study.slug, pilot.pk]))
    names.link("After the pilot")
    names.field("Bar for right answers").fill("0.7")
    page.get_by_label("Pool").select_option(str(study.pools.get(name="all").pk))
    page.get_by_label("Judgements of each item").fill("2")
    names.button("Show")
    for name in (*way.CAREFUL, *way.CARELESS):
        box = page.get_by_role("checkbox", name=name)
        expect(box).to_be_checked(checked=name in way.CAREFUL)
    page.get_by_label("Name of the full batch").fill("full")
    page.get_by_label("Name of the new qualification").fill("trusted")
    page.get_by_label("Reason why these people").fill("careful in the pilot")
    names.field("Plan of analysis").fill("The share of plausible answers of each run.")
    assert axe.violations(page) == []
    names.button("Grant and open the full batch")
    expect(page.locator(".messages")).to_contain_text("is granted to 3 people")
    full = Batch.objects.get(name="full")
    close_and_settle(names, full)

    names.link("On to faithfulness")
    page.get_by_label("Name of the pool").fill("evidence")
    names.button("Find the evidence")
    page.wait_for_url("**/jobs/*/")
    run_jobs()
    names.link("Open a batch on it")
    page.get_by_label("Name", exact=True).fill("faithful")
    names.field("Who works on it").select_option(label="trusted")
    open_draft(names)
    close_and_settle(names, Batch.objects.get(name="faithful"))

    page.goto(home)
    names.link("Create the release")
    names.field("Set aside").check()
    page.get_by_role("button", name="Create the release").click()
    page.wait_for_url("**/jobs/*/")
    run_jobs()
    page.get_by_role("link", name="Open").click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("Release 1")
    expect(page.locator("main")).to_contain_text("before the first judgement")
    assert Release.objects.count() == 1
    assert names.all == names.used
