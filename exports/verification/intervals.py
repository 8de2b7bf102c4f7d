"""Figures with their intervals: the bootstrap over conversations, by numpy's generator, and Wilson's.

An undefined number is NaN until `plain` makes it None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import isnan, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from scipy import stats

from exports.verification.findings import NOT_DRAWN, WORDS

Z = NormalDist().inv_cdf(0.975)
# Of totals, (..., numbers), the values (...).
Coefficient = Callable[["np.ndarray"], "np.ndarray"]


@dataclass(frozen=True)
class Bootstrap:
    """How a report draws; `is_drawn` is false where nobody asked for the intervals to be checked."""

    seed: int
    replicates: int
    is_drawn: bool = True


def ratio(above: Any, below: Any) -> np.ndarray:
    """NaN where it is divided by 0."""
    above, below = np.broadcast_arrays(np.asarray(above, float), np.asarray(below, float))
    found = np.full(below.shape, np.nan)
    np.divide(above, below, out=found, where=below != 0)
    return found


def sums_by(numbers: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The sums of the rows of each group that there is."""
    found = np.zeros((groups.max(initial=-1) + 1, *numbers.shape[1:]), numbers.dtype)
    np.add.at(found, groups, numbers)
    return found[np.bincount(groups, minlength=len(found)) > 0]


def figure_of_rows(
    rows: np.ndarray, coefficient: Coefficient, basis: Mapping[str, Any], bootstrap: Bootstrap
) -> dict[str, Any]:
    """A coefficient of the totals of the conversations' rows."""
    value = float(coefficient(rows.sum(axis=0))) if len(rows) else float("nan")
    is_defined = not isnan(value)
    return {
        "value": value,
        "reason": None if is_defined else WORDS,
        "n_conversations": len(rows),
        "interval": drawn_interval(rows, coefficient, bootstrap, is_defined=is_defined),
        **basis,
    }


def drawn_interval(
    rows: np.ndarray, coefficient: Coefficient, bootstrap: Bootstrap, *, is_defined: bool = True
) -> dict[str, Any]:
    """Conversations with equal rows are one pattern."""
    values = np.array([])
    if bootstrap.is_drawn and is_defined and len(rows):
        patterns, times = np.unique(rows, axis=0, return_counts=True)
        shares = tuple((times / len(rows)).tolist())
        draws = _draws(bootstrap.seed, len(rows), shares, bootstrap.replicates)
        values = coefficient(draws @ patterns)
    return interval(values, len(rows), bootstrap, is_defined=is_defined)


@lru_cache(maxsize=8)  # several figures draw from the same conversations
def _draws(seed: int, n: int, shares: tuple[float, ...], size: int) -> np.ndarray:
    return np.random.default_rng(seed).multinomial(n, shares, size=size)


def interval(
    values: np.ndarray, n_questions: int, bootstrap: Bootstrap, *, is_defined: bool
) -> dict[str, Any]:
    """What a report says of an interval, of the values of all replicates."""
    if is_defined and not bootstrap.is_drawn:
        ends: dict[str, Any] = dict.fromkeys(("low", "high", "reason", "n_undefined"), NOT_DRAWN)
        n_replicates = bootstrap.replicates
    else:
        defined = values[~np.isnan(values)]
        ends = without_interval()
        if n_questions > 1 and len(defined) and np.ptp(defined) >= 1e-12:
            low, high = np.percentile(defined, [2.5, 97.5])
            ends = {"low": low, "high": high, "reason": None}
        ends["n_undefined"] = len(values) - len(defined)
        n_replicates = len(values)
    return {
        **ends,
        "n_questions": n_questions,
        "n_replicates": n_replicates,
        "seed": bootstrap.seed,
    }


def without_interval() -> dict[str, Any]:
    return {"low": None, "high": None, "reason": WORDS}


def wilson(k: float, n: int, z: float | None) -> dict[str, Any]:
    """The two shares p for which (k/n - p)² = z²·p(1 - p)/n."""
    if z is None:
        return without_interval()
    square, slope, rest = 1 + z * z / n, -2 * k / n - z * z / n, (k / n) ** 2
    root = sqrt(max(0.0, slope**2 - 4 * square * rest))
    ends = (-slope - root) / (2 * square), (-slope + root) / (2 * square)
    return {"low": ends[0], "high": ends[1], "reason": None}


@lru_cache(maxsize=1000)
def t_quantile(df: float, share: float = 0.975) -> float:
    return float(stats.t.ppf(share, df))


def plain(value: Any) -> Any:
    """Numbers of numpy as Python's, and NaN as None, in dictionaries and lists too."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, (np.generic, np.ndarray)):
        return plain(value.tolist())
    return None if isinstance(value, float) and isnan(value) else value
