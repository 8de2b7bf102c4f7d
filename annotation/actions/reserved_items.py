"""The reserved items of a person, as a claim hands them out. Expects the person's cursor to be locked: whoever
reserves, reassigns or releases locks it too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from annotation.actions import item_places
from annotation.models import Cursor, Item, Reservation
from performance.compiled_queries import Compiled

# In the order in which they were reserved, which within one act is that of the batch. By one index, however much
# the person has judged.
WAITING = Compiled(
    lambda n, skip_locked, asks_to_write, *, batch, annotator: (
        Reservation.objects.waiting()
        .unread_by(annotator, asks_to_write=asks_to_write)
        .filter(batch=batch, annotator=annotator, item__is_excluded=False)
        .select_related("item")
        .order_by("pk")
        .select_for_update(skip_locked=skip_locked, no_key=True, of=("item",))[:n]
    )
)
THE_RESERVATIONS = Compiled(lambda *, pks: Reservation.objects.filter(pk__in=pks))


@dataclass(frozen=True)
class ReservedItems:
    """Locked items that wait for the person, and the keys of their reservations by item."""

    items: list[Item] = field(default_factory=list)
    reservations: dict[int, int] = field(default_factory=dict)

    def __contains__(self, item: Item) -> bool:
        return item.pk in self.reservations


def next_items(cursor: Cursor, n: int, *, may_wait: bool) -> ReservedItems:
    """Up to n of the items that wait for the person, locked; no query if none does.

    If other transactions have locked all of them, waits for one unless `may_wait` is False.
    """
    if n <= 0 or not cursor.n_waiting:
        return ReservedItems()
    whose = {"batch": cursor.batch_id, "annotator": cursor.annotator_id}
    asks_to_write = cursor.batch.asks_to_write
    rows = WAITING.all(n, True, asks_to_write, **whose)
    if not rows and may_wait:
        rows = WAITING.all(1, False, asks_to_write, **whose)
    return ReservedItems([row.item for row in rows], {row.item_id: row.pk for row in rows})


def without_waiting(cursor: Cursor, items: Sequence[Item], taken: ReservedItems) -> list[Item]:
    """The items without those that are reserved for the person, taken or waiting: their open places are for others.
    No query if all that waits was taken.
    """
    items = [item for item in items if item not in taken]
    if not items or cursor.n_waiting <= len(taken.items):
        return items
    own = Reservation.objects.waiting().filter(
        annotator=cursor.annotator_id, item__in=[item.pk for item in items]
    )
    waiting = set(own.values_list("item", flat=True))
    return [item for item in items if item.pk not in waiting]


def hand_out(cursor: Cursor, items: Iterable[Item], taken: ReservedItems, now: datetime) -> None:
    """Move the places of reserved items that are handed out now; the cursor's count in memory only."""
    handed = [item for item in items if item in taken]
    if not handed:
        return
    item_places.move_all(handed, n_reserved=-1, n_claimed=+1)
    pks = [taken.reservations[item.pk] for item in handed]
    THE_RESERVATIONS.update({"handed_at": now}, pks=pks)
    cursor.n_waiting -= len(handed)
