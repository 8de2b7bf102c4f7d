"""How simulated people of a file work: which label they give, and how long it takes. Imports no Django.

    person = Habits(name="careful", labels=("a", "b"), commonest="a", confusion=of_accuracy(("a", "b"), 0.9))
    person.label(seed=1, annotator=3, item=item_id, n_before=12, truth="b")
    person.seconds(seed=1, annotator=3, item=item_id, n_before=12)

Everything depends on the seed, the person's number, the item's id and how many judgements the person made before,
as in annotation.rehearsal.annotators. docs/trusted-people.md has the fields of the file in words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from statistics import NormalDist
from typing import Any

from stats.lots import fraction

Confusion = Mapping[str, Mapping[str, float]]

MEDIAN_SECONDS, SPREAD = 20.0, 1.5
# After so many judgements somebody in haste does half as much without looking as in the long run.
HASTE_AFTER = 50
# What a judgement without looking takes, of the time that it would take.
HASTY_TIME = 0.25
LEAST_SECONDS, MOST_SECONDS = 0.5, 600.0
# Who says any label in so many of their judgements is a bad worker, unless the file says otherwise.
BAD_RANDOM = 0.5


def of_accuracy(labels: Sequence[str], accuracy: float) -> dict[str, dict[str, float]]:
    """Return the confusion of somebody who is right so often, whose errors are all equally likely.

    >>> of_accuracy(("a", "b"), 0.75)
    {'a': {'a': 0.75, 'b': 0.25}, 'b': {'a': 0.25, 'b': 0.75}}
    """
    others = max(len(labels) - 1, 1)
    return {
        true: {each: accuracy if each == true else (1 - accuracy) / others for each in labels}
        for true in labels
    }


@dataclass(frozen=True)
class Habits:
    """How the people of one group work.

    confusion      by true label, how often each label is given by somebody who looks
    random         share of judgements with any label, all equally likely
    haste          share, in the long run, of judgements that give the commonest label without looking; after
                   `haste_after` judgements it is half of that
    one_key_after  after so many judgements they give the label `one_key` only; None: never
    leaves_after   after so many judgements they leave; None: never
    is_bad         whether somebody who checks people ought to catch them

    Numbers of judgements count all that the person made, in whatever batch of the rehearsal.
    """

    name: str
    labels: tuple[str, ...]
    commonest: str
    confusion: Confusion
    median_seconds: float = MEDIAN_SECONDS
    spread: float = SPREAD
    random: float = 0.0
    haste: float = 0.0
    haste_after: int = HASTE_AFTER
    one_key_after: int | None = None
    one_key: str = ""
    leaves_after: int | None = None
    is_bad: bool = False

    def label(self, *, seed: int, annotator: int, item: object, n_before: int, truth: str) -> str:
        """Return the label that they give of an item of this true label, after `n_before` judgements."""
        if self._presses_one_key(n_before):
            return self.one_key or self.commonest
        if fraction("random", seed, annotator, item) < self.random:
            return self.labels[int(fraction("any", seed, annotator, item) * len(self.labels))]
        if self._is_hasty(seed, annotator, item, n_before):
            return self.commonest
        return _drawn(self.confusion[truth], truth, fraction("right", seed, annotator, item))

    def seconds(self, *, seed: int, annotator: int, item: object, n_before: int) -> float:
        """Return the time of that judgement, rounded to milliseconds: log-normal, and a quarter without looking."""
        at = fraction("seconds", seed, annotator, item)
        deviate = NormalDist().inv_cdf(min(max(at, 1e-9), 1 - 1e-9))
        took = self.median_seconds * exp(log(self.spread) * deviate)
        if self._presses_one_key(n_before) or self._is_hasty(seed, annotator, item, n_before):
            took *= HASTY_TIME
        return round(min(max(took, LEAST_SECONDS), MOST_SECONDS), 3)

    def n_left(self, n_before: int) -> int | None:
        """Return how many judgements they make before they leave; None where they do not leave."""
        return None if self.leaves_after is None else max(self.leaves_after - n_before, 0)

    def to_dict(self) -> dict[str, Any]:
        """Return what the file says of them, in full, as the record of the study keeps it."""
        return {
            "group": self.name,
            "confusion": {true: dict(row) for true, row in self.confusion.items()},
            "seconds": {"median": self.median_seconds, "spread": self.spread},
            "random": self.random,
            "haste": self.haste,
            "haste_after": self.haste_after,
            "one_key_after": self.one_key_after,
            "one_key": self.one_key,
            "leaves_after": self.leaves_after,
            "bad": self.is_bad,
        }

    def _presses_one_key(self, n_before: int) -> bool:
        return self.one_key_after is not None and n_before >= self.one_key_after

    def _is_hasty(self, seed: int, annotator: int, item: object, n_before: int) -> bool:
        share = self.haste * n_before / (n_before + self.haste_after)
        return fraction("haste", seed, annotator, item) < share


def _drawn(row: Mapping[str, float], truth: str, at: float) -> str:
    """Return the label at this place of the row, the true label first: so the same draw is right at any accuracy that
    is higher.
    """
    shares = {truth: row.get(truth, 0.0)} | {
        label: share for label, share in row.items() if label != truth
    }
    total = 0.0
    for label, share in shares.items():
        total += share
        if at < total:
            return label
    # Shares that add up to a little less than one.
    return next(label for label in reversed(shares) if shares[label] > 0)
