"""The type of an interval, and 95 % score intervals for a share and for a paired difference.

Wilson's for n independent items (Wilson 1927):

    (p + z²/2n ± z·√(p(1-p)/n + z²/4n²)) / (1 + z²/n),   z = 1.959964

Tango's for the difference of two shares of the same n items (Tango 1998, Statistics in Medicine
17:891-908). With b items of which only the first holds and c of which only the second does, it has
every Δ for which |T(Δ)| <= z,

    T(Δ) = (b - c - nΔ) / √(n(2q + Δ(1-Δ)))

q being the most likely probability of the second alone if the difference is Δ: the larger root of
2n·q² + ((2n - b + c)Δ - b - c)·q - c·Δ(1-Δ) = 0. T(0) = (b - c) / √(b + c) is McNemar's statistic.

Both take another `z` where items are worth fewer independent ones (`stats.clustered_proportions`).

No numpy and no scipy: pages of the web process import this module.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)
# The ends are then known to 2**-53.
BISECTIONS = 54


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval; both ends are None if it is undefined, with a `reason`."""

    low: float | None
    high: float | None
    reason: str | None = None


def wilson(successes: float, n: int, z: float = Z) -> Interval:
    """Return Wilson's interval.

    Golden values: Newcombe 1998, Statistics in Medicine 17:857-872, table I.

    >>> [round(end, 4) for end in (wilson(81, 263).low, wilson(81, 263).high)]
    [0.2553, 0.3662]
    >>> wilson(0, 0).reason
    'no items'
    """
    if n == 0:
        return Interval(None, None, "no items")
    share = successes / n
    middle, half, scale = share + z * z / (2 * n), _half(share, n, z), 1 + z * z / n
    # the ends at no and at all successes are 0 and 1 by algebra, which rounding misses
    low = 0.0 if successes == 0 else (middle - half) / scale
    high = 1.0 if successes == n else (middle + half) / scale
    return Interval(low, high)


def wilson_half_width(share: float, n: float) -> float | None:
    """Return half the width of Wilson's interval at this share of n items; None for n <= 0.

    Wrong: z·√(p(1-p)/n), which is 0 at p = 1.

    >>> round(wilson_half_width(.5, 100), 4)
    0.0962
    """
    return _half(share, n, Z) / (1 + Z * Z / n) if n > 0 else None


def _half(share: float, n: float, z: float) -> float:
    return z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))


def tango(n_one: int, n_other: int, n: int, z: float = Z) -> Interval:
    """Return Tango's interval of (n_one - n_other) / n. ValueError unless n holds both.

    Golden value: Fagerland, Lydersen & Laake 2014, Statistics in Medicine 33:2850-2875, table V.

    >>> [round(end, 3) for end in (tango(1, 7, 21).low, tango(1, 7, 21).high)]
    [-0.517, -0.026]
    >>> tango(0, 0, 0).reason
    'no items'
    """
    if min(n_one, n_other) < 0 or n_one + n_other > n:
        raise ValueError(f"{n_one} and {n_other} of {n} cannot be")
    if n == 0:
        return Interval(None, None, "no items")
    difference = (n_one - n_other) / n

    def too_low(delta: float) -> bool:
        return _tango_statistic(n_one, n_other, n, delta) > z

    def not_too_high(delta: float) -> bool:
        return _tango_statistic(n_one, n_other, n, delta) >= -z

    return Interval(_last(too_low, -1.0, difference), _last(not_too_high, difference, 1.0))


def _tango_statistic(n_one: int, n_other: int, n: int, delta: float) -> float:
    half = ((2 * n - n_one + n_other) * delta - n_one - n_other) / 2
    root = sqrt(max(0.0, half * half + 2 * n * n_other * delta * (1 - delta)))
    # of the two forms of the larger root, the one that subtracts nothing nearly equal
    q = (root - half) / (2 * n) if half <= 0 else n_other * delta * (1 - delta) / (root + half)
    variance = n * (2 * q + delta * (1 - delta))
    distance = n_one - n_other - n * delta
    if variance <= 0:
        return 0.0 if distance == 0 else distance * float("inf")
    return distance / sqrt(variance)


def _last(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Return the place between the two up to which a condition holds, by bisection."""
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if holds(middle):
            low = middle
        else:
            high = middle
    return (low + high) / 2
