"""Settled labels held against the true ones. Imports no Django.

found = scores({1: "a", 2: "b", 3: None}, {1: "a", 2: "a", 3: "b"}, accepted="a")
found.accuracy        # .5: of the two decided items
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)
class Scores:
    """Verdicts of the items of one batch.

    n_decided         items with a label; the others are in dispute, or too few judged them
    n_right           of them, with the true label
    n_accepted        of them, with the accepted label; n_rightly_accepted: which is the true one
    n_rare            of them, whose true label is another than the accepted one; n_rare_right: rightly decided
    """

    n_items: int
    n_decided: int
    n_right: int
    n_accepted: int
    n_rightly_accepted: int
    n_rare: int
    n_rare_right: int

    @property
    def accuracy(self) -> float | None:
        """The share of decided items with the true label; None if none is decided."""
        return self.n_right / self.n_decided if self.n_decided else None

    @property
    def accuracy_of_rare(self) -> float | None:
        """The same of the items whose true label is not the accepted one."""
        return self.n_rare_right / self.n_rare if self.n_rare else None


def scores(settled: Mapping[Item, str | None], truths: Mapping[Item, str], accepted: str) -> Scores:
    """Return how the settled labels, None where an item has none, compare with the truth."""
    decided = {item: label for item, label in settled.items() if label is not None}
    rare = [item for item in decided if truths[item] != accepted]
    plus = [item for item, label in decided.items() if label == accepted]
    return Scores(
        n_items=len(truths),
        n_decided=len(decided),
        n_right=sum(truths[item] == label for item, label in decided.items()),
        n_accepted=len(plus),
        n_rightly_accepted=sum(truths[item] == accepted for item in plus),
        n_rare=len(rare),
        n_rare_right=sum(truths[item] == decided[item] for item in rare),
    )
