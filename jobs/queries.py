"""The state of the queue: what waits, what is worked on, and when a worker was heard of."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q
from django.db.models.functions import Now

from jobs.models import UNFINISHED, Chunk, ChunkState, Job, JobState, WorkerBeat


@dataclass(frozen=True)
class Queue:
    """Jobs, and the parts of unfinished ones, of all studies.

    n_jobs          by state; a state without jobs may be missing
    n_expired       parts whose worker has not been heard of for the time of a lease
    waiting_since   when the oldest job was started that no worker has begun
    """

    n_jobs: dict[str, int]
    n_waiting: int
    n_leased: int
    n_expired: int
    n_busy_workers: int
    waiting_since: datetime | None
    worker_heard_at: datetime | None


def queue() -> Queue:
    """Return it as it is now by the database's clock, by three queries."""
    jobs = {
        state: (n, first)
        for state, n, first in Job.objects.order_by()
        .values_list("state")
        .annotate(n=Count("pk"), first=Min("created_at"))
    }
    leased = Q(state=ChunkState.LEASED, leased_until__gte=Now())
    parts = (
        Chunk.objects.exclude(state=ChunkState.DONE)
        .filter(job__state__in=UNFINISHED)
        .aggregate(
            n_waiting=Count("pk", filter=Q(state=ChunkState.WAITING)),
            n_leased=Count("pk", filter=leased),
            n_expired=Count("pk", filter=Q(state=ChunkState.LEASED, leased_until__lt=Now())),
            n_busy_workers=Count("worker", filter=leased, distinct=True),
        )
    )
    return Queue(
        n_jobs={state: n for state, (n, _) in jobs.items()},
        waiting_since=jobs[JobState.WAITING][1] if JobState.WAITING in jobs else None,
        worker_heard_at=WorkerBeat.objects.values_list("at", flat=True).first(),
        **parts,
    )
