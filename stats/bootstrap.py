"""The bootstrap over clusters, usually questions: the draws, and the interval of the replicates.

There is one way of drawing. For n clusters that fall into patterns of n_p clusters each,

    numpy.random.default_rng(seed).multinomial(n, n_p / n, size=replicates)

is how often each pattern is drawn in each replicate. Clusters of one pattern add the same to every
figure, so this has the distribution of drawing n clusters one by one with replacement.
`replicate_totals` treats equal rows as one pattern, `times_drawn` each cluster as a pattern of its
own, for figures that need the same draws.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stats.proportion_intervals import Interval

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]

LEAST_REPLICATES = 1_000
PERCENTILES = (2.5, 97.5)
# Equal values of unlike replicates differ by rounding; unlike ones by very much more.
ROUNDING = 1e-9
# 4 million weights are 64 MB, as whole numbers and as floats; the result does not depend on it.
WEIGHTS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PercentileInterval(Interval):
    """The middle 95 % of the replicates' values, or None with the reason.

    `n_undefined` of the `n_replicates` had no value (for example, a resample has one label only);
    they are left out of the percentiles, so many of them are a warning.
    """

    n_replicates: int
    n_undefined: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapInterval(PercentileInterval):
    """An interval over `n_questions`, or as many clusters of questions if these were drawn."""

    n_questions: int
    seed: int


def bootstrap(sums: Ints, statistic: Statistic, *, replicates: int, seed: int) -> BootstrapInterval:
    """Return the percentile interval of a coefficient that is a function of sums over questions.

    `sums` has one row of whole numbers a question (`judgement_table.Sums` or, for Cohen's κ, the
    cells of the two workers' table row by row). `statistic` maps the totals of each replicate to
    the coefficient, NaN if it is undefined.

    Undefined, with the reason: one question; no defined replicate; all replicates equal (perfect
    agreement everywhere does not show how far chance could go, so the interval is not of width 0).
    Raises ValueError for fewer than 1,000 replicates.
    """
    values = statistic(replicate_totals(sums, replicates=replicates, seed=seed))
    return question_interval(values, n_questions=len(sums), seed=seed)


def replicate_totals(sums: Ints, *, replicates: int, seed: int) -> Floats:
    """Return the totals of each replicate, (replicates, columns): Σ_p weight_p · row_p.

    Equal rows are one pattern. The patterns are sorted as lists of numbers, first column first.
    Totals are whole numbers below 2**53, so the float product is exact in any order and any pieces.
    """
    patterns, n_questions = distinct_rows(sums)
    rows = patterns.astype(np.float64)
    pieces = _weights(n_questions, replicates=replicates, seed=seed)
    return np.concatenate([weights @ rows for weights in pieces])


def times_drawn(n: int, *, replicates: int, seed: int) -> Iterator[Floats]:
    """Yield how often each of n clusters is drawn, (some replicates, n) at a time.

    Raises ValueError for fewer than 1,000 replicates.
    """
    return _weights(np.ones(n, dtype=np.int64), replicates=replicates, seed=seed)


def _weights(n_clusters: Ints, *, replicates: int, seed: int) -> Iterator[Floats]:
    """Yield how often each pattern is drawn. `n_clusters` has the number of clusters of each."""
    if replicates < LEAST_REPLICATES:
        raise ValueError(f"an interval needs at least {LEAST_REPLICATES} replicates")
    rng = np.random.default_rng(seed)
    n = int(n_clusters.sum())
    at_once = max(1, WEIGHTS_AT_ONCE // len(n_clusters))
    for start in range(0, replicates, at_once):
        n_rows = min(at_once, replicates - start)
        yield rng.multinomial(n, n_clusters / n, size=n_rows).astype(np.float64)


def distinct_rows(matrix: Ints) -> tuple[Ints, Ints]:
    """Return the distinct rows, sorted as lists of numbers ≥ 0, and how often each occurs.

    As `numpy.unique(axis=0)`, but over one whole number a row, which is thirty times faster.
    """
    key, span = np.zeros(len(matrix), np.int64), 1
    for column in matrix.T:
        width = int(column.max()) + 1
        if span * width >= 2**62:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            span = len(matrix)
        key, span = key * width + column, span * width
    _, first, n_rows = np.unique(key, return_index=True, return_counts=True)
    return matrix[first], n_rows.astype(np.int64)


def percentile_interval(replicates: Floats) -> PercentileInterval:
    """Return the 2.5th and 97.5th percentile (linear interpolation) of the values that are not NaN.

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


def question_interval(replicates: Floats, *, n_questions: int, seed: int) -> BootstrapInterval:
    """Return the percentile interval, undefined for a single question."""
    interval = percentile_interval(replicates)
    if n_questions == 1:
        interval = replace(interval, low=None, high=None, reason="a single question")
    return BootstrapInterval(**asdict(interval), n_questions=n_questions, seed=seed)


def no_interval(reason: str, seed: int) -> BootstrapInterval:
    return BootstrapInterval(
        None, None, reason, n_replicates=0, n_undefined=0, n_questions=0, seed=seed
    )
