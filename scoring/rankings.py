"""Do two measures rank the runs alike? Kendall's τ-b and Pearson's r, with bootstrap intervals.

Runs are what is ranked: n points, one a run. The intervals say what another sample of *questions*
would give for these runs (each replicate's means are correlated), not what other systems would.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from scoring.bootstrap import Floats, Interval, interval
from scoring.means import Means

Coefficient = Literal["kendall_tau_b", "pearson"]


@dataclass(frozen=True, slots=True)
class Correlation:
    """Of two columns over the `n_runs` that have a value in both; None, with the reason, if undefined."""

    one: str
    other: str
    coefficient: Coefficient
    value: float | None
    reason: str | None
    interval: Interval
    n_runs: int


def of_measures(means: Means) -> list[Correlation]:
    """Every two measures of a table of means, by both coefficients."""
    return [
        correlation
        for (i, one), (j, other) in combinations(enumerate(means.measures), 2)
        for correlation in correlations(
            (one, other),
            means.values[:, [i, j]],
            means.replicates[:, :, [i, j]],
        )
    ]


def correlations(
    names: tuple[str, str], values: Floats, replicates: Floats
) -> Iterator[Correlation]:
    """Both coefficients of two columns: `values` is (runs, 2), `replicates` (replicates, runs, 2).

    A run without a value in either column (NaN) is left out. A replicate in which one of the others
    has none is undefined. For one measure on original and on rewritten questions, a row is a system.
    """
    kept = ~np.isnan(values).any(axis=1)
    one, other = values[kept].T
    drawn_one, drawn_other = np.moveaxis(replicates[:, kept], 2, 0)
    n_runs = int(kept.sum())
    for name, function in COEFFICIENTS.items():
        value = float(function(one[None], other[None])[0]) if n_runs > 1 else np.nan
        drawn = function(drawn_one, drawn_other) if n_runs > 1 else np.full(len(replicates), np.nan)
        yield Correlation(
            *names,
            coefficient=name,
            value=None if np.isnan(value) else value,
            reason=_reason(one, other, value),
            interval=interval(drawn),
            n_runs=n_runs,
        )


def kendall_tau_b(one: Floats, other: Floats) -> Floats:
    """τ-b of each row: (replicates, runs) twice gives (replicates,), NaN where undefined.

    Over the pairs of runs, with d the sign of the difference: τ-b = Σ d1·d2 / √(Σ d1² · Σ d2²), so
    a pair that ties in a column counts in neither the sum nor that column's root (Kendall 1945).
    Undefined where a column is all ties. Right: 1 2 3 4 against 1 2 4 3 is (5 - 1) / 6 = .667.
    """
    first, second = np.triu_indices(one.shape[1], k=1)
    signs = [np.sign(column[:, first] - column[:, second]) for column in (one, other)]
    return _cosine(*signs)


def pearson(one: Floats, other: Floats) -> Floats:
    """Pearson's r of each row: (replicates, runs) twice gives (replicates,), NaN where undefined.

    Undefined where a column has one value only.
    """
    return _cosine(*(_centred(column) for column in (one, other)))


COEFFICIENTS: Mapping[Coefficient, Callable[[Floats, Floats], Floats]] = {
    "kendall_tau_b": kendall_tau_b,
    "pearson": pearson,
}


def _cosine(one: Floats, other: Floats) -> Floats:
    """Σ xy / √(Σ x² · Σ y²) of each row, within [-1, 1]."""
    products = np.einsum("ij,ij->i", one, other)
    # Each root apart: the product of two small sums may vanish.
    scales = np.sqrt(np.einsum("ij,ij->i", one, one)) * np.sqrt(np.einsum("ij,ij->i", other, other))
    found = np.full(len(products), np.nan)
    np.divide(products, scales, out=found, where=scales > 0)
    return found.clip(-1, 1)


def _centred(column: Floats) -> Floats:
    centred: Floats = column - column.mean(axis=1, keepdims=True)
    # The mean of equal numbers may be off by a rounding, which is no variance.
    is_constant = (column == column[:, :1]).all(axis=1)
    centred[is_constant] = 0.0
    return centred


def _reason(one: Floats, other: Floats, value: float) -> str | None:
    if not np.isnan(value):
        return None
    if len(one) < 2:
        return "fewer than two runs have both"
    return "all runs have the same value"
