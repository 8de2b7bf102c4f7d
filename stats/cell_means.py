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

from stats.bootstrap import Floats, Ints, PercentileInterval, percentile_interval, times_drawn
from stats.means import DIGITS

Cell = TypeVar("Cell", bound=Hashable)


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
    cluster: str = "cluster",
) -> dict[Cell, CellMean]:
    """Return the mean of each cell that has a value, in the order in which the cells come first.

    The three sequences have an entry for each value. `cluster` is what reasons call a cluster. Neither the order of the values nor that of the cells changes
    a number. Raises ValueError for fewer than 1,000 replicates.
    """
    if not values:
        return {}
    places = {cell: place for place, cell in enumerate(dict.fromkeys(cells))}
    of_cluster = {name: place for place, name in enumerate(sorted(set(clusters)))}
    # A pair of a cell and a cluster is one number. Few of the possible ones have a value, so no matrix is made.
    cell_places = np.array([places[cell] for cell in cells])
    cluster_places = np.array([of_cluster[name] for name in clusters])
    pairs, pair_of = np.unique(cell_places * len(of_cluster) + cluster_places, return_inverse=True)
    sums, counts = np.bincount(pair_of, weights=values), np.bincount(pair_of).astype(np.float64)
    ends = np.searchsorted(pairs, np.arange(1, len(places)) * len(of_cluster))
    of_cells = [tuple(np.split(each, ends)) for each in (pairs % len(of_cluster), sums, counts)]
    drawn = _replicates(
        list(zip(*of_cells, strict=True)), len(of_cluster), replicates=replicates, seed=seed
    )
    by_cell: dict[Cell, list[float]] = {cell: [] for cell in places}
    for cell, value in zip(cells, values, strict=True):
        by_cell[cell].append(value)
    return {
        cell: _mean(by_cell[cell], len(of_cells[0][place]), drawn[place], cluster)
        for cell, place in places.items()
    }


def _replicates(
    cells: Sequence[tuple[Ints, Floats, Floats]], n_clusters: int, *, replicates: int, seed: int
) -> Floats:
    """Return the mean of each cell in each replicate, (cells, replicates), NaN if undefined.

    A cell has the places of its clusters, and the sum and the number of its values in each.
    """
    found = np.full((len(cells), replicates), np.nan)
    start = 0
    for weights in times_drawn(n_clusters, replicates=replicates, seed=seed):
        by_cluster = np.ascontiguousarray(weights.T)
        end = start + len(weights)
        for place, (of_cell, sums, counts) in enumerate(cells):
            of_cell_weights = by_cluster[of_cell]
            n = counts @ of_cell_weights
            np.divide(sums @ of_cell_weights, n, out=found[place, start:end], where=n > 0)
        start = end
    return found.round(DIGITS)


def _mean(values: Sequence[float], n_clusters: int, replicates: Floats, cluster: str) -> CellMean:
    interval = percentile_interval(replicates)
    if n_clusters == 1:
        interval = replace(interval, low=None, high=None, reason=f"a single {cluster}")
    # Exactly rounded: the order of the values changes no digit.
    return CellMean(fsum(values) / len(values), len(values), n_clusters, interval)
