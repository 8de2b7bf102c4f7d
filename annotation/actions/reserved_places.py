"""Places that are reserved for a person: locked, checked, and written, for whoever reserves or reassigns them.

docs/adr/0001-the-spine.md is the design. Locks are taken in the order of all actions: batch, cursor, assignment,
item. Whoever claims locks the cursor and the items too, so that a place is claimed or reserved, never both.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from django.utils import timezone

from accounts import permissions
from accounts.errors import ActionError
from accounts.models import Role, User
from annotation.actions import batches
from annotation.actions.open_batches import AT_WORK
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    Cursor,
    Item,
    Reservation,
)
from annotation.queries import reservations as queries

# Rows of one statement.
AT_ONCE = 1_000

Row = TypeVar("Row")


class ReservationError(ActionError):
    """The items cannot be reserved, reassigned or released; the message says why."""


def locked_batch(batch: Batch, by: User) -> Batch:
    """Return the batch, locked. Raises BatchError unless it is open or paused, ReservationError if none of its items
    can be reserved.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    locked = batches.locked_in_state(batch, *AT_WORK)
    if locked.is_rehearsal:
        raise ReservationError(f"the batch {locked.name} is a rehearsal: nobody real works on it")
    if locked.is_training:
        raise ReservationError(
            f"the batch {locked.name} is a training: everybody judges all of its items"
        )
    return locked


def require_handed(batch: Batch, person: User) -> None:
    """Raise ReservationError if the person is handed nothing of the batch now, whatever is left."""
    if person.is_simulated:
        raise ReservationError(f"{person.username} is simulated")
    if obstacle := queries.obstacles(batch, [person.pk]).get(person.pk):
        raise ReservationError(f"{person.username} {obstacle}")


def pieces(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Yield the rows, as many at a time as a statement takes."""
    for start in range(0, len(rows), AT_ONCE):
        yield rows[start : start + AT_ONCE]


def locked_items(batch: Batch, pks: Sequence[int]) -> Iterator[Item]:
    """Yield these items of the batch in its order, locked, without what they show."""
    keys = set(pks)
    # All positions first: pieces that are not in the batch's order could wait for one another.
    ordered = [pk for pk in _in_order(batch, keys) if pk in keys]
    for piece in pieces(ordered):
        rows = Item.objects.filter(pk__in=piece).defer("payload").order_by("position")
        yield from rows.locked()


def _in_order(batch: Batch, keys: set[int]) -> list[int]:
    rows = Item.objects.filter(batch=batch).order_by("position")
    if len(keys) <= AT_ONCE:
        rows = rows.filter(pk__in=keys)
    return list(rows.values_list("pk", flat=True))


def why_not_taken(person: User, state: str, was_in_other_round: bool) -> str:
    """Why an item whose assignment to the person is in this state cannot be reserved for them; "" if it can. What was
    theirs in the other round may show what they wrote, or they have read an answer to it.
    """
    if was_in_other_round:
        return f"was handed to {person.username} in the other round"
    reasons = {
        AssignmentState.SUBMITTED: "was judged by {} already",
        AssignmentState.SKIPPED: "was skipped by {}",
        AssignmentState.CLAIMED: "is on the desk of {} now",
        AssignmentState.WITHDRAWN: "was withdrawn by {}",
    }
    return reasons.get(AssignmentState(state), "").format(person.username) if state else ""


def require_share(batch: Batch, cursor: Cursor, n_new: int) -> None:
    """Raise ReservationError if so many items more, which were never handed to the person, exceed their share of the
    batch.
    """
    n_taken = cursor.n_taken - cursor.n_controls + cursor.n_waiting
    if batch.most_per_person is not None and n_taken + n_new > batch.most_per_person:
        raise ReservationError(
            f"one person judges {batch.most_per_person} items of the batch {batch.name} at most, and"
            f" {cursor.annotator.username} has {n_taken}: {n_new} more are too many"
        )


def add_rows(
    batch: Batch, cursor: Cursor, items: Sequence[tuple[int, int | None]], by: User
) -> None:
    """Add the reservations of the person whose locked cursor it is: items in their order, each with the person's
    expired claim on it, if any, which then brings it back.
    """
    now = timezone.now()
    Reservation.objects.bulk_create(
        (
            Reservation(
                batch=batch,
                item_id=item,
                annotator_id=cursor.annotator_id,
                reserved_at=now,
                reserved_by=by,
                handed_at=None if expired is None else now,
            )
            for item, expired in items
        ),
        batch_size=AT_ONCE,
    )
    claims_on_them = [expired for _, expired in items if expired is not None]
    for piece in pieces(claims_on_them):
        Assignment.objects.filter(pk__in=piece).update(is_reserved=True)
    cursor.n_waiting += len(items) - len(claims_on_them)
    cursor.n_part += len(items)
    cursor.save(update_fields=["n_waiting", "n_part"])
