"""Which items come next: open ones that a person was never handed, locked, in the order of the batch.

The person's cursor is the place in that order up to which items were looked at. What lies ahead of it comes
first; only where nothing is left there the rest is looked through. What others hold locked this moment is
passed over.
"""

from collections.abc import Sequence

from django.db.models import Q
from django.db.models.lookups import Exact, GreaterThan, LessThan

from annotation.models import Cursor, Grouping, Item
from annotation.models.batch import ROUND, ItemQuerySet
from performance.compiled_queries import Compiled


def locking(items: ItemQuerySet, n: int, *, skip_locked: bool = True) -> ItemQuerySet:
    return items.select_for_update(skip_locked=skip_locked, of=("self",))[:n]


# By position: ahead of the cursor, and behind it.
IN_A_ROW: Sequence[Compiled[Item]] = (
    Compiled(
        lambda n, *, batch, annotator, position: locking(
            Item.objects.open_for(annotator).filter(batch=batch, position__gt=position), n
        )
    ),
    Compiled(
        lambda n, *, batch, annotator, position: locking(
            Item.objects.open_for(annotator).filter(batch=batch, position__lte=position), n
        )
    ),
)
# In rounds: the rest of the cursor's round, the rounds after it, and what is behind. Apart, each is a walk
# along one index.
IN_ROUNDS: Sequence[Compiled[Item]] = (
    Compiled(
        lambda n, *, batch, annotator, round, position: locking(
            Item.objects.open_for(annotator).filter(
                Exact(ROUND, round), batch=batch, position__gt=position
            ),
            n,
        )
    ),
    Compiled(
        lambda n, *, batch, annotator, round, position: locking(
            Item.objects.open_for(annotator)
            .filter(GreaterThan(ROUND, round), batch=batch)
            .order_by(ROUND, "position"),
            n,
        )
    ),
    Compiled(
        lambda n, *, batch, annotator, round, position: locking(
            Item.objects.open_for(annotator)
            .filter(
                Q(LessThan(ROUND, round)) | Q(Exact(ROUND, round), position__lte=position),
                batch=batch,
            )
            .order_by(ROUND, "position"),
            n,
        )
    ),
)


def fresh(cursor: Cursor, n: int) -> list[Item]:
    """Up to n of them, for the person whose cursor is locked."""
    at = {"batch": cursor.batch_id, "annotator": cursor.annotator_id, "position": cursor.position}
    steps = IN_A_ROW
    if cursor.batch.grouping == Grouping.FEWEST:
        at["round"], steps = cursor.round, IN_ROUNDS
    found: list[Item] = []
    for step in steps:
        if len(found) < n:
            found += step.all(n - len(found), **at)
    return found
