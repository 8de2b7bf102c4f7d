"""The rows of relations.csv: pairs of accepted answers, and how they relate. Imports no models."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from exports.rows.columns import ItemRow
from exports.rows.derived_columns import RelationRow
from exports.rows.pairs import RELATIONS
from exports.rows.relation_clusters import Related, breaks_transitivity, clusters


def relation_rows(
    items: Iterable[ItemRow], tiers: Mapping[str, str], shown_first: Mapping[str, str]
) -> list[RelationRow]:
    """The rows of these items, without control items, sorted by turn, pair, batch and item.

    `tiers` has current tiers by answer id, `shown_first` the first answer of the screen by item.
    """
    both: dict[str, list[ItemRow]] = defaultdict(list)
    for row in items:
        if row.scheme in RELATIONS and not row.is_control:
            both[row.item_id].append(row)
    pairs = [(min(rows, key=_answer_id), max(rows, key=_answer_id)) for rows in both.values()]
    cluster_of = clusters(_related(*pair) for pair in pairs)
    rows = [_row(*pair, tiers, cluster_of, shown_first) for pair in pairs]
    return sorted(
        rows, key=lambda row: (row.turn_id, row.first_id, row.second_id, row.batch, row.item_id)
    )


def _answer_id(row: ItemRow) -> str:
    return row.answer_id


def _related(first: ItemRow, second: ItemRow) -> Related:
    """The pair with the label that decides it; without one if another item does."""
    return Related(first.answer_id, second.answer_id, first.verdict if first.is_newest else "")


def _row(
    first: ItemRow,
    second: ItemRow,
    tiers: Mapping[str, str],
    cluster_of: Mapping[str, str],
    shown_first: Mapping[str, str],
) -> RelationRow:
    return RelationRow(
        study=first.study,
        batch=first.batch,
        item_id=first.item_id,
        turn_id=first.turn_id,
        first_id=first.answer_id,
        second_id=second.answer_id,
        first_answer=first.answer,
        second_answer=second.answer,
        is_first_shown_first=shown_first[first.item_id] == first.answer_id,
        first_tier=tiers.get(first.answer_id, ""),
        second_tier=tiers.get(second.answer_id, ""),
        state=first.state,
        relation=first.verdict,
        source=first.source,
        votes=first.votes,
        n_counted=first.n_counted,
        is_newest=first.is_newest,
        first_cluster=cluster_of[first.answer_id],
        second_cluster=cluster_of[second.answer_id],
        breaks_transitivity=breaks_transitivity(_related(first, second), cluster_of),
    )
