"""The beta distribution without scipy, for pages that are computed while they are asked for.

The distribution function is the regularized incomplete beta function I(x; a, b), by its continued fraction
(Abramowitz & Stegun 26.5.8, in Lentz's way) on the side where that converges fast. Equal to scipy's to ten
digits (tests/stats/test_beta_distribution.py).
"""

from functools import lru_cache
from math import exp, lgamma, log, log1p

FINE = 1e-13
TINY = 1e-300
MOST_STEPS = 10_000
# After a step of Newton's that is so short, beside the number, the next would change its last digits only.
NEAR = 1e-13
# Steps at most; where Newton's lead out of the bounds, halves take them to 2**-60.
MOST_HALVES = 60
MOST_EXPONENT = 700.0


def cdf(x: float, a: float, b: float) -> float:
    """Return the probability of less than x under Beta(a, b), which is 0 for x <= 0 and 1 for x >= 1.

    Raises ValueError unless a and b are positive.

    >>> round(cdf(0.5, 2, 3), 4)
    0.6875
    """
    if not (a > 0 and b > 0):
        raise ValueError(f"there is no Beta({a}, {b})")
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x < (a + 1) / (a + b + 2):
        return share_by_fraction(x, a, b)
    return 1 - share_by_fraction(1 - x, b, a)


@lru_cache(maxsize=4096)  # a page asks for the same bound twice
def quantile(share: float, a: float, b: float) -> float:
    """Return the number below which Beta(a, b) is with probability `share`. Raises ValueError unless 0 < share < 1.

    >>> round(quantile(0.05, 10.5, 0.5), 4)
    0.8292
    """
    if not 0 < share < 1:
        raise ValueError(f"no quantile {share} of a distribution")
    low, high = 0.0, 1.0
    x = a / (a + b)
    for _ in range(MOST_HALVES):
        if not 0 < x < 1:  # as near an end as numbers are
            return x
        above = cdf(x, a, b) - share
        newton = x - above / _density(x, a, b)
        if (
            abs(newton - x) <= NEAR * x
        ):  # before x is a bound, in which a step of nothing would not be
            return min(newton, 1.0)
        low, high = (x, high) if above < 0 else (low, x)
        if (
            high - low <= NEAR * high
        ):  # of large shapes a step is never shorter than what cdf is off
            return x
        x = newton if low < newton < high else (low + high) / 2
    return x


def _density(x: float, a: float, b: float) -> float:
    """Return the density of Beta(a, b) at x, TINY where that is less."""
    logarithm = _log_power(x, a, b) - log(x) - log1p(-x)
    return max(exp(min(logarithm, MOST_EXPONENT)), TINY)


def _log_power(x: float, a: float, b: float) -> float:
    """Return the logarithm of x**a (1 - x)**b, divided by the beta function."""
    return lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)


def share_by_fraction(x: float, a: float, b: float) -> float:
    """Return I(x; a, b), for 0 < x < (a + 1) / (a + b + 2) or little more, where the fraction converges fast."""
    front = exp(_log_power(x, a, b)) / a
    c, d = 1.0, 1 / _not_zero(1 - (a + b) * x / (a + 1))
    found = d
    for m in range(1, MOST_STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        factor = 1.0
        for term in (even, odd):
            d = 1 / _not_zero(1 + term * d)
            c = _not_zero(1 + term / c)
            factor *= c * d
        found *= factor
        if abs(factor - 1) < FINE:
            break
    return front * found


def _not_zero(number: float) -> float:
    return number if abs(number) > TINY else TINY
