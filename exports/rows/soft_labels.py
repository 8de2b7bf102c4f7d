"""How an item was judged as shares and probabilities, one row a label. Plain Python.

A verdict says one label or none; soft labels say how many said each, and how likely each is given how
everybody errs in the batch (stats.aggregation.posteriors), whatever rule the batch was settled by. They follow
from judgements.csv, and from items.csv as to which items there are and which were excluded.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from annotation import schemes
from exports.rows.columns import ItemRow, JudgementRow, SoftLabelRow
from stats.aggregation.posteriors import LEAST_FOR_ONE_COIN, Posterior, posteriors

TOO_FEW = "too few judgements"
EXCLUDED = "excluded"

# By item and annotator, the label.
Votes = Mapping[str, Mapping[str, str]]


def soft_labels(judgements: Iterable[JudgementRow], items: Sequence[ItemRow]) -> list[SoftLabelRow]:
    """One row for each item that is no control and each label of its scheme, by batch, item and label.

    A label that was said and is not of the scheme has its row too.
    """
    real = {row.item_id: row for row in items if not row.is_control}
    of_batch: dict[str, dict[str, ItemRow]] = defaultdict(dict)
    for item_id in sorted(real):
        of_batch[real[item_id].batch][item_id] = real[item_id]
    votes = _votes(judgements)
    return [
        row
        for batch in sorted(of_batch)
        for row in _of_batch(list(of_batch[batch].values()), votes)
    ]


def _votes(judgements: Iterable[JudgementRow]) -> dict[str, dict[str, str]]:
    """What was counted of the question that consensus is sought on."""
    votes: dict[str, dict[str, str]] = defaultdict(dict)
    for row in judgements:
        if row.counted and row.label and row.question == row.scheme:
            votes[row.item_id][row.annotator] = row.label
    return votes


def _of_batch(items: Sequence[ItemRow], votes: Votes) -> Iterator[SoftLabelRow]:
    said = {item.item_id: votes.get(item.item_id, {}) for item in items}
    kept = {item.item_id: said[item.item_id] for item in items if not item.is_excluded}
    others = {label for by_annotator in said.values() for label in by_annotator.values()}
    labels = sorted({*schemes.get(items[0].scheme).labels, *others})
    likely = posteriors(kept, labels)
    for item in items:
        yield from _of_item(item, list(said[item.item_id].values()), labels, likely)


def _of_item(
    item: ItemRow, said: Sequence[str], labels: Sequence[str], likely: Mapping[str, Posterior]
) -> Iterator[SoftLabelRow]:
    found = likely.get(item.item_id)
    probabilities = dict(found.probabilities) if found else {}
    n = len(said)
    too_few = TOO_FEW if n < LEAST_FOR_ONE_COIN else ""
    for label in labels:
        yield SoftLabelRow(
            study=item.study,
            batch=item.batch,
            scheme=item.scheme,
            item_id=item.item_id,
            label=label,
            n_votes=said.count(label),
            vote_share=said.count(label) / n if n else None,
            posterior=probabilities.get(label),
            model=found.model if found else "",
            reason=EXCLUDED if item.is_excluded else too_few,
        )
