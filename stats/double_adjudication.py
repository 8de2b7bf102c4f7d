"""A share of adjudications settled a second time: which ones, and how far the two agree."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from stats.lots import lot
from stats.proportion_intervals import wilson


def drawn(positions: Sequence[int], share: float, seed: int) -> list[int]:
    """The share of the positions, rounded up, by lot; the same seed draws the same ones of the same.

    The lot of a position is sha256("{seed}:{position}"), and the smallest are drawn; so one that is
    drawn stays drawn when others join. Right: .1 of 12 → 2 of them. Wrong: .1 of 10 → 2, by .1 not
    being a tenth in binary; the share is read as it is written.
    """
    n = ceil(Fraction(str(share)) * len(positions))
    lots = sorted(positions, key=lambda position: lot(seed, position, separator=":"))
    return sorted(lots[:n])


@dataclass(frozen=True)
class Twice:
    """How far two adjudicators agree: raw share of equal labels with Wilson's 95 % interval.

    Without a pair all three are None, and `reason` says so. The items are taken as independent; those of
    one question are alike, which makes the interval somewhat too short.
    """

    n: int
    n_equal: int
    share: float | None
    low: float | None
    high: float | None
    reason: str


def agreement(pairs: Iterable[tuple[str, str]]) -> Twice:
    """Of (first label, second label). Right: 9 equal of 10 → .9, .596 to .982 (Wilson 1927)."""
    equal = [first == second for first, second in pairs]
    n, k = len(equal), sum(equal)
    if n == 0:
        return Twice(0, 0, None, None, None, "no item was settled a second time yet")
    interval = wilson(k, n)
    return Twice(n, k, k / n, interval.low, interval.high, "")
