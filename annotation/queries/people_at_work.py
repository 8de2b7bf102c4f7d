"""Who works in a study, when they were last active, and how far they are.

Somebody is active when they are handed items, which they ask for, or submit a judgement. Items that they hold say nothing of
that: they are fetched ahead. Who was active within WORKING_NOW works now.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Count, Max, Q
from django.utils import timezone

from accounts.models import Study
from annotation.models import Assignment, AssignmentState, Batch, BatchState, Item
from annotation.queries import few_rows

WORKING_NOW = timedelta(minutes=5)
TODAY = timedelta(hours=24)
IS_REAL = Q(item__n_wanted__isnull=False)


@dataclass(frozen=True)
class BatchWork:
    """How far somebody is in a batch that is open or paused: judged, of the items that one person can be handed;
    control items are in neither.
    """

    batch: Batch
    n_judged: int
    n_most: int


@dataclass
class Work:
    """The work of one person in the real and rehearsed batches of a study; `n_today` is of the last 24 hours."""

    n_judged: int = 0
    n_today: int = 0
    last_active_at: datetime | None = None
    batches: list[BatchWork] = field(default_factory=list)

    @property
    def is_working(self) -> bool:
        return is_working(self.last_active_at)


def is_working(last_active_at: datetime | None) -> bool:
    return last_active_at is not None and last_active_at > timezone.now() - WORKING_NOW


def n_held_items(batch: Batch) -> int:
    """The number of items that somebody holds, each once however many people hold it."""
    held = few_rows.at(Assignment.objects.claimed(), "item__batch", [batch.pk])
    return held.aggregate(n=Count("item", distinct=True))["n"] or 0


def work_of(study: Study, users: Iterable[int]) -> dict[int, Work]:
    """The work of each of these people who was handed anything in the study, by their key."""
    rows = (
        Assignment.objects.filter(item__batch__study=study, annotator__in=list(users))
        .order_by()
        .values("annotator", "item__batch")
        .annotate(
            judged=Count("pk", filter=Q(state=AssignmentState.SUBMITTED)),
            real=Count("pk", filter=Q(state=AssignmentState.SUBMITTED) & IS_REAL),
            today=Count("pk", filter=Q(submitted_at__gt=timezone.now() - TODAY)),
            claimed=Max("claimed_at"),
            submitted=Max("submitted_at"),
        )
    )
    running = study.batches.filter(state__in=[BatchState.OPEN, BatchState.PAUSED])
    batches = {batch.pk: batch for batch in running}
    n_items = _n_items(batches)
    found: dict[int, Work] = {}
    for row in rows:
        work = found.setdefault(row["annotator"], Work())
        work.n_judged += row["judged"]
        work.n_today += row["today"]
        times = (work.last_active_at, row["claimed"], row["submitted"])
        work.last_active_at = max(filter(None, times), default=None)
        batch = batches.get(row["item__batch"])
        if batch is not None:
            most = most_items(batch, n_items.get(batch.pk, 0))
            work.batches.append(BatchWork(batch, row["real"], most))
    for work in found.values():
        work.batches.sort(key=lambda each: (each.batch.created_at, each.batch.pk))
    return found


def most_items(batch: Batch, n_items: int) -> int:
    """The largest number of items that one person can judge in the batch."""
    return min(n_items, batch.most_per_person or n_items)


def _n_items(batches: Iterable[int]) -> dict[int, int]:
    """The number of items of each batch that can be judged."""
    items = Item.objects.real().filter(batch__in=list(batches), is_excluded=False).order_by()
    return dict(items.values("batch").annotate(n=Count("pk")).values_list("batch", "n"))
