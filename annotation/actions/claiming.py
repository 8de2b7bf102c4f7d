"""How annotators get items: claims, and what becomes of claims that are not kept.

docs/adr/0001-the-spine.md is the protocol. Locks are taken in one order: cursor, assignment, item. Every
action takes `now`, the time at which it happens, so that a rehearsal can live in its own time.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.models import User
from annotation.actions import places
from annotation.models import Assignment, AssignmentState, Batch, BatchState, Cursor, Item
from annotation.models.batch import ItemQuerySet
from annotation.models.work import AssignmentQuerySet


class NothingToClaimError(Exception):
    """The batch hands out nothing to this person now; the message says why."""


def claim(*, batch: Batch, by: User, n: int = 1, now: datetime | None = None) -> list[Assignment]:
    """Up to n assignments to work on: those held already, then own expired ones whose item still
    has room, then new ones.

    An empty list means that there is nothing left for this person. Raises NothingToClaimError when the
    batch hands out nothing at all, and NotAllowedError to who has no desk in the study.
    """
    now = now or timezone.now()
    permissions.require_desk(by, batch.study)
    expire_lapsed(batch=batch, now=now)
    with transaction.atomic():
        Cursor.objects.get_or_create(batch=batch, annotator=by)
        cursor = Cursor.objects.select_for_update().get(batch=batch, annotator=by)
        own = Assignment.objects.filter(item__batch=batch, annotator=by).select_related("item")
        held = list(own.claimed().order_by("claimed_at", "item__position")[:n])
        if len(held) == n:
            return held
        batch = Batch.objects.get(pk=batch.pk)
        _require_open(batch, by, now)
        until = now + timedelta(seconds=batch.claim_seconds)
        held += _revive(own, n - len(held), until)
        return held + _hand_out(cursor, _take(batch, cursor, n - len(held)), now, until)


def _require_open(batch: Batch, by: User, now: datetime) -> None:
    if batch.state != BatchState.OPEN:
        raise NothingToClaimError(f"the batch {batch.name} is {batch.state}")
    if batch.deadline_at is not None and now >= batch.deadline_at:
        raise NothingToClaimError(f"the deadline of the batch {batch.name} has passed")
    if batch.is_rehearsal != by.is_simulated:
        raise NothingToClaimError(
            f"the batch {batch.name} is a rehearsal: only simulated people work on it"
            if batch.is_rehearsal
            else f"{by.username} is simulated, and the batch {batch.name} is for people"
        )


def _revive(own: AssignmentQuerySet, n: int, until: datetime) -> list[Assignment]:
    """Own expired claims on items that still have room, claimed again."""
    expired = own.filter(state=AssignmentState.EXPIRED, item__n_open__gt=0)
    revived = []
    for assignment in expired.order_by("item__position")[:n]:
        room = Item.objects.select_for_update(skip_locked=True).filter(
            pk=assignment.item_id, n_open__gt=0
        )
        if item := room.first():
            places.move(item, n_open=-1, n_claimed=+1)
            assignment.state = AssignmentState.CLAIMED
            assignment.expires_at = until
            assignment.save(update_fields=["state", "expires_at"])
            revived.append(assignment)
    return revived


def _take(batch: Batch, cursor: Cursor, n: int) -> list[Item]:
    """Lock n open items: behind the cursor first, then from the start again. Moves the cursor."""
    if batch.most_per_person is not None:
        n = min(n, batch.most_per_person - cursor.n_taken)
    if n <= 0:
        return []
    fresh = Item.objects.open_for(cursor.annotator).filter(batch=batch)
    items = _lock(fresh.filter(position__gt=cursor.position), n)
    if len(items) < n:
        items += _lock(fresh.filter(position__lte=cursor.position), n - len(items))
    if items:
        cursor.position = items[-1].position
        cursor.n_taken += len(items)
        cursor.save(update_fields=["position", "n_taken"])
    return items


def _lock(items: ItemQuerySet, n: int) -> list[Item]:
    return list(items.select_for_update(skip_locked=True, of=("self",))[:n])


def _hand_out(
    cursor: Cursor, items: Iterable[Item], now: datetime, until: datetime
) -> list[Assignment]:
    handed = []
    for item in items:
        places.move(item, n_open=-1, n_claimed=+1)
        handed.append(
            Assignment(item=item, annotator=cursor.annotator, claimed_at=now, expires_at=until)
        )
    return Assignment.objects.bulk_create(handed)


def expire_lapsed(*, batch: Batch, now: datetime) -> int:
    """Give back the places of claims that are past their time. Returns how many."""
    lapsed = Assignment.objects.lapsed(now).filter(item__batch=batch)
    return _expire(lapsed, skip_locked=True) if lapsed.exists() else 0


def expire_all(*, batch: Batch) -> int:
    """Give back the places of every claim, lapsed or not: the batch is to be settled now."""
    return _expire(Assignment.objects.claimed().filter(item__batch=batch), skip_locked=False)


@transaction.atomic
def _expire(assignments: AssignmentQuerySet, *, skip_locked: bool) -> int:
    """In the items' order, so that two that expire at the same time never wait for each other."""
    ordered = assignments.order_by("item_id")
    found = list(ordered.select_for_update(skip_locked=skip_locked, of=("self",)))
    for assignment in found:
        assignment.state = AssignmentState.EXPIRED
        assignment.save(update_fields=["state"])
        item = Item.objects.select_for_update().get(pk=assignment.item_id)
        places.move(item, n_claimed=-1, n_open=+1)
    return len(found)
