"""The type of an interval, and Wilson's 95 % score interval for a share.

For n independent items (Wilson 1927):

    (p + z²/2n ± z·√(p(1-p)/n + z²/4n²)) / (1 + z²/n),   z = 1.959964

No numpy and no scipy: pages of the web process import this module.
"""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval; both ends are None if it is undefined, with a `reason`."""

    low: float | None
    high: float | None
    reason: str | None = None


def wilson(successes: int, n: int) -> Interval:
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
    middle, half, scale = share + Z * Z / (2 * n), _half(share, n), 1 + Z * Z / n
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
    return _half(share, n) / (1 + Z * Z / n) if n > 0 else None


def _half(share: float, n: float) -> float:
    return Z * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
