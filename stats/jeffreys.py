"""One-sided Jeffreys bounds of a share, without scipy, so that a web request can compute them.

The bounds are quantiles of Beta(k + 1/2, n - k + 1/2), k of n right (Brown, Cai & DasGupta 2001,
Statistical Science 16:101-133). `stats.distributions.jeffreys_interval` gives the two-sided interval with scipy.
"""

from stats.beta_distribution import quantile


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
    return quantile(1 - confidence, n_right + 0.5, n - n_right + 0.5)


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
