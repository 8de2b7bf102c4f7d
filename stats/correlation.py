"""Correlations of measures over runs: Kendall's τ-b and Pearson's r, without intervals.

There are n points, one a run. What another sample of questions would give for these runs has no
interval here: the middle 95 % of bootstrap replicates, in which the runs' means scatter more than
in the sample, lie too near to 0. Where runs are close together they covered the true τ in 0 to 85 %
of simulated samples, and some excluded the sample's own τ.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from stats.bootstrap import Floats
from stats.concordance import sums_of_signs
from stats.means import Means

Coefficient = Literal["kendall_tau_b", "pearson"]
# Sums of so many signs are exact in 32 bits, which take half the time of 64.
MOST_EXACT = 2**24
# Of more points pairs are counted by sorting: all pairs of 10,000 answers would be 400 MB a column. Of fewer,
# many rows at once are faster.
MOST_PAIRED = 300


@dataclass(frozen=True, slots=True)
class Correlation:
    """The correlation of two columns over the `n_runs` with a value in both.

    None, with the reason, if undefined.
    """

    one: str
    other: str
    coefficient: Coefficient
    value: float | None
    reason: str | None
    n_runs: int


def measure_correlations(means: Means) -> list[Correlation]:
    """Correlate every two measures of a table of means, by both coefficients."""
    return list(pairwise_correlations(means.measures, means.values))


def pairwise_correlations(names: Sequence[str], values: Floats) -> Iterator[Correlation]:
    """Yield both coefficients of every two columns of `values`, (runs, columns), in their order."""
    for one, other in combinations(range(len(names)), 2):
        yield from correlations((names[one], names[other]), values[:, [one, other]])


def correlations(names: tuple[str, str], values: Floats) -> Iterator[Correlation]:
    """Yield both coefficients of two columns; `values` is (runs, 2).

    A run without a value in either column (NaN) is left out. For one measure on original and on
    rewritten questions, a row is a system.
    """
    kept = values[~np.isnan(values).any(axis=1)]
    for name, function in COEFFICIENTS.items():
        one, other = kept.T
        value = float(function(one[None], other[None])[0]) if len(kept) > 1 else np.nan
        yield Correlation(
            *names,
            coefficient=name,
            value=None if np.isnan(value) else value,
            reason=_reason(kept, value),
            n_runs=len(kept),
        )


def kendall_tau_b(one: Floats, other: Floats) -> Floats:
    """Return τ-b of each row: (replicates, runs) twice gives (replicates,), NaN if undefined.

    Over the pairs of runs, with d the sign of the difference: τ-b = Σ d1·d2 / √(Σ d1² · Σ d2²), so
    a pair that ties in a column counts in neither the sum nor that column's root (Kendall 1945).
    Undefined if a column has only ties or a missing number (NaN), and for fewer than two points.

    >>> kendall_tau_b(np.array([[1., 2, 3, 4]]), np.array([[1., 2, 4, 3]])).round(3).tolist()  # (5 - 1) / 6
    [0.667]
    """
    if one.shape[-1] <= MOST_PAIRED:
        return _cosine(_signs(one), _signs(other))
    found: Floats = np.full(len(one), np.nan)
    for row in np.flatnonzero(~np.isnan(one + other).any(axis=1)):
        both, *squares = (np.array(float(each)) for each in sums_of_signs(one[row], other[row]))
        found[row] = _over_scales(both, *squares)
    return found


def pearson(one: Floats, other: Floats) -> Floats:
    """Return Pearson's r of each row: (replicates, runs) twice gives (replicates,).

    NaN if it is undefined: a column has one value only.
    """
    return _cosine(_centred(one), _centred(other))


COEFFICIENTS: Mapping[Coefficient, Callable[[Floats, Floats], Floats]] = {
    "kendall_tau_b": kendall_tau_b,
    "pearson": pearson,
}

# Single or double: of signs both are exact.
_Numbers = NDArray[np.floating[Any]]


def _signs(rows: Floats) -> _Numbers:
    """Return the signs of the differences of every two numbers of each row, (..., n(n - 1) / 2)."""
    n = rows.shape[-1]
    n_pairs = n * (n - 1) // 2
    found = np.empty((*rows.shape[:-1], n_pairs), np.float32 if n_pairs < MOST_EXACT else float)
    start = 0
    for i in range(n - 1):
        end = start + n - 1 - i
        found[..., start:end] = np.sign(rows[..., i, None] - rows[..., i + 1 :])
        start = end
    return found


def _centred(rows: Floats) -> Floats:
    centred: Floats = rows - rows.mean(axis=-1, keepdims=True)
    # The mean of equal numbers may be off by a rounding, which is no variance.
    is_constant = (rows == rows[..., :1]).all(axis=-1)
    centred[is_constant] = 0.0
    return centred


def _cosine(one: _Numbers, other: _Numbers) -> Floats:
    """Return Σ xy / √(Σ x² · Σ y²) of each row, within [-1, 1]."""
    return _over_scales(np.einsum("...i,...i->...", one, other), _squares(one), _squares(other))


def _squares(rows: _Numbers) -> Floats:
    found: Floats = np.einsum("...i,...i->...", rows, rows).astype(float)
    return found


def _over_scales(products: _Numbers, one: Floats, other: Floats) -> Floats:
    # Each root apart: the product of two small sums may vanish.
    scales = np.sqrt(one) * np.sqrt(other)
    found = np.full(products.shape, np.nan)
    np.divide(products, scales, out=found, where=scales > 0)
    return found.clip(-1, 1)


def _reason(kept: Floats, value: float) -> str | None:
    if not np.isnan(value):
        return None
    if len(kept) < 2:
        return "fewer than two runs have both"
    return "all runs have the same value"
