"""Recall by label on items with a known label.

A person who always presses 1 has recall for one label only.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stats.annotators.entries import Entry
from stats.distributions import jeffreys_interval
from stats.hypergeometric import at_most

NO_OTHERS = "nobody else judged items of that label"


@dataclass(frozen=True, slots=True)
class Recall:
    """The number of items with this known label, `n`, and of those to which the person gave it.

    Items are known as controls, or by adjudication. Adjudicated items were in dispute, so they are
    the hard ones and no random sample: they are counted apart, and are no signal.
    """

    asked: str
    label: str
    known_by: str
    found: int
    n: int
    value: float
    low: float | None
    high: float | None
    n_others: int  # what the others said of items of that label
    found_by_others: int
    p: float | None  # of so few found, were this person like the others (Fisher's exact test)
    reason: str | None  # why there is no p


def recalls(entries: Sequence[Entry], everybody: Iterable[Entry]) -> list[Recall]:
    """Return one recall for each known label of the person's items."""
    known: Counter[tuple[str, str, str]] = Counter()
    found: Counter[tuple[str, str, str]] = Counter()
    for each in everybody:
        if each.known:
            key = (each.asked, each.known, each.known_by)
            known[key] += 1
            found[key] += each.label == each.known
    own = [each for each in entries if each.known]
    return [
        _recall(
            key,
            [each for each in own if (each.asked, each.known, each.known_by) == key],
            known,
            found,
        )
        for key in sorted({(each.asked, each.known, each.known_by) for each in own})
    ]


def _recall(
    key: tuple[str, str, str],
    own: Sequence[Entry],
    known: Counter[tuple[str, str, str]],
    found: Counter[tuple[str, str, str]],
) -> Recall:
    n, right = len(own), sum(each.label == each.known for each in own)
    interval = jeffreys_interval(right, n)
    n_others = known[key] - n
    asked, label, known_by = key
    return Recall(
        asked=asked,
        label=label,
        known_by=known_by,
        found=right,
        n=n,
        value=right / n,
        low=interval.low,
        high=interval.high,
        n_others=n_others,
        found_by_others=found[key] - right,
        p=at_most(right, found[key], n, known[key]) if n_others else None,
        reason=None if n_others else NO_OTHERS,
    )
