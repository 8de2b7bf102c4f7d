"""Bootstrap replicates of means: which clusters are drawn, and what interval the replicates give."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stats.proportion_intervals import Interval

Floats = NDArray[np.float64]

LEAST_REPLICATES = 1_000
PERCENTILES = (2.5, 97.5)
# Equal values of unlike replicates differ by rounding; unlike ones by very much more.
ROUNDING = 1e-9
# 2 million numbers are 16 MB, drawn and counted; the result does not depend on it.
DRAWN_AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PercentileInterval(Interval):
    """The middle 95 % of the replicates' values, or None with the reason.

    `n_undefined` of the `n_replicates` had no value (as where a resample holds one label only); they
    are left out of the percentiles, so many of them are a warning.
    """

    n_replicates: int
    n_undefined: int


def require_enough(replicates: int) -> None:
    """Raises ValueError for fewer than 1,000 replicates."""
    if replicates < LEAST_REPLICATES:
        raise ValueError(f"an interval needs at least {LEAST_REPLICATES} replicates")


def times_drawn(n: int, *, replicates: int, seed: int) -> Iterator[Floats]:
    """How often each of n clusters is drawn in each replicate, (some replicates, n) at a time.

    A replicate draws n clusters with replacement: `numpy.random.default_rng(seed)` gives
    `integers(n, size=(replicates, n))`, row by row. Raises ValueError for fewer than 1,000 replicates.
    """
    require_enough(replicates)
    rng = np.random.default_rng(seed)
    at_once = max(1, DRAWN_AT_ONCE // n)
    for start in range(0, replicates, at_once):
        n_rows = min(at_once, replicates - start)
        drawn = rng.integers(n, size=(n_rows, n))
        drawn += np.arange(n_rows)[:, None] * n
        yield np.bincount(drawn.ravel(), minlength=n_rows * n).reshape(n_rows, n).astype(float)


def interval(replicates: Floats) -> PercentileInterval:
    """The 2.5th and 97.5th percentile (linear interpolation) of one figure's replicates, NaN where undefined.

    Undefined, with the reason: no replicate with a value, or all replicates equal (as with a single
    cluster), where a width of 0 would claim certainty.
    """
    defined = replicates[~np.isnan(replicates)]
    n_undefined = len(replicates) - len(defined)
    low = high = reason = None
    if not len(defined):
        reason = "no replicate has a value"
    elif defined.max() - defined.min() < ROUNDING:
        reason = "all replicates are equal"
    else:
        low, high = (float(end) for end in np.percentile(defined, PERCENTILES))
    return PercentileInterval(
        low, high, reason, n_replicates=len(replicates), n_undefined=n_undefined
    )
