"""One-sided Jeffreys bounds of a share, without scipy, so that a web request can compute them.

The bounds are quantiles of Beta(k + 1/2, n - k + 1/2), k of n right (Brown, Cai & DasGupta 2001,
Statistical Science 16:101-133). `stats.distributions.jeffreys_interval` gives the two-sided interval with scipy.
"""

from math import exp, lgamma, log, log1p

TINY = 1e-300
# The continued fraction converges in some sqrt(n) steps; this is enough for a million answers.
MOST_STEPS = 10_000
# A double has 53 bits: after so many halvings of [0, 1] nothing changes.
HALVINGS = 60


def lower_bound(n_right: int, n: int, confidence: float = 0.95) -> float:
    """Return the share that the true one exceeds with this confidence, `n_right` of `n` being right.

    It is 0 if none is right, also if there are none. ValueError unless 0 <= n_right <= n and
    0 < confidence < 1.

    >>> round(lower_bound(10, 10), 4), round(lower_bound(9, 10), 4), lower_bound(0, 4)
    (0.8292, 0.6694, 0.0)
    """
    _require_possible(n_right, n, confidence)
    if n_right == 0:
        return 0.0
    return _beta_quantile(1 - confidence, n_right + 0.5, n - n_right + 0.5)


def upper_bound(n_right: int, n: int, confidence: float = 0.95) -> float:
    """Return the share below which the true one lies with this confidence. It is 1 if all are right.

    The share of wrong answers mirrors it. ValueError as for `lower_bound`.

    >>> round(upper_bound(1, 10), 4), upper_bound(4, 4), upper_bound(0, 0)
    (0.3306, 1.0, 1.0)
    """
    _require_possible(n_right, n, confidence)
    return 1 - lower_bound(n - n_right, n, confidence)


def _require_possible(n_right: int, n: int, confidence: float) -> None:
    if not 0 <= n_right <= n:
        raise ValueError(f"{n_right} of {n} cannot be")
    if not 0 < confidence < 1:
        raise ValueError(f"the confidence {confidence} must lie between 0 and 1")


def _beta_quantile(share: float, a: float, b: float) -> float:
    """Return the number below which Beta(a, b) lies with probability `share`, by halving."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if _beta_cdf(middle, a, b) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta_cdf(x: float, a: float, b: float) -> float:
    """Return P(X <= x) for X from Beta(a, b), 0 < x < 1."""
    if x > (a + 1) / (a + b + 2):  # there the fraction of the other tail converges faster
        return 1 - _beta_cdf(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    return front / (a * _continued_fraction(x, a, b))


def _continued_fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method."""
    value, c, d = 1.0, 1.0, 0.0
    for step in range(1, MOST_STEPS):
        m = step // 2
        if step % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / _not_zero(1 + term * d)
        c = _not_zero(1 + term / c)
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            return value
    raise ArithmeticError(f"the incomplete beta function of {x} with {a} and {b} does not converge")


def _not_zero(value: float) -> float:
    return value if abs(value) > TINY else TINY
