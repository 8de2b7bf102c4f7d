"""Soft labels: the votes and the probability of each label of an item. Imports no Django.

A verdict is one label or none. Soft labels have a row for each label: its number and share of
votes, and its posterior given how everybody errs in the batch (`stats.aggregation.posteriors`).
They do not depend on the consensus rule of the batch, and are computed from the rows of
judgements.csv and items.csv alone.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from annotation import schemes
from exports.rows.columns import ItemRow, JudgementRow
from exports.rows.derived_columns import SoftLabelRow
from stats.aggregation.posteriors import LEAST_FOR_ONE_COIN, Posterior, posteriors

TOO_FEW = "too few judgements"
EXCLUDED = "excluded"

# Label by item and annotator.
Votes = Mapping[str, Mapping[str, str]]


def soft_labels(judgements: Iterable[JudgementRow], items: Sequence[ItemRow]) -> list[SoftLabelRow]:
    """One row for each label of each item that is not a control item, sorted by batch, item and
    label.

    Labels are those of the scheme, and any other label that a counted judgement has.
    """
    real = {row.item_id: row for row in items if not row.is_control}
    items_by_batch: dict[str, dict[str, ItemRow]] = defaultdict(dict)
    for item_id in sorted(real):
        items_by_batch[real[item_id].batch][item_id] = real[item_id]
    votes = _votes(judgements)
    return [
        row
        for batch in sorted(items_by_batch)
        for row in _batch_rows(list(items_by_batch[batch].values()), votes)
    ]


def _votes(judgements: Iterable[JudgementRow]) -> dict[str, dict[str, str]]:
    """The counted labels of the question that decides the item."""
    votes: dict[str, dict[str, str]] = defaultdict(dict)
    for row in judgements:
        if row.counted and row.label and row.question == row.scheme:
            votes[row.item_id][row.annotator] = row.label
    return votes


def _batch_rows(items: Sequence[ItemRow], votes: Votes) -> Iterator[SoftLabelRow]:
    own_votes = {item.item_id: votes.get(item.item_id, {}) for item in items}
    kept = {item.item_id: own_votes[item.item_id] for item in items if not item.is_excluded}
    others = {label for by_annotator in own_votes.values() for label in by_annotator.values()}
    labels = sorted({*schemes.get(items[0].scheme).labels, *others})
    by_item = posteriors(kept, labels)
    for item in items:
        own_labels = list(own_votes[item.item_id].values())
        yield from _item_rows(item, own_labels, labels, by_item.get(item.item_id))


def _item_rows(
    item: ItemRow, votes: Sequence[str], labels: Sequence[str], posterior: Posterior | None
) -> Iterator[SoftLabelRow]:
    probabilities = dict(posterior.probabilities) if posterior else {}
    n = len(votes)
    too_few = TOO_FEW if n < LEAST_FOR_ONE_COIN else ""
    for label in labels:
        yield SoftLabelRow(
            study=item.study,
            batch=item.batch,
            scheme=item.scheme,
            item_id=item.item_id,
            label=label,
            n_votes=votes.count(label),
            vote_share=votes.count(label) / n if n else None,
            posterior=probabilities.get(label),
            model=posterior.model if posterior else "",
            reason=EXCLUDED if item.is_excluded else too_few,
        )
