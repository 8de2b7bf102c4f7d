"""Checks whether a worker is running."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from jobs.models import Chunk, ChunkState, WorkerBeat


def record_beat() -> None:
    """Record that a worker is running.

    A worker calls this at every wake-up, which proves that broker, beat and worker all work.
    """
    WorkerBeat.objects.update_or_create(pk=1, defaults={"at": timezone.now()})


def worker_is_alive() -> bool:
    """Return whether a worker recently answered a wake-up or renewed a lease.

    Recently means within the time of a lease and two wake-ups.
    """
    lately = timedelta(seconds=settings.JOB_LEASE_SECONDS + 2 * settings.JOB_WAKE_SECONDS)
    now = timezone.now()
    return (
        WorkerBeat.objects.filter(at__gt=now - lately).exists()
        or Chunk.objects.filter(state=ChunkState.LEASED, leased_until__gt=now).exists()
    )
