"""The judgements and items of one batch as it stands now, read in pieces.

A piece takes a fixed number of queries, and only one piece is in memory.
"""

from collections.abc import Iterator
from typing import Any

from annotation.models import Batch, BatchState, Item, Judgement
from annotation.queries import batch_progress
from exports.rows.columns import ItemRow, JudgementRow
from exports.rows.items import rows_of_items
from exports.rows.judgements import rows_of_judgements

PIECE = 1_000
SETTLED = "settled"


def state_of(batch: Batch) -> str:
    """Return draft, open, paused, closed or settled."""
    if batch.state != BatchState.CLOSED:
        return batch.state
    (line,) = batch_progress.batch_lines([batch])
    return SETTLED if line.is_settled else batch.state


def judgements(batch: Batch) -> Iterator[JudgementRow]:
    """Return the rows of all judgements, withdrawn ones too, in the order in which they came."""
    found = Judgement.objects.filter(assignment__item__batch=batch).order_by("pk")
    last = 0
    while piece := list(found.filter(pk__gt=last).only("pk")[:PIECE]):
        last = piece[-1].pk
        yield from rows_of_judgements(batch, piece)


def items(batch: Batch) -> Iterator[ItemRow]:
    """Return the rows of all items in the order of the batch."""
    found = Item.objects.filter(batch=batch).order_by("position", "pk")
    keys = list(found.values_list("pk", flat=True))
    for at in range(0, len(keys), PIECE):
        yield from rows_of_items(batch, keys[at : at + PIECE])


TABLES: dict[str, tuple[type[Any], Any]] = {
    "judgements": (JudgementRow, judgements),
    "items": (ItemRow, items),
}
