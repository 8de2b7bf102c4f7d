"""Checks whether a worker is running, and whether its host's clock is right."""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone

from jobs.models import UNFINISHED, Chunk, ChunkState, Job, WorkerBeat

logger = logging.getLogger(__name__)

MOST_DIFFERENCE = timedelta(seconds=5)
# A worker that is there takes a job at once.
LATE_AFTER = timedelta(seconds=30)


def record_beat() -> None:
    """Record that a worker is running.

    A worker calls this at every wake-up, which proves that broker, beat and worker all work.
    """
    WorkerBeat.objects.update_or_create(pk=1, defaults={"at": Now()})


def clock_difference() -> timedelta:
    """Return by how much this host's clock is ahead of the database's."""
    if connection.vendor != "postgresql":
        return timedelta(0)  # the database is on this host
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        theirs: datetime = cursor.fetchone()[0]
    return timezone.now() - theirs


class ClockWatch:
    """Logs when the clocks differ, and when they agree again, and not at every look."""

    def __init__(self) -> None:
        self.is_right = True

    def look(self, difference: timedelta) -> bool:
        """Return whether the clocks agree."""
        was_right, self.is_right = self.is_right, abs(difference) <= MOST_DIFFERENCE
        if was_right and not self.is_right:
            logger.warning(
                "this host's clock and the database's differ by %.0f seconds: times of judgements and"
                " claims are wrong by as much; let both hosts take their time from the network",
                abs(difference.total_seconds()),
            )
        if self.is_right and not was_right:
            logger.warning("this host's clock and the database's agree again")
        return self.is_right


CLOCK = ClockWatch()


def worker_is_alive() -> bool:
    """Return whether a worker recently answered a wake-up or renewed a lease.

    Recently means within the time of a lease and two wake-ups, by the database's clock.
    """
    lately = timedelta(seconds=settings.JOB_LEASE_SECONDS + 2 * settings.JOB_WAKE_SECONDS)
    return (
        WorkerBeat.objects.filter(at__gt=Now() - lately).exists()
        or Chunk.objects.filter(state=ChunkState.LEASED, leased_until__gt=Now()).exists()
    )


def is_left_alone(job: Job) -> bool:
    """Return whether the job is unfinished, a while old, and no worker seems to be running."""
    is_late = job.created_at < timezone.now() - LATE_AFTER
    return job.state in UNFINISHED and is_late and not worker_is_alive()
