"""Reserve items for a person by name: items of a list, of questions, or a random draw (docs/adr/0001-the-spine.md)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import F

from accounts.models import User
from annotation.actions import claims, reserved_places
from annotation.actions.reserved_places import ReservationError
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    Cursor,
    Item,
    Reservation,
)
from annotation.models.items import ItemQuerySet
from annotation.queries import reservations as queries
from annotation.reserved_items_csv import ITEM, Named, as_uuid
from audit import events
from corpus.models import Turn
from corpus.problems import Report, json_excerpt
from stats import lots


@dataclass(frozen=True)
class Reserved:
    """What was reserved for the person now, and how many items are theirs in the batch with it."""

    n_items: int
    n_questions: int
    n_part: int


@dataclass(frozen=True)
class _Place:
    """A locked item, and what the person had of it: an expired claim, by its key, or nothing."""

    item: Item
    expired: int | None = None


@transaction.atomic
def reserve_named(
    *, batch: Batch, person: User, rows: Sequence[Named], report: Report, by: User
) -> Reserved:
    """Reserve the items that the rows name, those of questions included: all of them, or none.

    Raises BatchError and ReservationError, and ImportProblems with those of all rows. `report` is that of the file.
    """
    locked, cursor = _begin(batch, person, by)
    by_item = _named_items(locked, rows, report)
    report.finish()
    taken, own = _assignments(person, list(by_item)), _standing_of(person, list(by_item))
    before = queries.of_other_round(locked, person)
    places = []
    for item in reserved_places.locked_items(locked, list(by_item)):
        row, problem = by_item[item.pk], _why_not(item, person, taken, own, before)
        if problem:
            where = "" if row.field == ITEM else f" its item {item.public_id}"
            report.add(
                f"{problem}{':' if where else ''}{where}",
                index=row.number,
                field=row.field,
                value=json_excerpt(row.value),
            )
        places.append(_Place(item, _expired(item, taken)))
    report.finish()
    return _write(locked, cursor, places, by, how="of a list")


@transaction.atomic
def reserve_drawn(
    *,
    batch: Batch,
    person: User,
    by: User,
    n: int | None = None,
    share: float | None = None,
    seed: int = 1,
) -> Reserved:
    """Reserve `n` items, or a share of the batch's items (above 0, at most 1), drawn from those free for the person.

    The same seed draws the same items of the same free ones. Raises BatchError, and ReservationError if fewer are free.
    """
    if (n is None) == (share is None):
        raise ReservationError("give a number of items or a share of the batch, one of the two")
    locked, cursor = _begin(batch, person, by)
    n_items = locked.items.real().filter(is_excluded=False).count()
    if n is None:
        n = math.ceil(round(_checked_share(share) * n_items, 9))  # 7 % of 100 are 7
    if n < 1:
        raise ReservationError("no item is asked for")
    before, items = queries.of_other_round(locked, person), _free_items(locked, person)
    free = {pk: name for pk, name in items.values_list("pk", "public_id") if pk not in before}
    drawn = sorted(free, key=lambda pk: lots.lot(seed, "reserved", locked.lot_name, free[pk]))[:n]
    taken, own = _assignments(person, drawn), _standing_of(person, drawn)
    places = [
        _Place(item, _expired(item, taken))
        for item in reserved_places.locked_items(locked, drawn)
        # Somebody may have claimed its last place before it was locked.
        if not _why_not(item, person, taken, own, before)
    ]
    if len(places) < n:
        raise ReservationError(
            f"{n} items are asked for, and {len(places)} of the batch {locked.name} are free for {person.username}"
        )
    return _write(locked, cursor, places, by, how=f"drawn with the seed {seed}")


def _checked_share(share: float | None) -> float:
    if share is None or not 0 < share <= 1:
        raise ReservationError("a share is above 0 % and at most 100 %")
    return share


def _begin(batch: Batch, person: User, by: User) -> tuple[Batch, Cursor]:
    """Lock the batch and the person's cursor. Raises BatchError, and ReservationError if nothing of the batch can be
    reserved for the person.
    """
    locked = reserved_places.locked_batch(batch, by)
    reserved_places.require_handed(locked, person)
    return locked, claims.locked_cursor(locked, person)


def _named_items(batch: Batch, rows: Sequence[Named], report: Report) -> dict[int, Named]:
    """The keys of the items that the rows name, with the row of each. Unknown ones are added to the report."""
    known: dict[UUID, int] = {}
    of_turn: dict[str, list[int]] = {}
    if any(row.field == ITEM for row in rows):
        known = dict(batch.items.order_by().values_list("public_id", "pk"))
    if any(row.field != ITEM for row in rows):
        keys = {turn.pk: turn.key for turn in Turn.objects.of(batch.pool.dataset)}
        for turn, pk in batch.items.real().order_by("position").values_list("turn", "pk"):
            of_turn.setdefault(keys[turn], []).append(pk)
    found: dict[int, Named] = {}
    for row in rows:
        name = as_uuid(row.value) if row.field == ITEM else None
        pks = [known[name]] if name in known else of_turn.get(row.value, [])
        what = "item" if row.field == ITEM else "question"
        problem = "" if pks else f"is no {what} of the batch {batch.name}"
        if not problem and any(pk in found for pk in pks):
            problem = f"is named by {report.unit} {next(found[pk] for pk in pks if pk in found).number} already"
        if problem:
            report.add(problem, index=row.number, field=row.field, value=json_excerpt(row.value))
        found.update(dict.fromkeys(pks, row))
    return found


def _free_items(batch: Batch, person: User) -> ItemQuerySet:
    """The items with an open place that the person was never handed, or let expire, and that are not reserved for them."""
    gone = Assignment.objects.filter(item__batch=batch, annotator=person)
    own = Reservation.objects.standing().filter(batch=batch, annotator=person)
    free = Item.objects.claimable().filter(batch=batch)
    return free.exclude(pk__in=gone.exclude(state=AssignmentState.EXPIRED).values("item")).exclude(
        pk__in=own.values("item")
    )


Taken = dict[int, tuple[int, str]]


def _assignments(person: User, items: Sequence[int]) -> Taken:
    """The person's assignments on these items, locked: key and state by item."""
    found: Taken = {}
    for piece in reserved_places.pieces(items):
        own = Assignment.objects.filter(item__in=piece, annotator=person)
        rows = own.order_by("item__position").select_for_update(of=("self",))
        found |= {item: (pk, state) for item, pk, state in rows.values_list("item", "pk", "state")}
    return found


def _standing_of(person: User, items: Sequence[int]) -> set[int]:
    """Which of these items are reserved for the person."""
    found: set[int] = set()
    for piece in reserved_places.pieces(items):
        own = Reservation.objects.standing().filter(annotator=person, item__in=piece)
        found.update(own.values_list("item", flat=True))
    return found


def _expired(item: Item, taken: Taken) -> int | None:
    pk, state = taken.get(item.pk, (None, ""))
    return pk if state == AssignmentState.EXPIRED else None


def _why_not(item: Item, person: User, taken: Taken, own: set[int], before: set[int]) -> str:
    """Why the locked item cannot be reserved for the person; "" if it can. `before`: queries.of_other_round()."""
    if item.n_wanted is None:
        return "is a control item or a repeat, which is assigned by a random draw"
    if item.is_excluded:
        return "is excluded"
    if item.pk in own:
        return f"is reserved for {person.username} already"
    if problem := reserved_places.why_not_taken(
        person, taken.get(item.pk, (0, ""))[1], item.pk in before
    ):
        return problem
    if not item.n_open:
        n_reserved = f", {item.n_reserved} of them reserved" if item.n_reserved else ""
        return f"has no free place: of {item.n_wanted} wanted judgements all are given or assigned{n_reserved}"
    return ""


def _write(
    batch: Batch, cursor: Cursor, places: Sequence[_Place], by: User, *, how: str
) -> Reserved:
    """Reserve the open places. Raises ReservationError if they exceed the person's share of the batch."""
    reserved_places.require_share(batch, cursor, sum(each.expired is None for each in places))
    for piece in reserved_places.pieces([each.item.pk for each in places]):
        Item.objects.filter(pk__in=piece).update(
            n_open=F("n_open") - 1, n_reserved=F("n_reserved") + 1
        )
    reserved_places.add_rows(batch, cursor, [(each.item.pk, each.expired) for each in places], by)
    events.record(
        study=batch.study,
        by=by,
        verb="reserved items of",
        target=batch,
        annotator=cursor.annotator.username,
        n_items=len(places),
        how=how,
    )
    n_questions = len({each.item.turn_id for each in places})
    return Reserved(len(places), n_questions, cursor.n_part)
