"""Means of values in the cells of a table, with bootstrap intervals over clusters, such as documents.

    cell_means(["a", "a", "b"], ["doc 1", "doc 2", "doc 1"], [1.0, 0.0, 0.5], replicates=1000, seed=0)

Values of one cluster are alike (questions on one document, answers to one question), so clusters are drawn with all
their values, the same ones for all cells: with s and n a cluster's sum and number of values in a cell, a replicate
that draws the clusters w times has Σ w·s / Σ w·n there. A replicate that draws no cluster of a cell has no mean there
and is left out of its percentiles.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import TypeVar

import numpy as np

from stats.bootstrap import Floats, PercentileInterval, percentile_interval, times_drawn
from stats.means import DIGITS

Cell = TypeVar("Cell", bound=Hashable)
SINGLE = "a single document"


@dataclass(frozen=True, slots=True)
class CellMean:
    """The mean of `n` values of `n_clusters`; the interval says why it has no ends where it has none."""

    value: float
    n: int
    n_clusters: int
    interval: PercentileInterval


def cell_means(
    cells: Sequence[Cell],
    clusters: Sequence[str],
    values: Sequence[float],
    *,
    replicates: int,
    seed: int,
) -> dict[Cell, CellMean]:
    """Return the mean of each cell that has a value, in the order in which the cells come first.

    The three sequences have an entry for each value. Neither the order of the values nor that of the cells changes
    a number. Raises ValueError for fewer than 1,000 replicates.
    """
    if not values:
        return {}
    places = {cell: place for place, cell in enumerate(dict.fromkeys(cells))}
    of_cluster = {name: place for place, name in enumerate(sorted(set(clusters)))}
    index = (
        np.array([of_cluster[name] for name in clusters]),
        np.array([places[cell] for cell in cells]),
    )
    sums = np.zeros((len(of_cluster), len(places)))
    counts = np.zeros_like(sums)
    np.add.at(sums, index, values)
    np.add.at(counts, index, 1.0)
    drawn = _replicates(sums, counts, replicates=replicates, seed=seed)
    by_cell: dict[Cell, list[float]] = {cell: [] for cell in places}
    for cell, value in zip(cells, values, strict=True):
        by_cell[cell].append(value)
    n_clusters = (counts > 0).sum(axis=0)
    return {
        cell: _mean(by_cell[cell], int(n_clusters[place]), drawn[:, place])
        for cell, place in places.items()
    }


def _replicates(sums: Floats, counts: Floats, *, replicates: int, seed: int) -> Floats:
    """Return the mean of each cell in each replicate, (replicates, cells), NaN if undefined."""
    found = np.full((replicates, sums.shape[1]), np.nan)
    start = 0
    for weights in times_drawn(len(sums), replicates=replicates, seed=seed):
        totals, n = weights @ sums, weights @ counts
        np.divide(totals, n, out=found[start : start + len(weights)], where=n > 0)
        start += len(weights)
    return found.round(DIGITS)


def _mean(values: Sequence[float], n_clusters: int, replicates: Floats) -> CellMean:
    interval = percentile_interval(replicates)
    if n_clusters == 1:
        interval = replace(interval, low=None, high=None, reason=SINGLE)
    # Exactly rounded: the order of the values changes no digit.
    return CellMean(fsum(values) / len(values), len(values), n_clusters, interval)
