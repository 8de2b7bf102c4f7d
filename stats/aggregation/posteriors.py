"""The probability of each label of an item, given all judgements of its batch.

    found = posteriors({item: {annotator: label, …}, …}, labels=("plausible", "implausible", …))
    found[item]  # Posterior(probabilities=(("implausible", 0.021), …), model="confusions")

Two models (stats.aggregation.dawid_skene), each fitted to every judgement passed, with the default
prior: whole confusion matrices for items with three judgements or more, one accuracy an annotator
for items with two. With two judgements a whole matrix is not identified. An item with fewer has no
posterior.

Probabilities are rounded to six decimals, and decisions rest on these: the same judgements give the
same numbers, whatever their order.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from stats.aggregation.dawid_skene import Judgements, dawid_skene, one_coin

Item = TypeVar("Item")
Votes = Mapping[Item, Mapping[str, str]]

DECIMALS = 6
LEAST_FOR_CONFUSIONS = 3
LEAST_FOR_ONE_COIN = 2
CONFUSIONS = "confusions"
ONE_COIN = "one_coin"


@dataclass(frozen=True, slots=True)
class Posterior:
    """The probability of every label, sorted by code point, and the model."""

    probabilities: tuple[tuple[str, float], ...]
    model: str


@dataclass(frozen=True, eq=False)
class CodedVotes:
    """Judgements as integers, with the names that the integers stand for, sorted by code point."""

    judgements: Judgements
    annotators: tuple[str, ...]
    labels: tuple[str, ...]


def code_votes(votes: Votes[Item], labels: Iterable[str] = ()) -> CodedVotes:
    """Code votes as integers.

    Items keep their order; labels are those given here and those that occur.
    """
    by_item = [by_annotator.items() for by_annotator in votes.values()]
    annotators = sorted({annotator for by in by_item for annotator, _ in by})
    known = sorted({label for by in by_item for _, label in by} | set(labels))
    worker_of = {name: number for number, name in enumerate(annotators)}
    label_of = {name: number for number, name in enumerate(known)}
    task = np.repeat(np.arange(len(by_item)), np.array([len(by) for by in by_item], dtype=np.int64))
    worker = [worker_of[annotator] for by in by_item for annotator, _ in by]
    label = [label_of[each] for by in by_item for _, each in by]
    judgements = Judgements(
        task=task,
        worker=np.array(worker, dtype=np.int64),
        label=np.array(label, dtype=np.int64),
        n_items=len(by_item),
        n_workers=len(annotators),
        n_labels=max(len(known), 1),
    )
    return CodedVotes(judgements, tuple(annotators), tuple(known))


def posteriors(votes: Votes[Item], labels: Iterable[str] = ()) -> dict[Item, Posterior]:
    """Return the posterior of every item with at least two judgements."""
    found, items = code_votes(votes, labels), list(votes)
    sizes = np.array([len(by_annotator) for by_annotator in votes.values()], dtype=np.int64)
    posterior_of: dict[Item, Posterior] = {}
    for model, fit, is_told in (
        (CONFUSIONS, dawid_skene, sizes >= LEAST_FOR_CONFUSIONS),
        (ONE_COIN, one_coin, sizes == LEAST_FOR_ONE_COIN),
    ):
        if is_told.any():
            rows = np.round(fit(found.judgements).posterior, DECIMALS).tolist()
            for number in np.flatnonzero(is_told).tolist():
                posterior_of[items[number]] = Posterior(
                    tuple(zip(found.labels, rows[number], strict=True)), model
                )
    return posterior_of
