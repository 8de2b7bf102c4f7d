"""How likely each label of an item is, by the model of Dawid and Skene (1979)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat, zip_longest
from math import log
from operator import mul, truediv

SCHEMES = {
    "plausibility": ("plausible", "implausible", "malformed"),
    "faithfulness": ("faithful", "unfaithful", "irrelevant"),
    "relation": (
        *("same", "shorter", "more_detailed"),
        *("other_aspect", "contradicts", "cannot_say"),
    ),
}
RIGHT, WRONG = 4, 1
MOST_STEPS, LEAST_GAIN = 1000, 1e-8
Votes = Mapping[str, Mapping[str, str]]
Chances = dict[str, float]
Matrix = list[list[float]]
# What the annotators of an item said, by their places and those of the labels. Items that have the same
# are one: they have the same chances.
Votings = tuple[tuple[int, int], ...]


def posteriors(votes: Votes, labels: Sequence[str], *, one_coin: bool) -> dict[str, Chances]:
    """Return the posteriors of items that all have a judgement."""
    people = {name: at for at, name in enumerate(sorted({w for by in votes.values() for w in by}))}
    places = {label: at for at, label in enumerate(labels)}
    votings = {
        item: tuple(sorted((people[w], places[label]) for w, label in by.items()))
        for item, by in votes.items()
    }
    found = _fitted(Counter(votings.values()), len(people), len(labels), one_coin=one_coin)
    return {item: dict(zip(labels, found[voting])) for item, voting in votings.items()}


def _fitted(
    votings: Counter[Votings], n_people: int, n_labels: int, *, one_coin: bool
) -> dict[Votings, list[float]]:
    """Return the posteriors of each voting.

    Judgements of the same annotator and label are one slot. The steps go label by label through all votings at once.
    """
    n_items = sum(votings.values())
    n_judgements = sum(n * len(voting) for voting, n in votings.items())
    times = list(votings.values())
    slots = [[w * n_labels + label for w, label in voting] for voting in votings]
    votings_of: list[list[int]] = [[] for _ in range(n_people * n_labels)]
    for at, own in enumerate(slots):
        for slot in own:
            votings_of[slot].append(at)
    # One column of slots a judgement; the last slot stands for none, and its chance is 1.
    columns = list(zip_longest(*slots, fillvalue=n_people * n_labels))
    shares = [_vote_shares(voting, n_labels) for voting in votings]
    q = [list(of_label) for of_label in zip(*shares)]
    last: float | None = None
    for _ in range(MOST_STEPS):
        weighted = [list(map(mul, times, of_label)) for of_label in q]
        p = [(1 + sum(each)) / (n_labels + n_items) for each in weighted]
        confusions = [
            _one_coin(counts) if one_coin else _confusions(counts)
            for counts in _given(votings_of, weighted, n_people, n_labels)
        ]
        joint = []
        for k, of_label in enumerate(p):
            chances = [chance for c in confusions for chance in c[k]] + [1.0]
            products: Iterable[float] = repeat(of_label, len(times))
            for column in columns:
                products = map(mul, products, map(chances.__getitem__, column))
            joint.append(list(products))
        wholes = list(map(sum, zip(*joint)))
        q = [list(map(truediv, of_label, wholes)) for of_label in joint]
        gained = sum(map(log, p)) + sum(_log_prior(c, one_coin=one_coin) for c in confusions)
        gained = sum(map(mul, times, map(log, wholes)), gained)
        if last is not None and gained - last < LEAST_GAIN * n_judgements:
            break
        last = gained
    return dict(zip(votings, map(list, zip(*q))))


def _vote_shares(voting: Votings, n_labels: int) -> list[float]:
    given = [label for _, label in voting]
    return [given.count(k) / len(given) for k in range(n_labels)]


def _given(
    votings_of: Sequence[Sequence[int]],
    weighted: Sequence[Sequence[float]],
    n_people: int,
    n_labels: int,
) -> list[Matrix]:
    """Return, for each annotator, how often they gave each label (column) to items of each label (row)."""
    sums = [[sum(map(of.__getitem__, at)) + 0.0 for at in votings_of] for of in weighted]
    return [[of[w * n_labels : (w + 1) * n_labels] for of in sums] for w in range(n_people)]


def _prior(k: int, label: int, n_labels: int) -> float:
    return RIGHT if k == label else WRONG / max(n_labels - 1, 1)


def _confusions(counts: Matrix) -> Matrix:
    rows = [
        [n + _prior(k, label, len(counts)) for label, n in enumerate(row)]
        for k, row in enumerate(counts)
    ]
    return [[each / sum(row) for each in row] for row in rows]


def _one_coin(counts: Matrix) -> Matrix:
    n_labels = len(counts)
    right = RIGHT + sum(counts[k][k] for k in range(n_labels))
    r = right / (RIGHT + WRONG + sum(map(sum, counts)))
    wrong = (1 - r) / max(n_labels - 1, 1)
    return [[r if k == label else wrong for label in range(n_labels)] for k in range(n_labels)]


def _log_prior(c: Matrix, *, one_coin: bool) -> float:
    """With one coin all rows say the same."""
    return sum(
        log(each) * _prior(k, label, len(c))
        for k, row in enumerate(c[:1] if one_coin else c)
        for label, each in enumerate(row)
    )
