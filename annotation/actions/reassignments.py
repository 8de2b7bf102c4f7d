"""Reassign what is left of people's reserved items to somebody else, or release it to everybody.

What is on somebody's desk stays with them: they may be judging it, also without a connection. Once its time is over it
can be reassigned.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from annotation.actions import claims, reserved_places
from annotation.actions.reserved_places import ReservationError
from annotation.models import Assignment, AssignmentState, Batch, Cursor, Item, Reservation
from annotation.queries import reservations as queries
from annotation.review_decisions import cleaned_words
from audit import events

# Of the items that cannot be reassigned, as many are named.
N_NAMED = 5


@dataclass(frozen=True)
class Reassigned:
    """How many items went, and how many stay on desks until they are judged or their time is over."""

    n_items: int
    n_held: int


def reassign(
    *,
    batch: Batch,
    people: Sequence[User],
    to: User | None,
    reason: str,
    by: User,
    items: Collection[UUID] | None = None,
    now: datetime | None = None,
) -> Reassigned:
    """Reassign what is left of these people's reserved items, or of `items` of them, to `to`; None: to everybody.

    All of it, or nothing. Raises BatchError, ReviewError without a reason, and ReservationError if nothing is left,
    something named is not theirs, or `to` cannot take an item.
    """
    # Before any lock is taken, as in a claim.
    claims.expire_lapsed(batch=batch, now=now or timezone.now())
    with transaction.atomic():
        return _reassigned(batch, people, to, reason, by, items)


def _reassigned(
    batch: Batch,
    people: Sequence[User],
    to: User | None,
    reason: str,
    by: User,
    items: Collection[UUID] | None,
) -> Reassigned:
    words = cleaned_words(reason)
    locked = reserved_places.locked_batch(batch, by)
    if not people:
        raise ReservationError("nobody is named whose items are to be reassigned")
    if to is not None:
        if to in people:
            raise ReservationError(f"the items are those of {to.username} already")
        reserved_places.require_handed(locked, to)
    # In one order, so that two of these acts cannot wait for one another.
    everybody = {each.pk: each for each in (*people, *([to] if to else ()))}
    cursors = {pk: claims.locked_cursor(locked, everybody[pk]) for pk in sorted(everybody)}
    _lock_expired(locked, list(everybody.values()))
    rows = _rows_left(locked, people, items)
    held = [row for row in rows if row.work == AssignmentState.CLAIMED]
    moved = [row for row in rows if row.work != AssignmentState.CLAIMED]
    if items is not None and held:
        raise ReservationError(_named("is on a desk now", "are on a desk now", held))
    if not moved:
        raise ReservationError(
            f"nothing is left to reassign: {len(held)} are on a desk now"
            if held
            else "nothing is left to reassign"
        )
    for _ in reserved_places.locked_items(locked, [row.item_id for row in moved]):
        pass
    _end(moved, words, by)
    if to is None:
        _open_places(moved)
    else:
        _give(locked, moved, cursors[to.pk], by)
    for person, own in groupby(sorted(moved, key=_annotator), key=_annotator):
        _take_from(cursors[person], list(own))
    _record(locked, moved, everybody, to, words, by)
    return Reassigned(len(moved), len(held))


def _lock_expired(batch: Batch, people: Sequence[User]) -> None:
    """Lock the expired claims of these people: who submits one of them now comes before this act, or after it."""
    own = Assignment.objects.filter(
        annotator__in=people, item__batch=batch, state=AssignmentState.EXPIRED
    )
    list(own.order_by("item__position", "pk").select_for_update(of=("self",)).values_list("pk"))


def _annotator(row: Reservation) -> int:
    return row.annotator_id


def _rows_left(
    batch: Batch, people: Sequence[User], items: Collection[UUID] | None
) -> list[Reservation]:
    """The reservations of what the people have not judged, in the batch's order."""
    left = Reservation.objects.left().filter(batch=batch, annotator__in=people)
    rows = list(left.select_related("item__turn").defer("item__payload").order_by("item__position"))
    if items is None:
        return rows
    unknown = set(items) - {row.item.public_id for row in rows}
    if unknown:
        names = ", ".join(person.username for person in people)
        raise ReservationError(
            f"{len(unknown)} of the items named are not left of what is reserved for {names}: {_some(unknown)}"
        )
    return [row for row in rows if row.item.public_id in set(items)]


def _named(one: str, many: str, rows: Sequence[Reservation]) -> str:
    names = _some([row.item.public_id for row in rows])
    return f"1 item {one}: {names}" if len(rows) == 1 else f"{len(rows)} items {many}: {names}"


def _some(names: Collection[UUID]) -> str:
    listed = ", ".join(sorted(map(str, names))[:N_NAMED])
    n_more = len(names) - N_NAMED
    return f"{listed} and {n_more} more" if n_more > 0 else listed


def _end(rows: Sequence[Reservation], reason: str, by: User) -> None:
    ended = {"ended_at": timezone.now(), "ended_by": by, "end_reason": reason}
    for piece in reserved_places.pieces([row.pk for row in rows]):
        Reservation.objects.filter(pk__in=piece).update(**ended)


def _open_places(rows: Sequence[Reservation]) -> None:
    """Open the places of the ended reservations, of which an item may have several."""
    per_item = Counter(row.item_id for row in rows)
    for n in set(per_item.values()):
        pks = [pk for pk, count in per_item.items() if count == n]
        for piece in reserved_places.pieces(pks):
            Item.objects.filter(pk__in=piece).update(
                n_open=F("n_open") + n, n_reserved=F("n_reserved") - n
            )


def _give(batch: Batch, rows: Sequence[Reservation], cursor: Cursor, by: User) -> None:
    """Reserve the places of ended reservations for another person. Raises ReservationError if one is not for them."""
    person, items = cursor.annotator, [row.item_id for row in rows]
    own = Assignment.objects.filter(annotator=person, item__batch=batch)
    taken = {item: (pk, state) for item, pk, state in own.values_list("item", "pk", "state")}
    theirs = Reservation.objects.standing().filter(batch=batch, annotator=person)
    before = queries.of_other_round(batch, person)
    reserved, twice = set(theirs.values_list("item", flat=True)), Counter(items)
    refused: dict[str, list[Reservation]] = {}
    for row in rows:
        state = taken.get(row.item_id, (0, ""))[1]
        problem = reserved_places.why_not_taken(person, state, row.item_id in before)
        if row.item_id in reserved or twice[row.item_id] > 1:
            problem = problem or f"would be reserved for {person.username} twice"
        if problem:
            refused.setdefault(problem, []).append(row)
    if refused:
        raise ReservationError(
            "; ".join(_named(problem, f"({problem})", each) for problem, each in refused.items())
        )
    expired = {item: pk for item, (pk, state) in taken.items() if state == AssignmentState.EXPIRED}
    reserved_places.require_share(batch, cursor, sum(item not in expired for item in items))
    reserved_places.add_rows(batch, cursor, [(item, expired.get(item)) for item in items], by)


def _take_from(cursor: Cursor, rows: Sequence[Reservation]) -> None:
    """Count the ended reservations of a person out of their part; their expired claims are like any other."""
    items = [row.item_id for row in rows]
    for piece in reserved_places.pieces(items):
        own = Assignment.objects.filter(annotator=cursor.annotator_id, item__in=piece)
        own.update(is_reserved=False)
    cursor.n_waiting -= sum(row.handed_at is None for row in rows)
    cursor.n_part -= len(rows)
    cursor.save(update_fields=["n_waiting", "n_part"])


def _record(
    batch: Batch,
    rows: Sequence[Reservation],
    people: dict[int, User],
    to: User | None,
    reason: str,
    by: User,
) -> None:
    """One event a person whose items went."""
    for person, n in Counter(map(_annotator, rows)).items():
        details = {"annotator": people[person].username, "n_items": n, "reason": reason}
        if to is None:
            verb = "released items of"
        else:
            verb, details["taker"] = "reassigned items of", to.username
        events.record(study=batch.study, by=by, verb=verb, target=batch, **details)
