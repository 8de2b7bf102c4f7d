"""Quantiles of Student's t without scipy, for pages that are computed while they are asked for.

P(T > t) = I(df / (df + t²); df/2, 1/2) / 2 for t >= 0, I the regularized incomplete beta function
(`stats.beta_distribution`). The quantile is found by Newton's
steps from the normal's, which is nearer to 0: the tail is convex, so that no step goes too far. Equal
to scipy's to eight digits from one degree of freedom to a million (tests/stats/test_student_t.py).
"""

from math import exp, lgamma, log, log1p, pi
from statistics import NormalDist

from stats.beta_distribution import share_by_fraction

MOST_STEPS = 10_000


def quantile(share: float, df: float) -> float:
    """Return the number below which Student's t is with probability `share`.

    `df`, the degrees of freedom, need not be whole. Raises ValueError unless 0 < share < 1 and df >= 1.

    >>> round(quantile(0.975, 10), 3)
    2.228
    """
    if not (0 < share < 1 and df >= 1):
        raise ValueError(f"no quantile {share} of Student's t with {df} degrees of freedom")
    if share < 0.5:
        return -quantile(1 - share, df)
    t = NormalDist().inv_cdf(share)
    for _ in range(MOST_STEPS):
        step = (_tail(t, df) - (1 - share)) / _density(t, df)
        t += step
        if abs(step) <= 1e-11 * (1 + t):
            break
    return t


def _tail(t: float, df: float) -> float:
    a, b, x = df / 2, 0.5, df / (df + t * t)
    if x == 1:  # the median
        return 0.5
    if x < (a + 1) / (a + b + 2):
        return share_by_fraction(x, a, b) / 2
    return (1 - share_by_fraction(t * t / (df + t * t), b, a)) / 2


def _density(t: float, df: float) -> float:
    constant = lgamma((df + 1) / 2) - lgamma(df / 2) - log(df * pi) / 2
    return exp(constant - (df + 1) / 2 * log1p(t * t / df))
