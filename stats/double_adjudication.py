"""Second adjudication of a share of items: the random draw, and the agreement of the two."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from stats.lots import lot
from stats.proportion_intervals import wilson


def random_draw(positions: Sequence[int], share: float, seed: int) -> list[int]:
    """Draw a share of the positions, rounded up; the same seed draws the same positions.

    Those with the smallest lots (`stats.lots`) are drawn, so a drawn position stays drawn when
    others are added. The share is read as it is written: .1 of 10 is 1, though .1 is not exact in
    binary.

    >>> [len(random_draw(range(n), .1, 7)) for n in (10, 12)]
    [1, 2]
    """
    n = ceil(Fraction(str(share)) * len(positions))
    lots = sorted(positions, key=lambda position: lot(seed, position, separator=":"))
    return sorted(lots[:n])


@dataclass(frozen=True)
class DoubleAdjudication:
    """The agreement of two adjudicators: the share of equal labels with Wilson's 95 % interval.

    Without a pair all three are None, with a `reason`. The items are taken as independent; those of
    one question are alike, which makes the interval somewhat too short.
    """

    n: int
    n_equal: int
    share: float | None
    low: float | None
    high: float | None
    reason: str


def agreement(pairs: Iterable[tuple[str, str]]) -> DoubleAdjudication:
    """Return the agreement of pairs (first label, second label).

    >>> nine_of_ten = agreement([("a", "a")] * 9 + [("a", "b")])
    >>> nine_of_ten.share, round(nine_of_ten.low, 3), round(nine_of_ten.high, 3)
    (0.9, 0.596, 0.982)
    """
    equal = [first == second for first, second in pairs]
    n, k = len(equal), sum(equal)
    if n == 0:
        return DoubleAdjudication(0, 0, None, None, None, "no item was settled a second time yet")
    interval = wilson(k, n)
    return DoubleAdjudication(n, k, k / n, interval.low, interval.high, "")
