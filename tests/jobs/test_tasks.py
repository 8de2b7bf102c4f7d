"""Celery's side of the jobs: a message that comes twice, too late or not at all does no harm."""

import pytest
from django.db import OperationalError
from django.utils import timezone

from config.celery import app
from jobs import tasks
from jobs.actions import execution, jobs, liveness
from jobs.handlers import JobFailedError
from jobs.models import Chunk, JobState
from tests.jobs.carving_job import carved_parts


@pytest.fixture
def started_jobs(monkeypatch):
    """The jobs that workers were sent to."""
    sent = []
    monkeypatch.setattr(tasks.work_on, "delay", sent.append)
    return sent


def test_work_on_does_the_job_and_tells_how_many_chunks(job, work):
    assert tasks.work_on(job.pk) == 3

    job.refresh_from_db()
    assert job.state == JobState.DONE


def test_a_message_that_comes_twice_does_no_harm(job, work):
    tasks.work_on(job.pk)

    assert tasks.work_on(job.pk) == 0
    assert carved_parts() == [0, 1, 2]


def test_a_message_for_a_cancelled_job_does_nothing(job, work, alice):
    jobs.cancel(job=job, by=alice)

    assert tasks.work_on(job.pk) == 0
    assert carved_parts() == []


def test_work_that_cannot_be_done_is_said_in_the_row_and_not_raised(job, work):
    def refuse(part, beat):
        raise JobFailedError("nothing was carved")

    work.during = refuse
    assert tasks.work_on(job.pk) == 0

    job.refresh_from_db()
    assert (job.state, job.message) == (JobState.FAILED, "nothing was carved")


def test_a_defect_is_raised_so_that_the_workers_log_shows_it(job, work):
    work.during = lambda part, beat: 1 / 0

    with pytest.raises(ZeroDivisionError):
        tasks.work_on(job.pk)


def test_wake_sends_a_worker_to_a_job_that_is_new(job, started_jobs):
    assert tasks.wake() == 1
    assert started_jobs == [job.pk]


def test_wake_sends_a_worker_to_a_job_whose_worker_died(job, work, started_jobs):
    execution.plan(job, work.handler)
    while execution.lease(job, "dead"):
        pass
    Chunk.objects.filter(number=2).update(leased_until=timezone.now())

    tasks.wake()

    assert started_jobs == [job.pk]


def test_wake_sends_a_worker_to_a_job_that_nobody_ended(job, work, started_jobs):
    work.n_parts = 0
    execution.plan(job, work.handler)

    tasks.wake()

    assert started_jobs == [job.pk]


def test_a_database_that_is_busy_is_no_crash_of_the_task_and_the_next_wake_up_tries_again(
    job, work, started_jobs
):
    def fail(part, beat):
        raise OperationalError("database is locked")

    work.during = fail
    assert tasks.work_on(job.pk) == 0

    tasks.wake()
    assert started_jobs == [job.pk]


def test_a_wake_up_tells_that_a_worker_is_there(db):
    assert not liveness.worker_is_alive()

    tasks.wake()
    tasks.wake()

    assert liveness.worker_is_alive()


def test_wake_leaves_a_job_alone_that_is_in_good_hands(job, work, started_jobs):
    execution.plan(job, work.handler)
    while execution.lease(job, "busy"):
        pass

    assert tasks.wake() == 0
    assert started_jobs == []


def test_wake_leaves_jobs_alone_that_have_ended(job, work, started_jobs):
    execution.run(job)

    assert tasks.wake() == 0
    assert started_jobs == []


def test_a_wake_up_that_nobody_heard_in_time_is_dropped_and_not_heaped_up():
    entry = app.conf.beat_schedule["wake"]

    assert entry["task"] == tasks.wake.name
    assert entry["options"]["expires"] == 2 * entry["schedule"]
