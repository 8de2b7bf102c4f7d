"""The pages of jobs: how far they are, how they ended, what was wrong by row."""

import csv
import io
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from jobs import shortcuts
from jobs.actions import execution, jobs, liveness
from jobs.handlers import JobFailedError, RowError
from jobs.models import ChunkState, Job, JobError, JobState

HOSTILE = '<script>alert("x")</script>'


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@pytest.fixture(autouse=True)
def started_jobs(monkeypatch):
    sent = []
    monkeypatch.setattr(shortcuts.work_on, "delay", sent.append)
    return sent


def href(name, job, **query):
    return reverse(name, kwargs={"study": job.study.slug, "job": job.pk})


def page(client, job, **headers):
    return client.get(href("job", job), headers=headers).content.decode()


def end_job(job, state=JobState.DONE, **fields):
    Job.objects.filter(pk=job.pk).update(state=state, finished_at=timezone.now(), **fields)
    return job


def failed(job, n_problems=1, message="nothing was imported: 1 problem\ntruth.json: record 1: a"):
    errors = tuple(
        RowError("is not text", "truth.json", f"record {n}", "Truth_answer", str(n))
        for n in range(1, n_problems + 1)
    )
    jobs.fail(job=job, message=message, errors=errors)
    return job


def create_jobs(study, alice, n):
    return [
        jobs.start(study=study, kind="score", key=f"stone {i}", params={}, by=alice)
        for i in range(n)
    ]


def test_the_list_names_each_job_with_its_state_and_who_started_it(client, job):
    text = client.get(reverse("jobs", kwargs={"study": job.study.slug})).content.decode()

    assert "Carve" in text
    assert "a stone" in text
    assert "waiting" in text
    assert "alice" in text


def test_the_list_of_no_jobs_says_so_and_leads_on(client, study):
    text = client.get(reverse("jobs", kwargs={"study": study.slug})).content.decode()

    assert "There is no job yet" in text
    assert reverse("dataset_import", kwargs={"study": study.slug}) in text


def test_the_list_asks_as_often_for_thirty_jobs_as_for_three(
    client, study, alice, django_assert_num_queries, django_assert_max_num_queries
):
    address = reverse("jobs", kwargs={"study": study.slug})
    create_jobs(study, alice, 3)
    with django_assert_max_num_queries(12) as asked:
        client.get(address)
    for each in create_jobs(study, alice, 30)[3:]:
        failed(each, 2)

    with django_assert_num_queries(len(asked)):
        client.get(address)


def test_the_list_can_be_narrowed_to_a_state_and_a_kind(client, study, alice):
    first, second = create_jobs(study, alice, 2)
    end_job(first)

    address = reverse("jobs", kwargs={"study": study.slug})
    text = client.get(address, {"state": "unfinished", "kind": "score"}).content.decode()

    assert second.key in text
    assert first.key not in text


def test_a_job_at_work_fetches_its_state_anew(client, job, work):
    execution.plan(job, work.handler)

    text = page(client, job)

    assert 'hx-trigger="every 1s"' in text
    assert "htmx-2.min.js" in text
    assert "0 of 6 parts" in text


def test_htmx_is_given_the_part_that_changes_and_nothing_else(client, job):
    text = page(client, job, hx_request="true")

    assert text.strip().startswith('<section id="job"')
    assert "<html" not in text


def test_a_page_of_figures_hears_how_far_the_job_is_and_is_loaded_anew_at_its_end(
    client, job, work
):
    asked = {"path": href("job", job), "data": {"part": "progress"}}
    htmx = {"HX-Request": "true"}
    execution.plan(job, work.handler)

    assert "0 of 6 parts" in client.get(**asked, headers=htmx).text
    end_job(job)

    assert client.get(**asked, headers=htmx).headers["HX-Refresh"] == "true"
    assert "<html" in client.get(**asked).text


def test_a_job_that_has_ended_fetches_nothing_more(client, job):
    end_job(job, result={"n_carved": 1234})

    for text in (page(client, job), page(client, job, hx_request="true")):
        assert "hx-get" not in text
        assert "1,234" in text
    assert "htmx-2.min.js" not in page(client, job)


def test_a_page_follows_the_job_that_comes_after_until_it_has_ended(client, study, alice, job):
    end_job(job)
    after = jobs.start(study=study, kind="score", key="em", params={"after": job.pk}, by=alice)

    during = page(client, job)
    end_job(after)
    afterwards = page(client, job)

    assert "htmx-2.min.js" in during
    assert 'hx-select="#next"' in during
    assert "waiting" in during
    assert f'href="{href("job", after)}"' in during
    assert "htmx-2.min.js" not in afterwards
    assert "hx-get" not in afterwards
    assert f'href="{href("job", after)}"' in afterwards


def test_what_is_said_aloud_changes_by_tens(client, job, work):
    execution.plan(job, work.handler)
    job.chunks.filter(number=1).update(state=ChunkState.DONE)

    assert "30 % done" in page(client, job, hx_request="true")  # 2 of 6


def test_a_failed_job_says_why_and_lists_its_problems_by_row(client, job):
    failed(job)

    text = page(client, job)

    assert "Nothing was imported: 1 problem</p>" in text
    for part in ("truth.json", "record 1", "Truth_answer", "is not text"):
        assert part in text


def test_a_job_with_very_many_problems_says_how_many_of_them_it_lists(client, job):
    jobs.fail(job=job, message="no", errors=[RowError("wrong")] * 1_000, n_errors=20_000)

    text = page(client, job)

    assert "20,000 problems" in text
    assert "The first 1,000 of 20,000 problems are listed." in text
    assert "Download those listed as CSV" in text


def test_a_job_whose_problems_were_removed_with_its_files_says_so(client, job):
    failed(job, n_problems=3)
    job.errors.all().delete()

    text = page(client, job)

    assert "3 problems" in text
    assert "no longer listed" in text
    assert "Download" not in text


def test_a_failure_without_rows_is_told_whole(client, job):
    jobs.fail(job=job, message="the workers die\nlook at their memory")

    assert "look at their memory" in page(client, job)


def test_problems_come_in_pages_and_can_be_searched(client, job):
    failed(job, 10_000)

    first = client.get(href("job", job)).content.decode()
    assert "10,000 problems" in first
    assert "Next" in first

    found = client.get(href("job", job), {"p-q": "record 9999"}).content.decode()
    assert "1 problem<" in found


def test_a_page_of_problems_asks_as_often_for_many_as_for_few(
    client, job, django_assert_num_queries, django_assert_max_num_queries
):
    failed(job, 3)
    with django_assert_max_num_queries(12) as asked:
        client.get(href("job", job))
    jobs.record_errors(job=job, errors=[RowError("wrong")] * 30)

    with django_assert_num_queries(len(asked)):
        client.get(href("job", job))


def test_problems_are_downloaded_as_csv_that_runs_nothing(client, job):
    failed(job, 2)
    JobError.objects.filter(number=1).update(value="=1+1", message="Ünïcode, with\nlines")

    response = client.get(href("job_problems", job))

    text = b"".join(response).decode()
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[0] == ["file", "row", "field", "value", "message"]
    assert rows[2] == ["truth.json", "record 2", "Truth_answer", "'=1+1", "Ünïcode, with\nlines"]


def test_hostile_texts_are_shown_and_not_run(client, job):
    Job.objects.filter(pk=job.pk).update(key=HOSTILE)
    failed(job, message=HOSTILE)
    JobError.objects.create(
        job=job, number=7, file=HOSTILE, row=HOSTILE, field=HOSTILE, value=HOSTILE, message=HOSTILE
    )

    for text in (page(client, job), page(client, job, hx_request="true")):
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert" in text


@pytest.mark.parametrize(
    ("age", "is_heard_of", "is_said"), [(31, False, True), (29, False, False), (31, True, False)]
)
def test_a_job_that_waits_in_vain_says_that_no_worker_is_there(
    client, job, age, is_heard_of, is_said
):
    Job.objects.update(created_at=timezone.now() - timedelta(seconds=age))
    if is_heard_of:
        liveness.record_beat()

    assert ("No worker seems to be running" in page(client, job)) == is_said


def test_cancelling_is_confirmed_first(client, job):
    text = client.get(href("job_cancel", job)).content.decode()

    assert "Cancel the job?" in text
    job.refresh_from_db()
    assert job.state == JobState.WAITING

    reply = client.post(href("job_cancel", job), follow=True)

    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert "The job is cancelled." in reply.content.decode()


def test_cancelling_what_has_ended_is_said_and_changes_nothing(client, job):
    end_job(job)

    reply = client.post(href("job_cancel", job), follow=True)

    assert "is not running" in reply.content.decode()
    job.refresh_from_db()
    assert job.state == JobState.DONE


def test_a_failed_job_goes_on_and_wakes_a_worker(
    client, job, started_jobs, django_capture_on_commit_callbacks
):
    failed(job)

    with django_capture_on_commit_callbacks(execute=True):
        reply = client.post(href("job_resume", job))

    assert reply["Location"] == href("job", job)
    assert started_jobs == [job.pk]
    job.refresh_from_db()
    assert job.state == JobState.WAITING


def test_what_was_done_cannot_go_on(client, job):
    end_job(job)

    text = client.post(href("job_resume", job), follow=True).content.decode()

    assert "neither failed nor was cancelled" in text


def test_resuming_by_following_a_link_is_refused(client, job):
    assert client.get(href("job_resume", job)).status_code == 405


def test_a_form_without_its_token_is_refused(alice, job):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")

    assert client.post(href("job_cancel", job)).status_code == 403


@pytest.mark.parametrize("name", ["job", "job_problems", "job_cancel"])
@pytest.mark.parametrize("pk", [0, 10**6, 10**30])
def test_a_job_that_is_not_there_is_not_found(client, study, name, pk):
    address = reverse(name, kwargs={"study": study.slug, "job": pk})

    assert client.get(address).status_code == 404


def test_a_job_without_a_worker_ends_in_the_words_of_its_failure(client, job, work):
    def refuse(part, beat):
        raise JobFailedError("nothing was carved", [RowError("too hard", row="row 3")])

    work.during = refuse
    with pytest.raises(JobFailedError):
        execution.work(job)

    text = page(client, job)
    assert "Nothing was carved" in text
    assert "too hard" in text


# The list while something in it moves


def jobs_page(client, study, query="", **headers):
    href = reverse("jobs", kwargs={"study": study.slug}) + query
    return client.get(href, headers=headers).content.decode()


def test_the_list_fetches_itself_anew_while_a_job_is_at_work(client, job):
    text = jobs_page(client, job.study, "?kind=carve&sort=state")

    assert 'hx-get="/studies/' in text
    assert "?kind=carve&amp;sort=state" in text
    assert "htmx-2.min.js" in text
    assert "1 job is running" in text


def test_a_list_that_is_narrowed_to_what_ended_still_waits_for_what_will(client, job):
    assert "hx-get" in jobs_page(client, job.study, "?state=done")


def test_htmx_is_given_the_list_and_nothing_else(client, job):
    text = jobs_page(client, job.study, hx_request="true")

    assert text.strip().startswith('<section id="jobs"')
    assert "<html" not in text
    assert "a stone" in text


def test_where_nothing_is_at_work_the_list_fetches_nothing(client, job):
    end_job(job)

    for text in (jobs_page(client, job.study), jobs_page(client, job.study, hx_request="true")):
        assert "hx-get" not in text
    assert "htmx-2.min.js" not in jobs_page(client, job.study)
