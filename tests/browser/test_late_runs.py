"""A late run in a browser: compared with a pool, topped up with one click, judged, and estimated."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from jobs import shortcuts
from jobs.actions import execution
from jobs.models import Job
from tests.annotation.pools import launched
from tests.browser import axe
from tests.exports.missed_answers.test_views import judged_by
from tests.sampling.late_runs import create_late_run
from tests.sampling.scored_dataset import create_scored_dataset, draw_pool


@pytest.fixture
def dataset(study, tmp_path, bob, dora, monkeypatch):
    """A judged pool, then the run gale."""
    monkeypatch.setattr(shortcuts.work_on, "delay", lambda pk: None)
    pool = draw_pool(create_scored_dataset(study, tmp_path))
    judged_by(launched(pool), (bob, dora), {"Green.": "implausible"})
    create_late_run(pool.dataset, tmp_path, "gale")
    return pool.dataset


def compute(page):
    """The page starts its job when it is opened, and shows the figures at its end."""
    expect(page.get_by_text("The figures are being computed")).to_be_visible()
    for job in Job.objects.unfinished().filter(kind__in=["late_runs", "leave_one_team_out"]):
        execution.run(job)
    expect(page.get_by_text("The figures are being computed")).to_have_count(0)


def test_a_late_run_is_topped_up_judged_and_estimated(page, sign_in, alice, dataset, bob, dora):
    sign_in(alice)
    page.goto(reverse("results", args=[dataset.study.slug, dataset.pk]))
    page.get_by_role("link", name="Late runs").click()
    compute(page)
    row = page.get_by_role("row", name="gale")
    expect(row).to_contain_text("bounds 0 % to 100 %")
    assert axe.violations(page) == []

    row.get_by_role("button", name="Draw a top-up").click()

    expect(page.get_by_text("The top-up was drawn: open a batch on it.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("pool + gale")
    assert axe.violations(page) == []

    more = launched(dataset.pools.get(name="pool + gale"), name="more")
    judged_by(more, (bob, dora), {"Basalt.": "implausible"})
    Job.objects.filter(kind="late_runs").delete()  # figures that are a moment old wait for a click
    page.get_by_role("link", name="late runs", exact=True).click()
    compute(page)

    expect(page.get_by_role("row", name="gale")).to_contain_text("50 %")
    expect(page.get_by_role("row", name="gale")).to_contain_text("2 answers asked about")
    assert axe.violations(page) == []


def test_each_team_is_left_out_on_a_page(page, sign_in, alice, dataset):
    sign_in(alice)
    page.goto(reverse("results", args=[dataset.study.slug, dataset.pk]))
    page.get_by_role("link", name="Leave one team out").click()
    compute(page)
    page.get_by_role("link", name="gold and silver answers").click()
    compute(page)

    expect(page.get_by_role("row", name="alder")).to_contain_text("0.500")
    expect(page.get_by_text("have no team: each is left out by itself")).to_be_visible()
    assert axe.violations(page) == []
