"""A page of computed figures while their job is at work: it follows, and keeps what is typed on it."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from jobs.actions import jobs
from jobs.models import Job, JobState
from tests.browser import axe
from tests.factories import DatasetFactory


@pytest.fixture
def job(study, alice) -> Job:
    dataset = DatasetFactory(study=study)
    params = {"dataset": dataset.pk}
    return jobs.start(study=study, kind="results", key=str(dataset), params=params, by=alice)


@pytest.fixture
def results(page, sign_in, study, job, alice) -> Page:
    sign_in(alice)
    page.goto(reverse("results", args=[study.slug, job.params["dataset"]]))
    expect(page.get_by_text("The figures are being computed")).to_be_visible()
    return page


def end(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE, finished_at=timezone.now())


def test_at_the_end_of_the_job_the_page_is_loaded_again(results, job):
    results.evaluate("window.isFirst = true")

    end(job)

    expect(results.get_by_text("The figures are being computed")).to_have_count(0)
    assert results.evaluate("window.isFirst") is None


def test_what_is_typed_on_the_page_is_there_after_the_job_has_ended(results, job):
    questions = results.get_by_label("Questions judged for both")
    questions.fill("155")

    end(job)

    expect(results.get_by_text("This page is out of date")).to_be_visible()
    expect(questions).to_have_value("155")
    assert axe.violations(results) == []
    asked: list[str] = []
    results.on("request", lambda request: asked.append(request.url))
    results.wait_for_timeout(4_000)  # a round more, were it still following
    assert asked == []

    results.get_by_role("link", name="load it again").click()

    expect(results.get_by_text("This page is out of date")).to_have_count(0)
    expect(results.get_by_text("The figures are being computed")).to_have_count(0)
