"""The next items for a person, locked: open items that were never handed to them.

The person's cursor is the position up to which they were handed items. Items after it come first, then those
before it. Items that other transactions have locked are skipped.
"""

from collections.abc import Sequence

from django.db.models import Q
from django.db.models.lookups import Exact, GreaterThan, LessThan

from annotation.models import Cursor, Grouping, Item
from annotation.models.items import ROUND, ItemQuerySet
from performance.compiled_queries import Compiled


def for_update(items: ItemQuerySet, n: int, *, skip_locked: bool = True) -> ItemQuerySet:
    return items.locked(skip_locked=skip_locked)[:n]


# By position: after the cursor, then before it.
QUERIES_BY_POSITION: Sequence[Compiled[Item]] = (
    Compiled(
        lambda n, asks_to_write, *, batch, annotator, position: for_update(
            Item.objects.open_for(annotator, asks_to_write=asks_to_write).filter(
                batch=batch, position__gt=position
            ),
            n,
        )
    ),
    Compiled(
        lambda n, asks_to_write, *, batch, annotator, position: for_update(
            Item.objects.open_for(annotator, asks_to_write=asks_to_write).filter(
                batch=batch, position__lte=position
            ),
            n,
        )
    ),
)
# By round: the rest of the cursor's round, the rounds after it, and those before. As three queries, because each
# then scans one index.
QUERIES_BY_ROUND: Sequence[Compiled[Item]] = (
    Compiled(
        lambda n, asks_to_write, *, batch, annotator, round, position: for_update(
            Item.objects.open_for(annotator, asks_to_write=asks_to_write).filter(
                Exact(ROUND, round), batch=batch, position__gt=position
            ),
            n,
        )
    ),
    Compiled(
        lambda n, asks_to_write, *, batch, annotator, round, position: for_update(
            Item.objects.open_for(annotator, asks_to_write=asks_to_write)
            .filter(GreaterThan(ROUND, round), batch=batch)
            .order_by(ROUND, "position"),
            n,
        )
    ),
    Compiled(
        lambda n, asks_to_write, *, batch, annotator, round, position: for_update(
            Item.objects.open_for(annotator, asks_to_write=asks_to_write)
            .filter(
                Q(LessThan(ROUND, round)) | Q(Exact(ROUND, round), position__lte=position),
                batch=batch,
            )
            .order_by(ROUND, "position"),
            n,
        )
    ),
)


def next_items(cursor: Cursor, n: int) -> list[Item]:
    """Up to n items, locked, for the person whose cursor is locked."""
    where = {
        "batch": cursor.batch_id,
        "annotator": cursor.annotator_id,
        "position": cursor.position,
    }
    steps = QUERIES_BY_POSITION
    if cursor.batch.grouping == Grouping.FEWEST:
        where["round"], steps = cursor.round, QUERIES_BY_ROUND
    items: list[Item] = []
    for step in steps:
        if len(items) < n:
            items += step.all(n - len(items), cursor.batch.asks_to_write, **where)
    return items
