"""Why a batch hands a person nothing more."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Count, F, Max

from accounts.models import User
from annotation.models import Assignment, AssignmentState, Batch, BatchState, Cursor, Item
from annotation.queries import annotator_progress


class Reason(StrEnum):
    CLOSED = "closed"
    PAUSED = "paused"
    DEADLINE = "deadline"
    WAIT = "wait"  # the organisers hand this person nothing for now
    SHARE = "share"  # the person took as many items as one person may
    HELD = "held"  # what is left is on others' desks
    DONE = "done"


@dataclass(frozen=True)
class NoWork:
    """Why a batch hands a person nothing. If others hold the rest: how many items, and until when at most."""

    reason: Reason
    n_held: int = 0
    until: datetime | None = None


def why_no_work(batch: Batch, annotator: User, now: datetime) -> NoWork:
    """The reason; call it only if there is nothing to claim."""
    if batch.state == BatchState.CLOSED:
        return NoWork(Reason.CLOSED)
    if annotator_progress.is_over(batch, now):
        return NoWork(Reason.DEADLINE)
    if batch.state == BatchState.PAUSED:
        return NoWork(Reason.PAUSED)
    if Cursor.objects.filter(batch=batch, annotator=annotator, is_paused=True).exists():
        return NoWork(Reason.WAIT)
    if _has_reached_share(batch, annotator):
        return NoWork(Reason.SHARE)
    return _held_by_others(batch, annotator)


def _has_reached_share(batch: Batch, annotator: User) -> bool:
    if batch.most_per_person is None:
        return False
    cursors = Cursor.objects.filter(batch=batch, annotator=annotator)
    return cursors.filter(n_taken__gte=batch.most_per_person + F("n_controls")).exists()


def _held_by_others(batch: Batch, annotator: User) -> NoWork:
    """HELD if the person could be handed items whose claims by others expire; else DONE."""
    gone = Assignment.objects.filter(annotator=annotator).exclude(state=AssignmentState.EXPIRED)
    read = (
        Item.objects.from_other_round_of(annotator.pk)
        if batch.asks_to_write
        else Item.objects.none()
    )
    claims = (
        Assignment.objects.claimed()
        .filter(item__batch=batch, item__is_excluded=False, item__n_wanted__isnull=False)
        .exclude(annotator=annotator)
        .exclude(item__in=gone.values("item"))
        .exclude(item__in=read.values("pk"))
    )
    held = claims.aggregate(n=Count("item", distinct=True), until=Max("expires_at"))
    if not held["n"]:
        return NoWork(Reason.DONE)
    return NoWork(Reason.HELD, n_held=held["n"], until=held["until"])
