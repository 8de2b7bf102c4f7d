"""Bounds of rates and differences for whatever the open answers turn out to be. Imports no Django.

An answer that was asked about is accepted, rejected, or open. The bounds of a rate over the n answers
that were asked about are the rates if none, and if all, of the open ones are accepted. Those of a
difference of two runs are over the questions that were asked about for both: a question counts -1 to
1, by how each of the two may end, and 0 if both runs gave one text, which has one verdict.

They hold however the open answers differ from the settled ones; intervals do not.

Right: accepted, rejected, open → 1/3 to 2/3. The same against open, rejected, accepted → -2/3 to 0.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Asked(NamedTuple):
    """The text that was asked about, and whether it is accepted; None if that is open."""

    answer_id: str
    is_accepted: bool | None


class Bounds(NamedTuple):
    """The number of open answers (of a pair: questions open for either run), and both bounds.

    The bounds are None if nothing was asked about.
    """

    n_not_settled: int
    bounds: tuple[float, float] | None


def rate_bounds(asked: Mapping[str, Asked]) -> Bounds:
    """Return the bounds of a run's rate, from its answer to each question."""
    n = len(asked)
    n_open = sum(each.is_accepted is None for each in asked.values())
    n_accepted = sum(each.is_accepted is True for each in asked.values())
    return Bounds(n_open, (n_accepted / n, (n_accepted + n_open) / n) if n else None)


def difference_bounds(one: Mapping[str, Asked], other: Mapping[str, Asked]) -> Bounds:
    """Return the bounds of how much higher the first one's rate is, on the questions of both."""
    common = one.keys() & other.keys()
    low = high = n_open = 0
    for question in common:
        first, second = one[question], other[question]
        n_open += None in (first.is_accepted, second.is_accepted)
        if first.answer_id != second.answer_id:
            low += int(first.is_accepted is True) - int(second.is_accepted is not False)
            high += int(first.is_accepted is not False) - int(second.is_accepted is True)
    n = len(common)
    return Bounds(n_open, (low / n, high / n) if n else None)
