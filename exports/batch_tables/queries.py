"""The judgements, items and skips of one batch as it stands now, read in pieces.

A piece takes a fixed number of queries, and only one piece is in memory.
"""

from collections.abc import Iterator
from typing import Any

from annotation.models import Assignment, Batch, BatchState, Item, Judgement
from annotation.queries import batch_progress, skips
from exports.batch_tables.columns import SkipRow
from exports.rows.columns import ItemRow, JudgementRow
from exports.rows.ids import timestamp
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
    keys = found.values_list("pk", flat=True)
    last = 0
    while piece := list(keys.filter(pk__gt=last)[:PIECE]):
        last = piece[-1]
        yield from rows_of_judgements(batch, piece)


def items(batch: Batch) -> Iterator[ItemRow]:
    """Return the rows of all items in the order of the batch."""
    found = Item.objects.filter(batch=batch).order_by("position", "pk")
    keys = list(found.values_list("pk", flat=True))
    for at in range(0, len(keys), PIECE):
        yield from rows_of_items(batch, keys[at : at + PIECE])


def skipped_items(batch: Batch) -> Iterator[SkipRow]:
    """Return a row for each item that somebody skipped, in the order of the assignments."""
    pseudonyms = {each.user_id: each.pseudonym for each in batch.study.memberships.all()}
    found = skips.skipped(batch).select_related("item__turn__conversation").order_by("pk")
    found = found.defer("item__payload", "item__turn__source", "item__turn__record")
    last = 0
    while piece := list(found.filter(pk__gt=last)[:PIECE]):
        last = piece[-1].pk
        yield from (_skip_row(batch, each, pseudonyms) for each in piece)


def _skip_row(batch: Batch, assignment: Assignment, pseudonyms: dict[int, str]) -> SkipRow:
    item = assignment.item
    return SkipRow(
        study=batch.study.slug,
        batch=batch.name,
        scheme=batch.scheme,
        item_id=str(item.public_id),
        turn_id=item.turn.key,
        annotator=pseudonyms[assignment.annotator_id],
        assignment_id=str(assignment.public_id),
        claimed_at=timestamp(assignment.claimed_at),
        reason=assignment.skip_choice,
        words=assignment.skip_reason,
        is_control=item.n_wanted is None,
        is_rehearsal=batch.is_rehearsal,
    )


TABLES: dict[str, tuple[type[Any], Any]] = {
    "judgements": (JudgementRow, judgements),
    "items": (ItemRow, items),
    "skips": (SkipRow, skipped_items),
}
