"""Whether a worker is there: by its last wake-up, or by the lease that it renews."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from activity.actions import running, workers
from activity.models import Chunk, WorkerBeat


@pytest.fixture(autouse=True)
def pace(settings):
    settings.JOB_LEASE_SECONDS, settings.JOB_WAKE_SECONDS = 60, 10


def ago(seconds):
    return timezone.now() - timedelta(seconds=seconds)


@pytest.mark.parametrize(("seconds", "is_heard_of"), [(0, True), (75, True), (85, False)])
def test_a_worker_is_heard_of_until_it_missed_a_lease_and_two_wake_ups(db, seconds, is_heard_of):
    workers.beat()
    WorkerBeat.objects.update(at=ago(seconds))

    assert workers.is_heard_of() == is_heard_of


def test_a_worker_that_is_busy_for_long_is_heard_of_by_its_lease(job, work):
    workers.beat()
    WorkerBeat.objects.update(at=ago(3600))
    running.plan(job, work.handler)
    running.lease(job, "busy")
    assert workers.is_heard_of()

    Chunk.objects.filter(number=0).update(leased_until=ago(1))

    assert not workers.is_heard_of()


def test_the_newest_beat_is_the_one_that_is_kept(db):
    workers.beat()
    WorkerBeat.objects.update(at=ago(3600))

    workers.beat()

    assert WorkerBeat.objects.get().at > ago(60)
    assert str(WorkerBeat.objects.get()).startswith("a worker at 2")


@pytest.mark.database
def test_the_database_keeps_one_beat_only(db):
    workers.beat()

    with pytest.raises(IntegrityError), transaction.atomic():
        WorkerBeat.objects.create(at=timezone.now())
