"""Whether a worker is there: by its last wake-up, or by the lease that it renews."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from jobs.actions import execution, liveness
from jobs.models import Chunk, WorkerBeat


@pytest.fixture(autouse=True)
def short_lease(settings):
    settings.JOB_LEASE_SECONDS, settings.JOB_WAKE_SECONDS = 60, 10


def ago(seconds):
    return timezone.now() - timedelta(seconds=seconds)


@pytest.mark.parametrize(("seconds", "is_heard_of"), [(0, True), (75, True), (85, False)])
def test_a_worker_is_heard_of_until_it_missed_a_lease_and_two_wake_ups(db, seconds, is_heard_of):
    liveness.record_beat()
    WorkerBeat.objects.update(at=ago(seconds))

    assert liveness.worker_is_alive() == is_heard_of


def test_a_worker_that_is_busy_for_long_is_heard_of_by_its_lease(job, work):
    liveness.record_beat()
    WorkerBeat.objects.update(at=ago(3600))
    execution.plan(job, work.handler)
    execution.lease(job, "busy")
    assert liveness.worker_is_alive()

    Chunk.objects.filter(number=0).update(leased_until=ago(1))

    assert not liveness.worker_is_alive()


def test_the_newest_beat_is_the_one_that_is_kept(db):
    liveness.record_beat()
    WorkerBeat.objects.update(at=ago(3600))

    liveness.record_beat()

    assert WorkerBeat.objects.get().at > ago(60)
    assert str(WorkerBeat.objects.get()).startswith("a worker at 2")


@pytest.mark.database
def test_the_database_keeps_one_beat_only(db):
    liveness.record_beat()

    with pytest.raises(IntegrityError), transaction.atomic():
        WorkerBeat.objects.create(at=timezone.now())


@pytest.mark.database
def test_a_host_whose_clock_is_ahead_hears_of_the_worker_as_others_do(db):
    liveness.record_beat()

    with time_machine.travel(timezone.now() + timedelta(hours=3)):
        assert liveness.worker_is_alive()


def test_a_clock_that_is_wrong_is_logged_when_it_goes_wrong_and_when_it_is_right_again(caplog):
    watch = liveness.ClockWatch()
    for seconds in (1, -5, 6, 7, -8, 2, 0):
        watch.look(timedelta(seconds=seconds))

    wrong, right = caplog.messages
    assert "differ by 6 seconds" in wrong
    assert "agree again" in right


@pytest.mark.database
def test_a_host_whose_clock_is_ahead_of_the_database_s_says_so_where_it_is_asked(client, db):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite is on the same host and has the same clock")
    with time_machine.travel(timezone.now() + timedelta(hours=3)):
        answer = client.get(reverse("health_ready")).json()

    assert answer["status"] == "ok"
    assert re.fullmatch(r"\+10[78]\d\d seconds from the database's", answer["clock"])
    assert "clock" not in client.get(reverse("health_ready")).json()
