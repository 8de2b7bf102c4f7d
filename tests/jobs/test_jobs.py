"""The life of a job: who may start, cancel and resume what, and what is kept of it."""

import pytest
from django.db import transaction

from audit.models import Event
from jobs.actions import execution, jobs
from jobs.actions.jobs import JobStateError
from jobs.handlers import RowError
from jobs.models import ChunkState, Job, JobState
from tests.factories import StudyFactory
from tests.jobs.carving_job import KIND, carved_parts


def start(study, by, **changes):
    asked = {"kind": KIND, "key": "a stone", "params": {"size": 3}, **changes}
    return jobs.start(study=study, by=by, **asked)


def test_start_makes_a_waiting_job_and_its_event(study, alice):
    job = start(study, alice)

    event = Event.objects.get(verb="started")
    assert job.state == JobState.WAITING
    assert (event.actor, event.study, event.target) == ("alice", study.slug, "job carve a stone")
    assert event.details == {"job": job.pk}


def test_start_joins_the_unfinished_job_on_the_same_thing(study, alice):
    first = start(study, alice)

    assert start(study, alice) == first
    assert Job.objects.count() == Event.objects.filter(verb="started").count() == 1


def test_start_joins_a_job_that_runs_already(study, alice, work):
    first = start(study, alice)
    execution.plan(first, work.handler)

    assert start(study, alice) == first


def test_start_refuses_other_parameters_while_the_job_is_unfinished(study, alice):
    first = start(study, alice)

    with pytest.raises(JobStateError, match=f"the job {first.pk} .*other parameters: cancel it"):
        start(study, alice, params={"size": 4})


@pytest.mark.parametrize("change", [{"key": "another stone"}, {"kind": "polish"}])
def test_work_on_another_thing_or_of_another_kind_is_another_job(study, alice, change):
    assert start(study, alice, **change) != start(study, alice)


def test_another_study_has_a_job_of_its_own(study, alice):
    assert start(StudyFactory(created_by=alice), alice) != start(study, alice)


def test_start_after_the_end_is_a_new_job(study, alice, work):
    first = execution.run(start(study, alice))

    assert start(study, alice, params={"size": 4}) != first


def test_start_does_not_break_the_transaction_around_it(study, alice):
    with transaction.atomic():
        start(study, alice)
        start(study, alice)
        alice.first_name = "Alice"
        alice.save(update_fields=["first_name"])

    alice.refresh_from_db()
    assert alice.first_name == "Alice"


def test_of_gives_the_studys_own_jobs_only(study, job):
    assert jobs.job_of_study(study=study, pk=job.pk) == job
    with pytest.raises(JobStateError, match=f"has no job {job.pk}"):
        jobs.job_of_study(study=StudyFactory(), pk=job.pk)


def test_cancel_ends_the_job_and_says_who_did_it(job, alice):
    jobs.cancel(job=job, by=alice)

    assert job.state == JobState.CANCELLED
    assert job.finished_at is not None
    assert Event.objects.get(verb="cancelled").actor == "alice"


def test_a_job_that_has_ended_cannot_be_cancelled(job, alice, work):
    execution.run(job)

    with pytest.raises(JobStateError, match="is not running"):
        jobs.cancel(job=job, by=alice)
    job.refresh_from_db()
    assert job.state == JobState.DONE


def test_resume_clears_what_was_wrong_and_keeps_what_was_done(job, alice, work):
    execution.plan(job, work.handler)
    execution.do_chunk(job, work.handler, execution.lease(job, "one"))
    execution.lease(job, "one")
    jobs.fail(job=job, message="the disk is full", errors=(RowError("it is full"),))

    jobs.resume(job=job, by=alice)

    chunks = list(job.chunks.values_list("state", "leased_until", "n_attempts"))
    assert (job.state, job.message, job.finished_at) == (JobState.RUNNING, "", None)
    assert (job.n_errors, job.errors.exists()) == (0, False)
    assert chunks == [(ChunkState.DONE, None, 1)] + [(ChunkState.WAITING, None, 0)] * 2
    assert Event.objects.get(verb="resumed").actor == "alice"


@pytest.mark.parametrize("end", [None, execution.run])
def test_only_a_job_that_failed_or_was_cancelled_can_be_resumed(job, alice, work, end):
    if end:
        end(job)

    with pytest.raises(JobStateError, match="neither failed nor was cancelled"):
        jobs.resume(job=job, by=alice)


def test_a_job_cannot_be_resumed_beside_a_new_one_on_the_same_thing(job, study, alice):
    jobs.cancel(job=job, by=alice)
    start(study, alice, params={})

    with pytest.raises(JobStateError, match="another job"):
        jobs.resume(job=job, by=alice)


def test_fail_keeps_every_row_in_order_and_shortens_what_is_too_long(job):
    rows = (
        RowError("first", file="f" * 301, row="r" * 101, field="x" * 101, value="v" * 5000),
        RowError("second"),
    )

    jobs.fail(job=job, message="two problems", errors=rows)

    first, second = job.errors.all()
    assert (first.number, second.number) == (0, 1)
    assert (len(first.file), len(first.row), len(first.field)) == (300, 100, 100)
    assert len(first.value) == 5000
    assert second.message == "second"


def test_of_very_many_errors_the_first_thousand_are_stored_and_all_are_counted(job):
    jobs.record_errors(job=job, errors=[RowError("first")] * 900, n=5_000)
    jobs.record_errors(job=job, errors=[RowError("second")] * 900)

    job.refresh_from_db()
    assert job.n_errors == 5_900
    assert job.errors.count() == jobs.MOST_ERRORS == 1_000
    assert job.errors.filter(message="first").count() == 900


def test_fail_writes_out_what_no_database_holds(job):
    bad = "a\0b\ud800"
    jobs.fail(
        job=job, message=bad, errors=(RowError(bad, file=bad, row=bad, field=bad, value=bad),)
    )

    job.refresh_from_db()
    error = job.errors.get()
    told = {job.message, error.message, error.file, error.row, error.field, error.value}
    assert told == {"a\\x00b\\ud800"}


def test_fail_leaves_a_job_that_has_ended_as_it_ended(job, work):
    execution.run(job)

    jobs.fail(job=job, message="too late", errors=(RowError("nobody asks"),))

    job.refresh_from_db()
    assert (job.state, job.message) == (JobState.DONE, "")
    assert not job.errors.exists()


def test_progress_counts_units_not_chunks(job, work):
    assert jobs.progress(job) == (0, 0)
    execution.plan(job, work.handler)
    execution.do_chunk(job, work.handler, execution.lease(job, "one"))

    assert jobs.progress(job) == (1, 1 + 2 + 3)
    assert carved_parts() == [0]
