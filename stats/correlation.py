"""Correlations of measures over runs: Kendall's τ-b and Pearson's r, with bootstrap intervals.

There are n points, one a run. The intervals say what another sample of *questions* would give for
these runs (each replicate's means are correlated), not what other systems would.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from stats.bootstrap import Floats, PercentileInterval, percentile_interval
from stats.concordance import sums_of_signs
from stats.means import Means

Coefficient = Literal["kendall_tau_b", "pearson"]
# Numbers that are held at once; the result does not depend on it.
AT_ONCE = 1_000_000
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
    interval: PercentileInterval
    n_runs: int


def measure_correlations(means: Means) -> list[Correlation]:
    """Correlate every two measures of a table of means, by both coefficients."""
    return list(pairwise_correlations(means.measures, means.values, means.replicates))


def pairwise_correlations(
    names: Sequence[str], values: Floats, replicates: Floats
) -> Iterator[Correlation]:
    """Yield both coefficients of every two columns, in their order.

    `values` is (runs, columns), `replicates` (replicates, runs, columns). The results are those of
    `correlations` for each two, up to the last digits of r. But intermediate values of a column,
    such as the signs of its differences, are computed once for all others, and Σ xy of all pairs of
    columns is one product of matrices, for some replicates at a time.
    """
    missing = np.isnan(values)
    alike: dict[bytes, list[int]] = {}  # columns that leave out the same runs
    for column in range(len(names)):
        alike.setdefault(missing[:, column].tobytes(), []).append(column)
    found: dict[tuple[int, int, Coefficient], tuple[float, Floats]] = {}
    for ones, others in combinations_with_replacement(alike.values(), 2):
        kept = ~(missing[:, ones[0]] | missing[:, others[0]])
        for name, prepared in PREPARED.items():
            of_values = _products(prepared, values[None, kept], ones, others)[0]
            drawn = _products(prepared, replicates[:, kept], ones, others)
            for i, one in enumerate(ones):
                for j, other in enumerate(others):
                    pair = min(one, other), max(one, other)
                    found[*pair, name] = float(of_values[i, j]), drawn[:, i, j]
    for one, other in combinations(range(len(names)), 2):
        kept = ~(missing[:, one] | missing[:, other])
        for name in PREPARED:
            value, of_replicates = found[one, other, name]
            yield _correlation(
                (names[one], names[other]),
                name,
                values[kept][:, [one, other]],
                value,
                of_replicates,
            )


def correlations(
    names: tuple[str, str], values: Floats, replicates: Floats
) -> Iterator[Correlation]:
    """Yield both coefficients of two columns.

    `values` is (runs, 2), `replicates` (replicates, runs, 2). A run without a value in either
    column (NaN) is left out. A replicate in which another run has none is undefined. For one
    measure on original and on rewritten questions, a row is a system.
    """
    kept = ~np.isnan(values).any(axis=1)
    one, other = values[kept].T
    drawn_one, drawn_other = np.moveaxis(replicates[:, kept], 2, 0)
    for name, function in COEFFICIENTS.items():
        if len(one) > 1:
            value, drawn = (
                float(function(one[None], other[None])[0]),
                function(drawn_one, drawn_other),
            )
        else:
            value, drawn = np.nan, np.full(len(replicates), np.nan)
        yield _correlation(names, name, values[kept], value, drawn)


def _correlation(
    names: tuple[str, str], name: Coefficient, kept: Floats, value: float, drawn: Floats
) -> Correlation:
    return Correlation(
        *names,
        coefficient=name,
        value=None if np.isnan(value) else value,
        reason=_reason(kept, value),
        interval=percentile_interval(drawn),
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


# Of each coefficient, what it is the cosine of.
PREPARED: Mapping[Coefficient, Callable[[Floats], _Numbers]] = {
    "kendall_tau_b": _signs,
    "pearson": _centred,
}


def _products(
    prepared: Callable[[Floats], _Numbers],
    rows: Floats,
    ones: Sequence[int],
    others: Sequence[int],
) -> Floats:
    """Return the cosines of columns with columns, (replicates, ones, others)."""
    n, n_runs, _ = rows.shape
    found: Floats = np.full((n, len(ones), len(others)), np.nan)
    if n_runs < 2:
        return found
    width = n_runs * (n_runs - 1) // 2 * (len(ones) + len(others))
    at_once = max(1, AT_ONCE // width)
    columns = rows.swapaxes(1, 2)
    for start in range(0, n, at_once):
        part = columns[start : start + at_once]
        left = prepared(part[:, ones])
        right = left if ones is others else prepared(part[:, others])
        found[start : start + at_once] = _over_scales(
            left @ right.swapaxes(1, 2), _squares(left)[:, :, None], _squares(right)[:, None]
        )
    return found


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
