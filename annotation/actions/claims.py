"""How annotators get items: claims, and what becomes of claims that are not kept.

docs/adr/0001-the-spine.md is the protocol. Locks are taken in one order: batch, cursor, assignment, item.
Every action takes `now`, the time at which it happens, so that a rehearsal can live in its own time.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.models import User
from annotation.actions import claimable_items, item_places
from annotation.models import Assignment, AssignmentState, Batch, BatchState, Cursor, Item
from annotation.models.work import AssignmentQuerySet
from performance.compiled_queries import Compiled

CURSORS = Compiled(
    lambda *, batch, annotator: (
        Cursor.objects.filter(batch=batch, annotator=annotator)
        .select_related("batch")
        .select_for_update(of=("self",))
    )
)
BATCH = Compiled(lambda *, pk: Batch.objects.filter(pk=pk))
# Of all batches, by the index of what is claimed; asked for one batch SQLite would look at its items.
LAPSED = Compiled(lambda *, now: Assignment.objects.lapsed(now).values_list("pk", "item__batch"))
EXPIRED = Compiled(
    lambda *, batch, annotator: (
        Assignment.objects.filter(
            item__batch=batch, annotator=annotator, state=AssignmentState.EXPIRED
        )
        .select_related("item")
        .select_for_update(skip_locked=True, of=("self",))
    )
)
THE_CURSOR = Compiled(lambda *, pk: Cursor.objects.filter(pk=pk))


class NothingToClaimError(Exception):
    """The batch hands out nothing to this person now; the message says why."""


def claim(*, batch: Batch, by: User, n: int = 1, now: datetime | None = None) -> list[Assignment]:
    """Up to n assignments to work on: those held already, then own expired ones whose item still
    has room, then new ones.

    An empty list means that there is nothing left for this person. Raises NothingToClaimError to who
    holds nothing when the batch hands out nothing, and NotAllowedError to who has no desk in the study.
    """
    now = now or timezone.now()
    permissions.require_desk(by, batch.study)
    expire_lapsed(batch=batch, now=now)
    with transaction.atomic():
        cursor = locked_cursor(batch, by)
        at_hand = held(cursor, n)
        if len(at_hand) == n:
            return at_hand
        try:
            return at_hand + more(cursor, by, n - len(at_hand), now)
        except NothingToClaimError:
            if at_hand:
                return at_hand
            raise


def locked_cursor(batch: Batch, annotator: User) -> Cursor:
    """The row under which one person claims. It is the first lock of all."""
    found = CURSORS.first(batch=batch.pk, annotator=annotator.pk)
    if found is not None:
        return found
    Cursor.objects.get_or_create(batch=batch, annotator=annotator)
    return CURSORS.all(batch=batch.pk, annotator=annotator.pk)[0]


def held(cursor: Cursor, n: int | None = None) -> list[Assignment]:
    """What the person has claimed and not judged, in the order in which it came."""
    return in_order(own(cursor).claimed())[:n]


def in_order(assignments: AssignmentQuerySet) -> list[Assignment]:
    """In the order in which they were claimed, those of one moment in the batch's order."""
    found = assignments.select_related("item")
    return sorted(found, key=lambda each: (each.claimed_at, each.item.position))


def own(cursor: Cursor) -> AssignmentQuerySet:
    """The person's in the batch."""
    return Assignment.objects.filter(item__batch=cursor.batch_id, annotator=cursor.annotator_id)


def more(
    cursor: Cursor, annotator: User, n: int, now: datetime, *, may_wait: bool = True
) -> list[Assignment]:
    """Up to n beyond what is held, for the person whose cursor is locked.

    Raises NothingToClaimError, before anything is written. Where all that is left is locked by others
    this moment, it waits for one, if it may.
    """
    _require_open(cursor.batch, annotator, now)
    if cursor.is_paused:
        raise NothingToClaimError(
            f"the organisers hand {annotator.username} nothing of the batch {cursor.batch.name} for now"
        )
    again = _expired_with_room(cursor, n)
    fresh = _fresh(cursor, annotator, n - len(again), may_wait=may_wait and not again)
    # Asked once more now that the items are locked, because settling and rehearsing lock them too:
    # a claim that they do not wait for comes after them, and is refused.
    _require_open(BATCH.all(pk=cursor.batch_id)[0], annotator, now)
    until = now + timedelta(seconds=cursor.batch.claim_seconds)
    return _revive(again, until) + _hand_out(cursor, fresh, now, until)


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


def _expired_with_room(cursor: Cursor, n: int) -> list[Assignment]:
    """Own expired claims, locked, on items that still have room, locked as well.

    A person has few expired claims: they are put in order here, and whether there is room is asked of
    each item. Were SQLite to do it, it would look at all items of the batch in their order. An item that is
    locked this moment is passed over: who holds it may be waiting for what is held here.
    """
    locked = EXPIRED.all(batch=cursor.batch_id, annotator=cursor.annotator_id)
    found: list[Assignment] = []
    for assignment in sorted(locked, key=lambda each: each.item.position):
        with_room = Item.objects.claimable().filter(pk=assignment.item_id)
        if len(found) < n and (item := with_room.select_for_update(skip_locked=True).first()):
            assignment.item = item
            found.append(assignment)
    return found


def _fresh(cursor: Cursor, by: User, n: int, *, may_wait: bool) -> list[Item]:
    """Lock n open items that are new to the person. Who finds nothing but what others hold locked this moment
    waits for it.
    """
    if cursor.batch.most_per_person is not None:
        n = min(n, cursor.batch.most_per_person - cursor.n_taken)
    if n <= 0:
        return []
    items = claimable_items.fresh(cursor, n)
    if not items and may_wait:
        unseen = Item.objects.open_for(by.pk).filter(batch=cursor.batch_id)
        items = list(claimable_items.locking(unseen, 1, skip_locked=False))
    return items


def _revive(expired: Iterable[Assignment], until: datetime) -> list[Assignment]:
    revived = list(expired)
    for assignment in revived:
        item_places.move(assignment.item, n_open=-1, n_claimed=+1)
        assignment.state = AssignmentState.CLAIMED
        assignment.expires_at = until
        assignment.save(update_fields=["state", "expires_at"])
    return revived


def _hand_out(
    cursor: Cursor, items: Sequence[Item], now: datetime, until: datetime
) -> list[Assignment]:
    """New claims on locked items. Moves the cursor behind the last of them."""
    if not items:
        return []
    cursor.position, cursor.round = items[-1].position, items[-1].round
    item_places.move_all(items, n_open=-1, n_claimed=+1)
    cursor.furthest = max(cursor.furthest, *(item.position for item in items))
    cursor.n_taken += len(items)
    moved = {name: getattr(cursor, name) for name in ("position", "round", "furthest", "n_taken")}
    THE_CURSOR.update(moved, pk=cursor.pk)
    return Assignment.objects.bulk_create(
        Assignment(item=item, annotator_id=cursor.annotator_id, claimed_at=now, expires_at=until)
        for item in items
    )


def expire_lapsed(*, batch: Batch, now: datetime) -> int:
    """Give back the places of claims that are past their time. Returns how many."""
    found = [pk for pk, its_batch in LAPSED.all(now=now) if its_batch == batch.pk]
    if not found:
        return 0
    return _expire(Assignment.objects.lapsed(now).filter(pk__in=found), skip_locked=True)


def expire_all(*, batch: Batch) -> int:
    """Give back the places of every claim, lapsed or not: the batch is to be settled now."""
    return _expire(Assignment.objects.claimed().filter(item__batch=batch), skip_locked=False)


@transaction.atomic
def _expire(assignments: AssignmentQuerySet, *, skip_locked: bool) -> int:
    """In the items' order, so that two that expire at the same time never wait for each other.

    Where what is locked is skipped, nothing is waited for: a submission of several items may hold the one
    and want the other. What is skipped is given back another time.
    """
    ordered = assignments.order_by("item__position", "pk")
    n = 0
    for assignment in ordered.select_for_update(skip_locked=skip_locked, of=("self",)):
        items = Item.objects.select_for_update(skip_locked=skip_locked)
        item = items.filter(pk=assignment.item_id).first()
        if item is None:
            continue
        assignment.state = AssignmentState.EXPIRED
        assignment.save(update_fields=["state"])
        item_places.move(item, n_claimed=-1, n_open=+1)
        n += 1
    return n
