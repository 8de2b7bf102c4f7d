"""A job whose end is hard work: it is done once all parts are written, as a part is, and then only written."""

import threading

import pytest
from django.db import connection

from audit.models import Event
from jobs.actions import execution, jobs
from jobs.handlers import JobCancelledError, JobFailedError
from jobs.models import Chunk, ChunkState, Job, JobState
from tests.jobs.carving_job import carved_parts
from tests.jobs.test_execution import lapse
from tests.jobs.threads import LONGEST, at_work, do


@pytest.fixture
def work(work):
    work.concluding = lambda beat: beat()
    return work


def finished():
    """The endings that were written, each as often as it was."""
    return [int(event.target) for event in Event.objects.filter(verb="finished")]


def closing(job):
    return job.chunks.get(is_closing=True)


def all_but_the_end(job, work):
    """Every part is written, and the end is free to be taken."""
    execution.plan(job, work.handler)
    for _ in range(work.n_parts):
        assert execution.do_chunk(job, work.handler, execution.lease(job, "one"))


def test_it_is_concluded_after_the_last_part_and_the_result_is_what_was_found(job, work):
    seen = []
    work.concluding = lambda beat: seen.append(carved_parts())

    execution.run(job)

    assert seen == [[0, 1, 2]]
    assert (job.state, job.result) == (JobState.DONE, {"concluded_at": 1})
    assert finished() == [1]


def test_its_end_is_no_unit_of_the_work(job, work):
    execution.run(job)

    assert jobs.progress(job) == (6, 6)
    assert [chunk.params for chunk in job.chunks.parts()] == [{"part": part} for part in range(3)]


def test_a_job_without_parts_is_concluded_too(job, work):
    work.n_parts = 0

    execution.run(job)

    assert (job.state, finished()) == (JobState.DONE, [1])


def test_a_job_of_which_all_parts_were_done_before_is_concluded_by_who_looks_next(job, work):
    all_but_the_end(job, work)
    Chunk.objects.filter(is_closing=True).delete()
    assert execution.needs_worker(job)

    execution.run(job)

    assert (carved_parts(), finished()) == ([0, 1, 2], [1])


def test_who_dies_while_concluding_is_followed_by_another_who_does_no_part_again(job, work):
    all_but_the_end(job, work)
    lapse(execution.lease(job, "dies at the end"))
    assert execution.needs_worker(job)

    execution.run(job)

    assert work.computed == carved_parts() == [0, 1, 2]
    assert finished() == [1]
    assert closing(job).n_attempts == 2


def test_a_conclusion_that_kills_its_workers_ends_the_job_after_five_attempts(job, work):
    all_but_the_end(job, work)
    for attempt in range(5):
        lapse(execution.lease(job, f"worker {attempt}"))

    with pytest.raises(JobFailedError, match="part 3 was begun 5 times and never finished"):
        execution.work(job)

    assert finished() == []


def test_cancelled_while_concluding_it_writes_no_end_and_resumed_it_concludes_alone(
    job, work, alice
):
    def cancelled(beat):
        jobs.cancel(job=Job.objects.get(pk=job.pk), by=alice)
        beat()

    work.concluding = cancelled
    with pytest.raises(JobCancelledError):
        execution.run(job)
    assert (Job.objects.get(pk=job.pk).result, finished()) == ({}, [])

    work.concluding = lambda beat: beat()
    jobs.resume(job=Job.objects.get(pk=job.pk), by=alice)
    execution.run(job)

    assert work.computed == carved_parts() == [0, 1, 2]
    assert finished() == [2]


def test_what_is_concluded_for_a_job_that_was_cancelled_meanwhile_is_not_written(job, work, alice):
    work.concluding = lambda beat: jobs.cancel(job=Job.objects.get(pk=job.pk), by=alice)

    with pytest.raises(JobCancelledError):
        execution.run(job)

    assert finished() == []
    assert Job.objects.get(pk=job.pk).state == JobState.CANCELLED


def test_who_lost_the_lease_while_concluding_writes_nothing(job, work):
    def taken_over(beat):
        Chunk.objects.filter(is_closing=True).update(worker="another")

    work.concluding = taken_over
    execution.work(job)

    assert finished() == []
    assert closing(job).state == ChunkState.LEASED
    assert Job.objects.get(pk=job.pk).state == JobState.RUNNING


def test_a_conclusion_that_fails_keeps_the_parts_and_is_drawn_again_when_resumed(job, work, alice):
    def refuse(beat):
        raise JobFailedError("no band keeps the promise")

    work.concluding = refuse
    with pytest.raises(JobFailedError, match="no band"):
        execution.run(job)
    assert carved_parts() == [0, 1, 2]

    work.concluding = lambda beat: beat()
    job.refresh_from_db()
    jobs.resume(job=job, by=alice)
    execution.run(job)

    assert (carved_parts(), finished()) == ([0, 1, 2], [2])


def test_an_end_that_cannot_be_written_leaves_the_conclusion_undone(job, work):
    def refuse(job, concluded):
        raise JobFailedError("it does not add up")

    work.finish_concluded = refuse
    with pytest.raises(JobFailedError):
        execution.run(job)

    assert closing(job).state != ChunkState.DONE
    assert Job.objects.get(pk=job.pk).result == {}


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_while_a_job_is_concluded_others_write(job, work):
    def others_write(beat):
        assert not connection.in_atomic_block
        other = threading.Thread(
            target=do, args=(lambda: Event.objects.create(actor="bob", verb="x", target="y"),)
        )
        other.start()
        other.join(LONGEST)
        assert not other.is_alive()

    work.concluding = others_write
    execution.run(job)

    assert Event.objects.filter(actor="bob").count() == 1


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_two_workers_that_see_the_last_part_done_one_concludes(job, work):
    all_but_the_end(job, work)
    Chunk.objects.filter(is_closing=True).delete()
    both = threading.Barrier(2, timeout=LONGEST)

    def look():
        both.wait()
        execution.run(Job.objects.get(pk=job.pk))

    with at_work(look, look):
        pass

    assert work.n_concluded == 1
    assert finished() == [1]
