"""Whether anybody is there to do the jobs."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from jobs.models import Chunk, ChunkState, WorkerBeat


def record_beat() -> None:
    """A worker is there. Called by a worker at every wake-up: so broker, beat and worker all go."""
    WorkerBeat.objects.update_or_create(pk=1, defaults={"at": timezone.now()})


def worker_is_alive() -> bool:
    """Whether a worker was heard of lately: it answered a wake-up, or renews the lease of what it does.

    Lately is the time after which a worker's part is given to another, and two wake-ups.
    """
    lately = timedelta(seconds=settings.JOB_LEASE_SECONDS + 2 * settings.JOB_WAKE_SECONDS)
    now = timezone.now()
    return (
        WorkerBeat.objects.filter(at__gt=now - lately).exists()
        or Chunk.objects.filter(state=ChunkState.LEASED, leased_until__gt=now).exists()
    )
