"""Claims of annotators on items, and their expiry.

docs/adr/0001-the-spine.md is the protocol. Locks are taken in one order: batch, cursor, assignment, item.
Every action takes `now`, the time at which it happens, so that a rehearsal can live in its own time.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.models import Role, User
from annotation.actions import claimable_items, hidden_claims, item_places, reserved_items
from annotation.actions.reserved_items import ReservedItems
from annotation.models import Assignment, AssignmentState, Batch, BatchState, Cursor, Item
from annotation.models.items import ItemQuerySet
from annotation.models.work import AssignmentQuerySet
from annotation.queries import training
from annotation.queries.audience import with_standing
from performance.compiled_queries import Compiled

CURSORS = Compiled(
    lambda *, batch, annotator: (
        Cursor.objects.filter(batch=batch, annotator=annotator)
        .select_related("batch")
        .select_for_update(of=("self",))
    )
)
# With what was decided of the person, on which `is_admitted` rests.
BATCH = Compiled(lambda *, pk, annotator: with_standing(Batch.objects.filter(pk=pk), annotator))
# Of all batches, found by the index on claimed assignments; for one batch SQLite would scan its items.
LAPSED = Compiled(
    lambda *, now, latest: Assignment.objects.lapsed(now, latest).values_list("pk", "item__batch")
)
# By how much the clocks of two web servers may differ without a claim of the one lapsing at the other. A clock
# that is set to a wrong zone or date differs by more.
CLOCKS_DIFFER = timedelta(minutes=30)
CLAIMED = Compiled(
    lambda *, batch, annotator: (
        Assignment.objects.claimed()
        .filter(item__batch=batch, annotator=annotator)
        .select_related("item")
    )
)
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
MOVED = (
    *("position", "round", "furthest", "n_taken", "n_controls", "n_waiting"),
    *("last_turn", "run_from"),
)


class NothingToClaimError(Exception):
    """The batch hands out nothing to this person now; the message says why."""


def claim(
    *,
    batch: Batch,
    by: User,
    n: int = 1,
    roles: set[Role] | None = None,
    now: datetime | None = None,
) -> list[Assignment]:
    """Up to n assignments to work on: first those that the person holds already, then their expired ones
    whose item still has a place for them, then what is reserved for them, then new ones.

    An empty list means that nothing is left for this person. `roles` are theirs, if known already. Raises NothingToClaimError if they hold nothing
    and the batch hands out nothing, NotAllowedError if they have no desk in the study.
    """
    now = now or timezone.now()
    permissions.require_desk(by, batch.study, roles)
    expire_lapsed(batch=batch, now=now)
    with transaction.atomic():
        cursor = locked_cursor(batch, by)
        held = held_assignments(cursor, n)
        if len(held) == n:
            return held
        try:
            return held + claim_more(cursor, by, n - len(held), now)
        except NothingToClaimError:
            if held:
                return held
            raise


def locked_cursor(batch: Batch, annotator: User) -> Cursor:
    """The person's cursor, locked: the first lock that a claim takes."""
    cursor = CURSORS.first(batch=batch.pk, annotator=annotator.pk)
    if cursor is not None:
        return cursor
    # Another request of the person may have made it in this moment.
    Cursor.objects.bulk_create([Cursor(batch=batch, annotator=annotator)], ignore_conflicts=True)
    return CURSORS.all(batch=batch.pk, annotator=annotator.pk)[0]


def held_assignments(cursor: Cursor, n: int | None = None) -> list[Assignment]:
    """The assignments that the person has claimed and not judged, in the order of claims."""
    found = CLAIMED.all(batch=cursor.batch_id, annotator=cursor.annotator_id)
    return in_order_of_claims(found)[:n]


def in_order_of_claims(assignments: Iterable[Assignment]) -> list[Assignment]:
    """Sorted by the time of the claim, then reserved ones first, then by the order of the batch.

    With a control item or a repeat among them, then as they were handed out: these stand behind all others in the batch.
    """
    rows = list(assignments)
    if any(each.item.n_wanted is None for each in rows):
        return sorted(rows, key=lambda each: (each.claimed_at, each.pk))
    return sorted(
        rows, key=lambda each: (each.claimed_at, not each.is_reserved, each.item.position)
    )


def own_assignments(cursor: Cursor) -> AssignmentQuerySet:
    """All assignments of the person in the batch."""
    return Assignment.objects.filter(item__batch=cursor.batch_id, annotator=cursor.annotator_id)


def claim_more(
    cursor: Cursor, annotator: User, n: int, now: datetime, *, may_wait: bool = True
) -> list[Assignment]:
    """Up to n assignments beyond those held, for the person whose cursor is locked.

    Raises NothingToClaimError, before anything is written. If other transactions have locked all that is left,
    it waits for one item, unless `may_wait` is False.
    """
    _require_open(cursor.batch, annotator, now)
    if cursor.is_paused:
        raise NothingToClaimError(
            f"the organisers hand {annotator.username} nothing of the batch {cursor.batch.name} for now"
        )
    if cursor.batch.is_training and (reason := training.why_not_begin(cursor.batch, annotator)):
        raise NothingToClaimError(reason)
    expired = _expired_with_room(cursor, n)
    n_new, may_wait = n - len(expired), may_wait and not expired
    reserved = reserved_items.next_items(cursor, n_new, may_wait=may_wait)
    new = reserved.items + _new_items(
        cursor, annotator, n_new, reserved, may_wait=may_wait and not reserved.items
    )
    # Checked again now that the items are locked, because settling and rehearsing lock them too:
    # a claim that they did not wait for comes after them, and is refused. Who revokes a qualification
    # locks the cursor, and so comes before this question or after the whole claim.
    current = BATCH.all(pk=cursor.batch_id, annotator=annotator.pk)[0]
    _require_open(current, annotator, now)
    if not current.is_admitted:
        raise NothingToClaimError(
            f"{annotator.username} does not hold the qualification that the batch {current.name} asks for"
        )
    if cursor.batch.has_hidden_items:
        new = hidden_claims.with_hidden(cursor, new, n_new)
    until = now + timedelta(seconds=cursor.batch.claim_seconds)
    return _claim_again(expired, until) + _hand_out(cursor, new, reserved, now, until)


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
    """The person's expired claims, locked, whose items still have an open place; these are locked too.

    A person has few expired claims, so they are sorted here, with one query for each item: in one query
    SQLite would scan all items of the batch. Items that another transaction has locked are skipped: it may be
    waiting for rows locked here.
    """
    expired = EXPIRED.all(batch=cursor.batch_id, annotator=cursor.annotator_id)
    assignments: list[Assignment] = []
    for assignment in sorted(expired, key=lambda each: each.item.position):
        with_room = _with_room(assignment).filter(pk=assignment.item_id)
        if len(assignments) < n and (item := with_room.locked(skip_locked=True).first()):
            assignment.item = item
            assignments.append(assignment)
    return assignments


def _with_room(assignment: Assignment) -> ItemQuerySet:
    """The items with a place for the owner of an expired claim: a reserved one is theirs alone."""
    if assignment.is_reserved:
        return Item.objects.filter(n_reserved__gt=0, is_excluded=False)
    return Item.objects.claimable_again()


def _new_items(
    cursor: Cursor, by: User, n: int, reserved: ReservedItems, *, may_wait: bool
) -> list[Item]:
    """Open items that are new to the person, locked: up to n with the reserved ones, which come first. If all of
    these are locked by other transactions, waits for one of them.
    """
    if cursor.batch.is_training:  # its items have no places, so that none is locked
        return training.unseen_items(cursor.batch, by.pk, n) if n > 0 else []
    if cursor.batch.most_per_person is not None:
        n = min(n, cursor.batch.most_per_person - (cursor.n_taken - cursor.n_controls))
    n -= len(reserved.items)
    if n <= 0:
        return []
    # Of those that are taken as reserved other places may be open.
    items = claimable_items.next_items(cursor, n + len(reserved.items))
    if not items and may_wait:
        unseen = Item.objects.open_for(by.pk, asks_to_write=cursor.batch.asks_to_write)
        unseen = unseen.filter(batch=cursor.batch_id)
        items = list(claimable_items.for_update(unseen, 1, skip_locked=False))
    return reserved_items.without_waiting(cursor, items, reserved)[:n]


def _claim_again(expired: Iterable[Assignment], until: datetime) -> list[Assignment]:
    revived = list(expired)
    for assignment in revived:
        item_places.move(assignment.item, **{item_places.free_place(assignment): -1}, n_claimed=+1)
        assignment.state = AssignmentState.CLAIMED
        assignment.expires_at = until
        assignment.save(update_fields=["state", "expires_at"])
    return revived


def _hand_out(
    cursor: Cursor,
    items: Sequence[Item],
    reserved: ReservedItems,
    now: datetime,
    until: datetime,
) -> list[Assignment]:
    """Create claims on items, which are locked unless they have no places, and move the cursor to the last of those
    that are open to everybody.
    """
    if not items:
        return []
    real = [item for item in items if item.n_wanted is not None]
    open_to_all = [item for item in real if item not in reserved]
    if real:
        cursor.furthest = max(cursor.furthest, *(item.position for item in real))
    if open_to_all:
        cursor.position, cursor.round = open_to_all[-1].position, open_to_all[-1].round
    item_places.move_all(open_to_all, n_open=-1, n_claimed=+1)
    reserved_items.hand_out(cursor, real, reserved, now)
    cursor.n_taken += len(items)
    cursor.n_controls += len(items) - len(real)
    THE_CURSOR.update({name: getattr(cursor, name) for name in MOVED}, pk=cursor.pk)
    return Assignment.objects.bulk_create(
        Assignment(
            item=item,
            annotator_id=cursor.annotator_id,
            claimed_at=now,
            expires_at=until,
            is_reserved=item in reserved,
        )
        for item in items
    )


def expire_lapsed(*, batch: Batch, now: datetime) -> int:
    """Give back the places of claims whose time is over. Returns how many."""
    latest = now + timedelta(seconds=batch.claim_seconds) + CLOCKS_DIFFER
    lapsed = [pk for pk, its_batch in LAPSED.all(now=now, latest=latest) if its_batch == batch.pk]
    if not lapsed:
        return 0
    claims = Assignment.objects.lapsed(now, latest).filter(pk__in=lapsed)
    return _expire(claims, skip_locked=True)


def expire_all(*, batch: Batch) -> int:
    """Give back the places of all claims, lapsed or not, so that the batch can be settled. Returns how many."""
    return _expire(Assignment.objects.claimed().filter(item__batch=batch), skip_locked=False)


def give_back(*, batch: Batch, annotator: User) -> int:
    """Give back the places of all claims of one person, whose cursor is locked. Returns how many."""
    own = Assignment.objects.claimed().filter(item__batch=batch, annotator=annotator)
    return _expire(own, skip_locked=False)


@transaction.atomic
def _expire(assignments: AssignmentQuerySet, *, skip_locked: bool) -> int:
    """Expire the claims in the order of items, so that two transactions that do so cannot deadlock.

    With `skip_locked` it waits for nothing: a submission of several items may hold one lock and wait for
    another. Skipped claims expire with the next call.
    """
    ordered = assignments.order_by("item__position", "pk")
    n = 0
    for assignment in ordered.select_for_update(skip_locked=skip_locked, of=("self",)):
        items = Item.objects.locked(skip_locked=skip_locked)
        item = items.filter(pk=assignment.item_id).first()
        if item is None:
            continue
        assignment.state = AssignmentState.EXPIRED
        assignment.save(update_fields=["state"])
        item_places.move(item, n_claimed=-1, **{item_places.free_place(assignment): +1})
        n += 1
    return n
