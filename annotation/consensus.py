"""How the judgements of an item become its one label.

    outcomes = RULES["majority"]({item: {annotator: label, …}, …})
    outcomes[item]   # Outcome(label="plausible", votes=(("implausible", 1), ("plausible", 2)), …)

Only counted judgements go in; what is rejected, withdrawn or surplus, and control and excluded
items, are left out by who asks. The order of items, annotators and labels never matters.

A rule sees all items at once, so that one that weighs annotators by what they did elsewhere is one
more function and one more line in `RULES`; a rule that looks at one item only is lifted by
`item_by_item`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

TOO_FEW = "too few judgements"
DISAGREEMENT = "disagreement"

LEAST_JUDGEMENTS = 2

Item = TypeVar("Item")
Votes = Mapping[Item, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The label, or None with the reason; the votes by label, sorted by code point."""

    label: str | None
    votes: tuple[tuple[str, int], ...]
    reason: str | None


class Rule(Protocol):
    """From the labels of each item by annotator to an outcome for every item."""

    def __call__(self, votes: Votes[Item], /) -> dict[Item, Outcome]: ...


def unanimous(labels: Iterable[str]) -> Outcome:
    """Every judgement says the same, and there are at least two.

    Right: a a → a. Wrong: a → a; an item judged once is not agreed, it has too few judgements.
    """
    return _decide(labels, lambda votes, n: votes == n)


def majority(labels: Iterable[str]) -> Outcome:
    """One label has more than half of at least two judgements.

    Right: a a b → a. Wrong: a a b c → a; two of four is not more than half, it is disagreement.
    """
    return _decide(labels, lambda votes, n: 2 * votes > n)


def item_by_item(decide: Callable[[Iterable[str]], Outcome]) -> Rule:
    def rule(votes: Votes[Item], /) -> dict[Item, Outcome]:
        return {item: decide(by_annotator.values()) for item, by_annotator in votes.items()}

    return rule


def _decide(labels: Iterable[str], enough: Callable[[int, int], bool]) -> Outcome:
    counted = Counter(labels)
    n = counted.total()
    votes = tuple(sorted(counted.items()))
    if n < LEAST_JUDGEMENTS:
        return Outcome(label=None, votes=votes, reason=TOO_FEW)
    # at most one label can be enough, so a tie for the first place settles nothing
    label, most = max(votes, key=lambda vote: vote[1])
    if not enough(most, n):
        return Outcome(label=None, votes=votes, reason=DISAGREEMENT)
    return Outcome(label=label, votes=votes, reason=None)


RULES: dict[str, Rule] = {
    "unanimous": item_by_item(unanimous),
    "majority": item_by_item(majority),
}
