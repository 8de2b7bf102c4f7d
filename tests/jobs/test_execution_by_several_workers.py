"""Several workers on one job at the same time, each with a database connection of its own."""

import itertools
import threading
import time

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from jobs.actions import execution, jobs
from jobs.models import Chunk, ChunkState, Job, JobState
from tests.jobs.carving_job import KIND, carved_parts
from tests.jobs.threads import LONGEST, at_work

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


def test_two_workers_share_a_job_and_do_nothing_twice(job, work):
    work.n_parts = 8
    both = threading.Barrier(2, timeout=LONGEST)
    workers = set()

    def meet(part, beat):
        if threading.get_ident() not in workers:
            workers.add(threading.get_ident())
            both.wait()

    work.during = meet
    with at_work(*[lambda: execution.run(Job.objects.get(pk=job.pk))] * 2):
        pass

    job.refresh_from_db()
    assert len(workers) == 2
    assert sorted(work.computed) == carved_parts() == list(range(8))
    assert (job.state, job.result) == (JobState.DONE, {"n_carved": 8})


def test_the_lease_is_renewed_while_a_long_step_lasts(job, work, settings):
    settings.JOB_LEASE_SECONDS = 1
    work.n_parts = 1
    renewed = []

    def outlast_the_lease(part, beat):
        first = Chunk.objects.get().leased_until
        deadline = time.monotonic() + LONGEST
        while Chunk.objects.get().leased_until == first and time.monotonic() < deadline:
            time.sleep(0.02)
        renewed.append(Chunk.objects.get().leased_until > first)

    work.during = outlast_the_lease
    execution.run(job)

    assert renewed == [True]
    assert carved_parts() == [0]


def test_a_database_that_is_away_for_a_moment_does_not_end_the_heartbeat(
    job, work, settings, monkeypatch, caplog
):
    settings.JOB_LEASE_SECONDS = 0.4
    work.n_parts = 1
    real, n_calls = execution.lease_end, itertools.count(1)
    renewed = threading.Event()

    def away_at_the_first_beat():
        n = next(n_calls)
        if n == 2:
            raise OperationalError("the database is away")
        if n == 3:
            renewed.set()
        return real()

    monkeypatch.setattr(execution, "lease_end", away_at_the_first_beat)
    work.during = lambda part, beat: renewed.wait(LONGEST)
    execution.run(job)

    assert renewed.is_set()
    assert "could not be renewed now" in caplog.text
    assert carved_parts() == [0]


def hold(act):
    """The act in a transaction of another worker, which stays open for a moment. Gives when it is done."""
    done = threading.Event()

    def in_a_transaction():
        with transaction.atomic():
            act()
            done.set()
            time.sleep(0.3)

    return in_a_transaction, done


def test_a_worker_whose_chunk_is_being_taken_over_does_not_write(job, work):
    execution.plan(job, work.handler)
    chunk = execution.lease(job, "slow")
    Chunk.objects.filter(pk=chunk.pk).update(leased_until=timezone.now())
    take_over, taken = hold(lambda: execution.lease(job, "quick"))

    with at_work(take_over):
        assert taken.wait(LONGEST)
        with pytest.raises(execution.LeaseLostError), transaction.atomic():
            execution.mark_done(chunk)

    chunk.refresh_from_db()
    assert (chunk.state, chunk.worker) == (ChunkState.LEASED, "quick")


def test_a_chunk_that_is_just_being_finished_is_not_finished_twice(job, work):
    execution.plan(job, work.handler)
    chunk = execution.lease(job, "one")
    finish, finished = hold(lambda: execution.mark_done(chunk))

    with at_work(finish):
        assert finished.wait(LONGEST)
        with pytest.raises(execution.LeaseLostError), transaction.atomic():
            execution.mark_done(chunk)


def test_two_who_start_the_same_job_at_once_get_one_job(study, alice):
    both = threading.Barrier(2, timeout=LONGEST)
    started = []

    def start():
        both.wait()
        job = jobs.start(study=study, kind=KIND, key="a stone", params={"size": 3}, by=alice)
        started.append(job.pk)

    with at_work(start, start):
        pass

    assert len(started) == 2
    assert set(started) == {Job.objects.get().pk}


def test_who_cancels_while_the_last_part_is_written_finds_the_job_done(job, work, alice):
    work.n_parts = 1
    writes = threading.Event()

    def write_slowly(job, params, part):
        kept = type(work).save(work, job, params, part)
        writes.set()
        time.sleep(0.3)
        return kept

    def cancel():
        assert writes.wait(LONGEST)
        with pytest.raises(jobs.JobStateError, match="is not running"):
            jobs.cancel(job=Job.objects.get(pk=job.pk), by=alice)

    work.save = write_slowly
    with at_work(cancel):
        execution.run(job)

    job.refresh_from_db()
    assert (job.state, carved_parts()) == (JobState.DONE, [0])


def test_who_cancels_while_an_earlier_part_is_written_ends_the_job_and_keeps_that_part(
    job, work, alice
):
    writes, cancelled = threading.Event(), threading.Event()

    def wait_before_the_second(part, beat):
        assert part == 0 or cancelled.wait(LONGEST)

    def write_slowly(job, params, part):
        kept = type(work).save(work, job, params, part)
        writes.set()
        time.sleep(0.3)
        assert not cancelled.is_set()
        return kept

    def cancel():
        assert writes.wait(LONGEST)
        jobs.cancel(job=Job.objects.get(pk=job.pk), by=alice)
        cancelled.set()

    work.during, work.save = wait_before_the_second, write_slowly
    with at_work(cancel):
        execution.work(job)

    job.refresh_from_db()
    assert (job.state, carved_parts()) == (JobState.CANCELLED, [0])


def test_what_is_to_be_written_while_somebody_cancels_is_not_written(job, work, alice):
    work.n_parts = 1
    execution.plan(job, work.handler)
    chunk = execution.lease(job, "one")
    cancel, cancelled = hold(lambda: jobs.cancel(job=Job.objects.get(pk=job.pk), by=alice))

    with at_work(cancel):
        assert cancelled.wait(LONGEST)
        assert execution.do_chunk(job, work.handler, chunk) == 0

    job.refresh_from_db()
    assert (job.state, carved_parts()) == (JobState.CANCELLED, [])


@pytest.mark.skipif(
    connection.vendor != "sqlite", reason="only SQLite has one lock for all who write"
)
def test_a_write_lock_that_is_held_too_long_does_not_end_the_job(job, work):
    locked, tried = threading.Event(), threading.Event()

    def hold_the_lock():
        with transaction.atomic():
            Job.objects.update(message="busy")
            locked.set()
            assert tried.wait(LONGEST)
            transaction.set_rollback(True)

    with at_work(hold_the_lock):
        assert locked.wait(LONGEST)
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 50")
        with pytest.raises(OperationalError, match="database is locked"):
            execution.work(job)
        tried.set()

    job.refresh_from_db()
    assert (job.state, job.message) == (JobState.WAITING, "")
    assert execution.run(job).result == {"n_carved": 3}
