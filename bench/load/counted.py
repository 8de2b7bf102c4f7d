"""The contents of the database afterwards, counted with SQL past the application."""

import json
import uuid
from collections.abc import Callable
from typing import Any, NamedTuple

from bench.load.figures import JudgementRecord

Rows = Callable[[str], list[tuple[Any, ...]]]  # asks the database

# Judgements that count, of an item: not taken back and not surplus.
_COUNTED = """
    SELECT i.id, i.n_wanted, i.n_counted, i.n_claimed, i.n_open,
           count(j.id) AS n_judged,
           sum(CASE WHEN a.state = 'claimed' THEN 1 ELSE 0 END) AS n_held
    FROM annotation_assignment a
    JOIN annotation_item i ON i.id = a.item_id
    LEFT JOIN annotation_judgement j ON j.assignment_id = a.id AND NOT j.is_surplus
         AND NOT EXISTS (SELECT 1 FROM annotation_withdrawal w WHERE w.judgement_id = j.id)
    WHERE i.batch_id = {batch}
    GROUP BY i.id, i.n_wanted, i.n_counted, i.n_claimed, i.n_open
"""


class Items(NamedTuple):
    """The number of wrong items of a batch, and of those with missing judgements."""

    n_too_often: int  # judged more often than asked for
    n_overassigned: int  # judged and held by more people than asked for
    n_miscounted: int  # whose places say something else than the judgements and claims do
    n_unjudged: int  # with fewer judgements than asked for


def items(rows: Rows, batch: int) -> Items:
    touched = f"({_COUNTED.format(batch=batch)}) AS touched"
    wrong = rows(
        "SELECT coalesce(sum(CASE WHEN n_judged > n_wanted THEN 1 ELSE 0 END), 0),"
        " coalesce(sum(CASE WHEN n_judged + n_held > n_wanted THEN 1 ELSE 0 END), 0),"
        " coalesce(sum(CASE WHEN n_judged <> n_counted OR n_held <> n_claimed"
        "   OR n_counted + n_claimed + n_open <> n_wanted THEN 1 ELSE 0 END), 0),"
        f" coalesce(sum(CASE WHEN n_judged >= n_wanted THEN 1 ELSE 0 END), 0) FROM {touched}"
    )[0]
    n_items = rows(f"SELECT count(*) FROM annotation_item WHERE batch_id = {batch}")[0][0]
    return Items(int(wrong[0]), int(wrong[1]), int(wrong[2]), n_items - int(wrong[3]))


def judgements(rows: Rows, batch: int, *, after: int = 0) -> list[JudgementRecord]:
    """Return every judgement of the batch that was stored after the one with that key."""
    found = rows(
        "SELECT j.client_id, a.public_id, j.response FROM annotation_judgement j"
        " JOIN annotation_assignment a ON a.id = j.assignment_id"
        " JOIN annotation_item i ON i.id = a.item_id"
        f" WHERE i.batch_id = {batch} AND j.id > {after}"
    )
    return [
        JudgementRecord(client_id, uuid.UUID(str(at)).hex, _label(said))
        for client_id, at, said in found
    ]


def last_judgement(rows: Rows) -> int:
    return int(rows("SELECT coalesce(max(id), 0) FROM annotation_judgement")[0][0])


def _label(response: object) -> str:
    """Return the one answer of a choice. SQLite keeps JSON as text."""
    said = json.loads(response) if isinstance(response, str) else response
    assert isinstance(said, dict)
    return str(next(iter(said.values())))
