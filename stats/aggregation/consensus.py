"""Consensus rules: from the judgements of an item to its label.

    outcomes = RULES["majority"]({item: {annotator: label, …}, …})
    outcomes[item]   # Outcome(label="plausible", votes=(("implausible", 1), ("plausible", 2)), …)

The caller passes counted judgements only: without rejected, withdrawn or surplus ones, and without
control and excluded items. The order of items, annotators and labels does not matter.

A rule gets all items at once, because it may weigh annotators by their other judgements
(`posterior`); `item_by_item` makes a rule of a function of one item. A new rule is a function and
an entry in `RULES`.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Protocol, TypeVar

TOO_FEW = "too few judgements"
DISAGREEMENT = "disagreement"
UNCERTAIN = "no label is likely enough"

LEAST_JUDGEMENTS = 2
# How likely a label must be to become the verdict. One in twenty is what one accepts of an interval, too;
# on average it is far less, as most items are settled well above (bench/README.md, consensus).
LEVEL = 0.95

Item = TypeVar("Item")
Votes = Mapping[Item, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The label, or None with the reason; the votes by label, sorted by code point.

    `posterior` is the probability of every label, for rules that compute it, and empty for others.
    """

    label: str | None
    votes: tuple[tuple[str, int], ...]
    reason: str | None
    posterior: tuple[tuple[str, float], ...] = ()


class Rule(Protocol):
    """A function from the labels of each item by annotator to an outcome for every item.

    `labels` are all possible labels, for rules that need to know which were not given.
    """

    def __call__(
        self, votes: Votes[Item], /, labels: Iterable[str] = ()
    ) -> dict[Item, Outcome]: ...


def unanimous(labels: Iterable[str]) -> Outcome:
    """Return the label that all of at least two judgements give.

    >>> unanimous("aa").label
    'a'

    Wrong: a for an item judged once; it is not agreed, it has too few judgements.

    >>> unanimous("a").label
    """
    return _outcome(labels, lambda votes, n: votes == n)


def majority(labels: Iterable[str]) -> Outcome:
    """Return the label of more than half of at least two judgements.

    >>> majority("aab").label
    'a'

    Wrong: a for a a b c; two of four is not more than half, it is disagreement.

    >>> majority("aabc").label
    """
    return _outcome(labels, lambda votes, n: 2 * votes > n)


def item_by_item(decide: Callable[[Iterable[str]], Outcome]) -> Rule:
    """Return a rule that decides each item by its labels alone, and equal labels once."""

    def rule(votes: Votes[Item], /, labels: Iterable[str] = ()) -> dict[Item, Outcome]:
        known: dict[tuple[str, ...], Outcome] = {}
        outcomes: dict[Item, Outcome] = {}
        for item, by_annotator in votes.items():
            given = tuple(by_annotator.values())
            if given not in known:
                known[given] = decide(given)
            outcomes[item] = known[given]
        return outcomes

    return rule


def posterior(votes: Votes[Item], /, labels: Iterable[str] = ()) -> dict[Item, Outcome]:
    """Return a given label with a probability of at least .95 (`LEVEL`), under estimated errors.

    For three judgements or more this is Dawid and Skene's model, for two one accuracy an annotator
    (stats.aggregation.posteriors); both are fitted to all judgements of the batch. Two different
    judgements are a disagreement however likely one of them is: there the prevalence alone would
    decide.

    Right: a a b → a if b comes from somebody who gives b to half of all a. Wrong: a b → a.
    """
    from stats.aggregation.posteriors import posteriors  # noqa: PLC0415  numpy, of which no other rule has need

    likely = posteriors(votes, labels)
    return {
        item: _likeliest(
            label_counts(by_annotator.values()),
            likely[item].probabilities if item in likely else (),
        )
        for item, by_annotator in votes.items()
    }


def _likeliest(
    votes: tuple[tuple[str, int], ...], probabilities: tuple[tuple[str, float], ...]
) -> Outcome:
    if not probabilities:
        return Outcome(label=None, votes=votes, reason=TOO_FEW)
    n_of_label = dict(votes)
    label, most = max(probabilities, key=lambda each: each[1])
    if len(n_of_label) == sum(n_of_label.values()) == LEAST_JUDGEMENTS:
        return Outcome(label=None, votes=votes, reason=DISAGREEMENT, posterior=probabilities)
    if most < LEVEL or label not in n_of_label:
        return Outcome(label=None, votes=votes, reason=UNCERTAIN, posterior=probabilities)
    return Outcome(label=label, votes=votes, reason=None, posterior=probabilities)


def can_settle(rule: str, given: Iterable[str], labels: Collection[str], most: int) -> bool:
    """Return whether up to `most` further judgements can give an item of these labels a verdict.

    True for `posterior`, where that depends on who judges.

    >>> can_settle("majority", "ab", "abc", 1), can_settle("unanimous", "ab", "abc", 3)
    (True, False)
    """
    if rule not in ITEM_BY_ITEM:
        return True
    return _can_settle(rule, tuple(sorted(given)), tuple(labels), most)


@lru_cache(maxsize=10_000)  # a batch has few different ones
def _can_settle(rule: str, given: tuple[str, ...], labels: tuple[str, ...], most: int) -> bool:
    possible = sorted({*labels, *given})
    votes = {
        more: {str(number): label for number, label in enumerate((*given, *more))}
        for n in range(1, most + 1)
        for more in combinations_with_replacement(possible, n)
    }
    return any(outcome.label is not None for outcome in RULES[rule](votes).values())


def label_counts(labels: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Return how often each label was given, sorted by code point."""
    return tuple(sorted(Counter(labels).items()))


def _outcome(labels: Iterable[str], enough: Callable[[int, int], bool]) -> Outcome:
    votes = label_counts(labels)
    n = sum(n_given for _, n_given in votes)
    if n < LEAST_JUDGEMENTS:
        return Outcome(label=None, votes=votes, reason=TOO_FEW)
    # at most one label can be enough, so a tie for the first place settles nothing
    label, most = max(votes, key=lambda vote: vote[1])
    if not enough(most, n):
        return Outcome(label=None, votes=votes, reason=DISAGREEMENT)
    return Outcome(label=label, votes=votes, reason=None)


# The rules under which an item's outcome depends on no judgement of another item.
ITEM_BY_ITEM: dict[str, Rule] = {
    "unanimous": item_by_item(unanimous),
    "majority": item_by_item(majority),
}
RULES: dict[str, Rule] = {**ITEM_BY_ITEM, "posterior": posterior}
