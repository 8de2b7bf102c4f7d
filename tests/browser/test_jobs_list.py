"""The list of jobs and the page of a job follow what is at work by themselves, and rest when nothing is."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from jobs import shortcuts
from jobs.actions import jobs
from jobs.models import Job, JobState
from tests.browser import axe


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch):
    monkeypatch.setattr(shortcuts.work_on, "delay", lambda pk: None)


def end(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE, finished_at=timezone.now())


def test_the_list_follows_its_jobs_keeps_the_focus_and_then_rests(page, sign_in, study, alice):
    first, second = (
        jobs.start(study=study, kind="score", key=key, params={}, by=alice) for key in ("em", "f1")
    )
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/jobs/")
    rows = page.locator("#jobs tbody tr")
    assert axe.violations(page) == []
    link = page.locator(f"#job-{first.pk}")
    link.focus()

    end(first)
    expect(rows.filter(has_text="em").locator(".tag")).to_have_text("done")
    expect(rows.filter(has_text="f1").locator(".tag")).to_have_text("waiting")
    expect(page.locator("#job-said")).to_have_text("1 job is running")
    expect(link).to_be_focused()

    end(second)
    expect(rows.filter(has_text="f1").locator(".tag")).to_have_text("done")
    expect(page.locator("#job-said")).to_have_text("All jobs have ended")
    n_asked = len(asked)
    page.wait_for_timeout(5_000)  # two rounds more, were it still following
    assert len(asked) == n_asked


def test_who_was_signed_out_meanwhile_is_led_to_sign_in(page, context, sign_in, study, alice):
    jobs.start(study=study, kind="score", key="em", params={}, by=alice)
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/jobs/")

    context.clear_cookies()

    page.wait_for_url(lambda url: "/sign-in/" in url)


def test_a_job_s_page_follows_the_job_that_comes_after(page, sign_in, study, alice):
    first = jobs.start(study=study, kind="calibrate", key="one", params={}, by=alice)
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/jobs/{first.pk}/")
    jobs.start(study=study, kind="score", key="em", params={"after": first.pk}, by=alice)
    Job.objects.filter(pk=first.pk).update(state=JobState.CANCELLED, finished_at=timezone.now())
    said = page.locator("#job-said")
    expect(said).to_have_text("Score: waiting")
    assert axe.violations(page) == []
    link = page.locator("#next-job")
    link.focus()

    end(Job.objects.get(kind="score"))

    expect(page.locator("#next .tag")).to_have_text("done")
    expect(said).to_have_text("Score: done")
    expect(link).to_be_focused()
    assert axe.violations(page) == []
