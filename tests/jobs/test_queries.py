"""The state of the queue, in as many queries however much there is."""

from datetime import timedelta

import pytest
from django.utils import timezone

from jobs import queries
from jobs.actions import execution, jobs, liveness
from jobs.models import Chunk, Job, JobState
from tests.jobs.carving_job import KIND

pytestmark = pytest.mark.database


def test_an_empty_queue_is_zeros(db):
    queue = queries.queue()

    assert queue == queries.Queue({}, 0, 0, 0, 0, None, None)


def test_parts_are_waiting_leased_or_left_by_a_worker_that_died(job, work):
    execution.plan(job, work.handler)
    execution.lease(job, "one")
    lost = execution.lease(job, "another")
    Chunk.objects.filter(pk=lost.pk).update(leased_until=timezone.now() - timedelta(seconds=1))

    queue = queries.queue()

    assert (queue.n_waiting, queue.n_leased, queue.n_expired) == (1, 1, 1)
    assert queue.n_busy_workers == 1
    assert queue.n_jobs == {"running": 1}
    assert queue.waiting_since is None


def test_the_parts_of_a_job_that_has_ended_wait_for_nobody(job, work, alice):
    execution.plan(job, work.handler)
    jobs.cancel(job=job, by=alice)

    queue = queries.queue()

    assert (queue.n_jobs, queue.n_waiting) == ({"cancelled": 1}, 0)


def test_the_oldest_job_that_no_worker_has_begun_is_found_in_three_queries(
    study, alice, work, django_assert_num_queries
):
    for key in ("a", "b", "c"):
        jobs.start(study=study, kind=KIND, key=key, params={}, by=alice)
    hour_ago = timezone.now() - timedelta(hours=1)
    Job.objects.filter(key="b").update(created_at=hour_ago)
    liveness.record_beat()

    with django_assert_num_queries(3):
        queue = queries.queue()

    assert queue.n_jobs == {JobState.WAITING: 3}
    assert queue.waiting_since == hour_ago
    assert queue.worker_heard_at is not None
