"""How one worker does a job: plan, lease, compute, write, end."""

import logging
import threading
from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from jobs.actions import execution, jobs
from jobs.handlers import JobCancelledError, JobFailedError, RowError
from jobs.models import Chunk, ChunkState, Job, JobState
from tests import logged_lines
from tests.jobs.carving_job import carved_parts, do_nothing


def states(job):
    return [chunk.state for chunk in job.chunks.order_by("number")]


def lapse(chunk):
    """The worker was not heard of for longer than its lease."""
    Chunk.objects.filter(pk=chunk.pk).update(leased_until=timezone.now() - timedelta(seconds=1))


def test_a_job_does_every_chunk_in_order_and_ends_with_its_result(job, work):
    execution.run(job)

    assert work.computed == carved_parts() == [0, 1, 2]
    assert job.state == JobState.DONE
    assert job.result == {"n_carved": 3}
    assert job.finished_at is not None
    assert jobs.progress(job) == (6, 6)


def test_what_is_logged_while_a_job_is_worked_on_names_it_on_every_thread(
    job, work, monkeypatch, settings
):
    settings.JOB_LEASE_SECONDS = 0.01
    renewed, written = threading.Event(), StringIO()

    def log_renewal(chunk):
        logging.getLogger("renewal").info("renewed")
        renewed.set()

    monkeypatch.setattr(execution, "renew", log_renewal)

    def during(part, beat):
        logging.getLogger("part").info("part %s", part)
        renewed.wait(60)

    work.during = during

    with logged_lines.written_to(written):
        execution.work(job)
        logging.getLogger("afterwards").info("done")

    lines = written.getvalue().splitlines()
    named = [line for line in lines if f" job={job.pk}: " in line]
    assert any("part 0" in line for line in named)
    assert any("renewed" in line for line in named)
    assert lines[-1].endswith(": done")
    assert lines[-1] not in named


def test_a_job_with_nothing_to_do_is_done(job, work):
    work.n_parts = 0

    execution.run(job)

    assert job.state == JobState.DONE
    assert job.result == {"n_carved": 0}


def test_a_job_is_planned_once(job, work):
    execution.plan(job, work.handler)
    execution.plan(job, work.handler)

    assert work.n_plans == 1
    assert job.chunks.count() == 3


def test_the_plan_of_a_second_planner_at_the_same_time_is_dropped(job, work):
    planned_meanwhile = []

    def plan_twice(job):
        if not planned_meanwhile:
            planned_meanwhile.append(True)
            execution.plan(type(job).objects.get(pk=job.pk), work.handler)
        return type(work).plan(work, job)

    work.plan = plan_twice
    execution.plan(job, work.handler)

    assert work.n_plans == 2
    assert job.chunks.count() == 3


def test_a_job_that_was_cancelled_while_it_was_planned_stays_cancelled(job, work, alice):
    def plan_too_long(planned):
        jobs.cancel(job=job, by=alice)
        return type(work).plan(work, planned)

    work.plan = plan_too_long
    execution.work(job)

    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert not job.chunks.exists()


def test_a_worker_leases_a_chunk_until_the_lease_ends(job, work, settings):
    settings.JOB_LEASE_SECONDS = 60
    execution.plan(job, work.handler)

    before = timezone.now()
    chunk = execution.lease(job, "one")

    chunk.refresh_from_db()
    assert (chunk.number, chunk.state, chunk.worker) == (0, ChunkState.LEASED, "one")
    assert chunk.n_attempts == 1
    assert timedelta(seconds=59) < chunk.leased_until - before < timedelta(seconds=62)


def test_no_two_workers_lease_the_same_chunk(job, work):
    execution.plan(job, work.handler)

    leased = [execution.lease(job, worker) for worker in ("one", "two", "three", "four")]

    assert [chunk and chunk.number for chunk in leased] == [0, 1, 2, None]


def test_a_worker_that_was_heard_of_keeps_its_chunk(job, work):
    work.n_parts = 1
    execution.plan(job, work.handler)
    execution.lease(job, "busy")

    assert execution.work(job) == 0
    assert states(job) == [ChunkState.LEASED]


def test_a_chunk_whose_worker_died_is_taken_over_when_its_lease_has_lapsed(job, work):
    execution.plan(job, work.handler)
    dead = execution.lease(job, "dead")
    lapse(dead)

    execution.run(job)

    dead.refresh_from_db()
    assert (dead.state, dead.n_attempts) == (ChunkState.DONE, 2)
    assert dead.worker != "dead"
    assert carved_parts() == [0, 1, 2]


def test_who_has_lost_the_lease_writes_nothing(job, work):
    work.n_parts = 1

    def be_taken_over(part, beat):
        Chunk.objects.update(worker="another")

    work.during = be_taken_over
    n_done = execution.work(job)

    assert n_done == 0
    assert carved_parts() == []
    assert states(job) == [ChunkState.LEASED]


def lose(job):
    """Another worker has taken the chunk that was leased."""
    Chunk.objects.filter(job=job, state=ChunkState.LEASED).update(worker="another")


def test_who_has_lost_the_lease_hears_so_at_the_next_beat(job, work):
    behind = []

    def too_late(part, beat):
        beat()
        lose(job)
        beat()
        behind.append(part)

    work.n_parts, work.during = 1, too_late

    assert execution.work(job) == 0

    job.refresh_from_db()
    assert (job.state, behind, carved_parts()) == (JobState.RUNNING, [], [])


@pytest.mark.parametrize("error", [JobFailedError("its folder is gone"), ValueError("gone")])
def test_who_has_lost_the_lease_cannot_fail_the_job(job, work, error):
    def fail_too_late(part, beat):
        lose(job)
        raise error

    work.n_parts, work.during = 1, fail_too_late

    assert execution.work(job) == 0

    job.refresh_from_db()
    assert (job.state, job.message) == (JobState.RUNNING, "")
    assert work.cleared == []


def test_a_lapsed_lease_that_nobody_took_is_still_good_to_write(job, work):
    work.n_parts = 1
    work.during = lambda part, beat: lapse(Chunk.objects.get())

    execution.run(job)

    assert carved_parts() == [0]


def test_a_finished_chunk_is_never_done_again(job, work):
    execution.run(job)
    Job.objects.update(state=JobState.RUNNING, finished_at=None)

    assert execution.work(job) == 0
    assert work.computed == carved_parts() == [0, 1, 2]


def test_a_chunk_that_was_written_by_another_worker_is_not_written_twice(job, work):
    work.n_parts = 1
    finished_by_another = []

    def let_another_finish(part, beat):
        if not finished_by_another:
            finished_by_another.append(True)
            lapse(Chunk.objects.get())
            execution.work(type(job).objects.get(pk=job.pk))

    work.during = let_another_finish
    assert execution.work(job) == 0

    assert work.computed == [0, 0]
    assert carved_parts() == [0]
    job.refresh_from_db()
    assert job.state == JobState.DONE


def test_a_write_that_fails_leaves_neither_its_rows_nor_a_finished_chunk(job, work):
    def save_and_fail(job, params, part):
        type(work).save(work, job, params, part)
        raise ZeroDivisionError

    work.save = save_and_fail
    with pytest.raises(ZeroDivisionError):
        execution.work(job)

    assert carved_parts() == []
    assert states(job) == [ChunkState.WAITING] * 3


def test_cancel_is_noticed_at_the_next_beat_and_finished_chunks_stay(job, work, alice):
    came_so_far = []

    def cancel_in_the_second(part, beat):
        if part == 1:
            jobs.cancel(job=job, by=alice)
            beat()
        came_so_far.append(part)

    work.during = cancel_in_the_second
    with pytest.raises(JobCancelledError, match="the job carve a stone was cancelled"):
        execution.run(job)

    assert came_so_far == carved_parts() == [0]
    assert states(job) == [ChunkState.DONE, ChunkState.WAITING, ChunkState.WAITING]


def test_what_a_cancelled_job_computed_without_a_beat_is_not_written(job, work, alice):
    def cancel_silently(part, beat):
        if part == 1:
            jobs.cancel(job=job, by=alice)

    work.during = cancel_silently
    execution.work(job)

    assert carved_parts() == [0]


def test_a_cancelled_job_goes_on_with_the_rest_only(job, work, alice):
    test_cancel_is_noticed_at_the_next_beat_and_finished_chunks_stay(job, work, alice)
    work.during = lambda part, beat: beat()

    jobs.resume(job=job, by=alice)
    execution.run(job)

    assert work.computed == [0, 1, 1, 2]
    assert carved_parts() == [0, 1, 2]


def test_work_that_cannot_be_done_ends_the_job_with_its_rows(job, work):
    def refuse(part, beat):
        rows = [RowError("is not text", file="a.json", row="record 3", field="text", value="7")]
        raise JobFailedError("nothing was carved", rows)

    work.during = refuse
    with pytest.raises(JobFailedError, match="nothing was carved"):
        execution.run(job)

    job.refresh_from_db()
    error = job.errors.get()
    assert (job.state, job.message) == (JobState.FAILED, "nothing was carved")
    assert (error.file, error.row, error.field, error.value, error.message) == (
        "a.json",
        "record 3",
        "text",
        "7",
        "is not text",
    )


def test_an_unexpected_error_ends_the_job_and_shows_itself(job, work):
    work.during = lambda part, beat: 1 / 0

    with pytest.raises(ZeroDivisionError):
        execution.run(job)

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert job.message == "unexpected ZeroDivisionError: division by zero"


def database_fails(part, beat):
    raise OperationalError("database is locked")


def test_a_database_that_is_busy_does_not_end_the_job(job, work, caplog):
    work.during = database_fails
    with pytest.raises(OperationalError):
        execution.run(job)

    job.refresh_from_db()
    chunk = job.chunks.get(number=0)
    assert (job.state, job.message) == (JobState.RUNNING, "")
    assert (chunk.state, chunk.n_attempts) == (ChunkState.WAITING, 0)
    assert execution.needs_worker(job)
    assert f"job {job.pk} is put off: the database failed (database is locked)" in caplog.text


def test_a_job_goes_on_when_the_database_is_there_again(job, work):
    work.during = database_fails
    with pytest.raises(OperationalError):
        execution.run(job)
    work.during = lambda part, beat: None

    execution.run(job)

    assert carved_parts() == [0, 1, 2]


def test_a_database_that_fails_at_the_plan_leaves_the_job_waiting(job, work):
    def fail(job):
        raise InterfaceError("connection already closed")

    work.plan = fail
    with pytest.raises(InterfaceError):
        execution.run(job)

    job.refresh_from_db()
    assert job.state == JobState.WAITING


@pytest.mark.parametrize("step", ["plan", "compute", "save", "finish"])
def test_a_database_that_fails_for_good_ends_the_job_after_five_times(job, work, step):
    def fail(*args):
        raise OperationalError("too many SQL variables")

    setattr(work, step, fail)
    for _ in range(execution.MOST_ATTEMPTS - 1):
        with pytest.raises(OperationalError):
            execution.work(job)
    sentence = "the database failed 5 times in a row, the last time with: too many SQL variables"
    with pytest.raises(JobFailedError, match=sentence):
        execution.work(job)

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert job.message.startswith(sentence)


def test_failures_of_the_database_are_counted_from_the_last_part_that_was_written(job, work):
    def fail_four_times_of_five(part, beat):
        if work.computed.count(part) % execution.MOST_ATTEMPTS:
            raise OperationalError("database is locked")

    work.during = fail_four_times_of_five
    for _ in range(3 * (execution.MOST_ATTEMPTS - 1)):
        with pytest.raises(OperationalError):
            execution.work(job)
    execution.run(job)

    assert carved_parts() == [0, 1, 2]


def test_resuming_gives_a_job_its_failures_of_the_database_back(job, work, alice):
    test_a_database_that_fails_for_good_ends_the_job_after_five_times(job, work, "compute")

    jobs.resume(job=job, by=alice)
    with pytest.raises(OperationalError):
        execution.work(job)


def test_a_chunk_that_cannot_be_given_back_now_is_left_to_its_lease(job, work, monkeypatch, caplog):
    def still_busy(chunk):
        raise OperationalError("database is locked")

    monkeypatch.setattr(execution, "leased_chunk", still_busy)
    work.during = database_fails
    with pytest.raises(OperationalError):
        execution.work(job)

    assert states(job)[0] == ChunkState.LEASED
    assert "is free when its lease has lapsed (database is locked)" in caplog.text


def test_a_plan_that_fails_is_planned_again_when_the_job_is_resumed(job, work, alice):
    def refuse(job):
        raise JobFailedError("the model is not there")

    work.plan = refuse
    with pytest.raises(JobFailedError):
        execution.run(job)
    del work.plan
    job.refresh_from_db()
    jobs.resume(job=job, by=alice)

    execution.run(job)

    assert carved_parts() == [0, 1, 2]


def test_a_finish_that_fails_ends_the_job_and_writes_neither_a_result_nor_the_last_part(job, work):
    def refuse(job):
        raise JobFailedError("it does not add up")

    work.finish = refuse
    with pytest.raises(JobFailedError):
        execution.run(job)

    job.refresh_from_db()
    assert (job.state, job.result) == (JobState.FAILED, {})
    assert carved_parts() == [0, 1]


def test_a_job_that_failed_elsewhere_is_told_to_who_waits_for_it(job, work):
    jobs.fail(job=job, message="the disk is full")

    with pytest.raises(JobFailedError, match="the disk is full"):
        execution.run(job)


def test_a_chunk_that_kills_its_workers_ends_the_job_after_five_attempts(job, work):
    execution.plan(job, work.handler)
    for attempt in range(1, 6):
        chunk = execution.lease(job, f"worker {attempt}")
        assert (chunk.number, chunk.n_attempts) == (0, attempt)
        lapse(chunk)

    with pytest.raises(JobFailedError, match="part 0 was begun 5 times and never finished"):
        execution.work(job)

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert carved_parts() == []


def test_resuming_gives_a_deadly_chunk_its_attempts_back(job, work, alice):
    test_a_chunk_that_kills_its_workers_ends_the_job_after_five_attempts(job, work)

    jobs.resume(job=job, by=alice)
    execution.run(job)

    assert carved_parts() == [0, 1, 2]


def interrupt(part, beat):
    raise KeyboardInterrupt


def test_ctrl_c_gives_the_chunk_back(job, work):
    work.during = interrupt

    with pytest.raises(KeyboardInterrupt):
        execution.run(job)

    job.refresh_from_db()
    chunk = job.chunks.get(number=0)
    assert (chunk.state, chunk.leased_until) == (ChunkState.WAITING, None)
    assert job.state == JobState.RUNNING


def test_who_pressed_ctrl_c_goes_on_at_once_however_often(job, work):
    work.during = interrupt
    for _ in range(execution.MOST_ATTEMPTS + 1):
        with pytest.raises(KeyboardInterrupt):
            execution.run(job)

    work.during = lambda part, beat: None
    execution.run(job)

    assert carved_parts() == [0, 1, 2]


def test_the_last_part_and_the_end_of_the_job_are_one_write(job, work):
    seen_at_the_end = []

    def finish(ended):
        seen_at_the_end.append((carved_parts(), states(ended)))
        return {}

    work.finish = finish
    execution.plan(job, work.handler)
    while chunk := execution.lease(job, "one"):
        assert execution.do_chunk(job, work.handler, chunk) == 1

    job.refresh_from_db()
    assert seen_at_the_end == [([0, 1, 2], [ChunkState.DONE] * 3)]
    assert job.state == JobState.DONE


def test_a_job_without_parts_whose_worker_died_before_the_end_is_ended_by_who_looks_next(job, work):
    work.n_parts = 0
    execution.plan(job, work.handler)

    execution.run(job)

    assert job.state == JobState.DONE
    assert job.result == {"n_carved": 0}


def test_a_job_is_ended_once(job, work):
    execution.run(job)
    first = job.finished_at

    execution.end_if_done(job, work.handler)

    job.refresh_from_db()
    assert job.finished_at == first


def test_who_waits_for_a_job_goes_on_when_another_workers_lease_lapses(job, work, monkeypatch):
    work.n_parts = 1
    execution.plan(job, work.handler)
    other = execution.lease(job, "another")
    monkeypatch.setattr(execution.time, "sleep", lambda seconds: lapse(other))

    execution.run(job)

    assert carved_parts() == [0]


# What was written ahead


def test_what_a_job_wrote_ahead_is_cleared_once_it_has_ended(job, work, alice):
    def cancel(part, beat):
        jobs.cancel(job=job, by=alice)
        beat()

    work.during = cancel
    execution.work(job)
    work.during = do_nothing
    jobs.resume(job=job, by=alice)
    execution.run(job)

    assert work.cleared == [JobState.CANCELLED, JobState.DONE]


@pytest.mark.parametrize("error", [RuntimeError("broken"), JobFailedError("cannot be done")])
def test_what_a_job_wrote_ahead_is_cleared_when_it_fails(job, work, error):
    def fail(part, beat):
        raise error

    work.during = fail
    with pytest.raises(type(error)):
        execution.work(job)

    assert work.cleared == [JobState.FAILED]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OperationalError("away")])
def test_nothing_is_cleared_while_a_job_goes_on(job, work, error):
    def stop(part, beat):
        raise error

    work.during = stop
    with pytest.raises(type(error)):
        execution.work(job)

    assert work.cleared == []


def test_what_cannot_be_cleared_now_does_not_change_how_the_job_ended(
    job, work, monkeypatch, caplog
):
    def fail(job):
        raise OperationalError("away")

    monkeypatch.setattr(work, "clear", fail)

    execution.run(job)

    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert "is cleared later: away" in caplog.text


@pytest.mark.database
def test_a_lease_lapses_by_the_database_s_clock_whatever_the_worker_s_says(job, work):
    execution.plan(job, work.handler)
    with time_machine.travel(timezone.now() + timedelta(hours=3)):  # this worker's is ahead
        chunk = execution.lease(job, "ahead")
    end = Chunk.objects.get(pk=chunk.pk).leased_until

    assert end < timezone.now() + timedelta(minutes=5)


@pytest.mark.database
def test_a_worker_whose_clock_is_ahead_takes_nobody_s_chunk(job, work):
    execution.plan(job, work.handler)
    held = execution.lease(job, "holds it")
    with time_machine.travel(timezone.now() + timedelta(hours=3)):
        others = Chunk.objects.claimable().filter(job=job)

        assert held.pk not in others.values_list("pk", flat=True)
