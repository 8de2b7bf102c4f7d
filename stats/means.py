"""Means of measures over turns, with bootstrap intervals, by run.

    tables = means_by_setup(rows, measures=("em", "f1"), seed=1)
    tables["original"].figures["alder"]["f1"]    a Mean
    tables["original"].replicates                the same means of each replicate, for stats.correlation

A row is one run's values on one turn. Turns of one cluster are alike (the turns of a conversation,
or each turn its own cluster), so clusters are drawn, the same ones for all runs and measures:
differences of runs are over the same questions.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from stats.bootstrap import (
    LEAST_REPLICATES,
    Floats,
    PercentileInterval,
    percentile_interval,
    times_drawn,
)

# Means that are equal but for the order in which they were added up must tie when runs are ranked.
DIGITS = 9


@dataclass(frozen=True, slots=True)
class Row:
    """A run's values on a turn, by measure; None or a missing measure is undefined."""

    run: str
    setup: str  # which questions the run was given: original, rewritten, or other words
    turn: str
    cluster: str
    values: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean over the turns that have a value; None, with the reason, if none has."""

    value: float | None
    reason: str | None
    interval: PercentileInterval
    n_turns: int
    n_left_out: int
    n_clusters: int


@dataclass(frozen=True)
class Means:
    """The means of runs that were given the same questions: `figures[run][measure]`.

    `replicates`, (replicates, runs, measures), has each figure in each replicate, NaN if undefined.
    """

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    figures: tuple[tuple[Mean, ...], ...]
    replicates: Floats
    seed: int

    def figure(self, run: str, measure: str) -> Mean:
        return self.figures[self.runs.index(run)][self.measures.index(measure)]

    @property
    def values(self) -> Floats:
        """Return the means, (runs, measures), NaN if undefined."""
        rows = [[figure.value for figure in figures] for figures in self.figures]
        return np.array(rows, dtype=float).reshape(len(self.runs), len(self.measures))


def means_by_setup(
    rows: Iterable[Row],
    *,
    measures: Sequence[str],
    replicates: int = LEAST_REPLICATES,
    seed: int,
) -> dict[str, Means]:
    """Return the means of each setup's runs, each setup apart: their questions differ.

    The order of the rows changes nothing. Raises ValueError if a run has two rows for a turn, or a
    turn two clusters.
    """
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.setup, []).append(row)
    return {
        setup: _means_of_rows(of_setup, tuple(measures), replicates, seed)
        for setup, of_setup in sorted(found.items())
    }


def means(
    values: Floats, clusters: Sequence[str], *, replicates: int, seed: int
) -> tuple[list[Mean], Floats]:
    """Return the mean of each column of `values`, (turns, columns), NaN if undefined.

    And its replicates.

    With s and n a cluster's sum and number of values, a replicate that draws the clusters w times
    has Σ w·s / Σ w·n: long clusters count more, as in the mean itself. The second result is
    (replicates, columns), rounded to 9 decimals. Raises ValueError for fewer than 1,000 replicates,
    or without a turn.
    """
    if not len(values):
        raise ValueError("there is no turn to take a mean over")
    sums, counts = _by_cluster(values, clusters)
    pieces = times_drawn(len(sums), replicates=replicates, seed=seed)
    drawn = np.concatenate([_ratio(weights @ sums, weights @ counts) for weights in pieces])
    n_clusters = (counts > 0).sum(axis=0)
    columns = zip(values.T, drawn.T, n_clusters, strict=True)
    return [_mean(column, of, int(n)) for column, of, n in columns], drawn


def _means_of_rows(rows: list[Row], measures: tuple[str, ...], replicates: int, seed: int) -> Means:
    runs = tuple(sorted({row.run for row in rows}))
    cluster_of = _clusters(rows)
    turns = {turn: index for index, turn in enumerate(cluster_of)}
    places = {run: index for index, run in enumerate(runs)}
    values = np.full((len(turns), len(runs), len(measures)), np.nan)
    filled = np.zeros((len(turns), len(runs)), bool)
    for row in rows:
        place = turns[row.turn], places[row.run]
        if filled[place]:
            raise ValueError(f"the run {row.run} has two rows for the turn {row.turn}")
        filled[place] = True
        # numpy reads None as NaN
        values[place] = np.array([row.values.get(measure) for measure in measures], dtype=float)
    flat = values.reshape(len(turns), -1)
    figures, drawn = means(flat, list(cluster_of.values()), replicates=replicates, seed=seed)
    width = len(measures)
    return Means(
        runs=runs,
        measures=measures,
        figures=tuple(tuple(figures[i * width : (i + 1) * width]) for i in range(len(runs))),
        replicates=drawn.reshape(replicates, len(runs), width),
        seed=seed,
    )


def _clusters(rows: Iterable[Row]) -> dict[str, str]:
    """Return the cluster of each turn, sorted by turn."""
    found: dict[str, str] = {}
    for row in rows:
        if found.setdefault(row.turn, row.cluster) != row.cluster:
            raise ValueError(f"the turn {row.turn} is in two clusters")
    return dict(sorted(found.items()))


def _by_cluster(values: Floats, clusters: Sequence[str]) -> tuple[Floats, Floats]:
    """Return the sum and the number of each cluster's values, (clusters, columns) each.

    Clusters sorted.
    """
    places = {cluster: place for place, cluster in enumerate(sorted(set(clusters)))}
    index = [places[cluster] for cluster in clusters]
    defined = ~np.isnan(values)
    sums = np.zeros((len(places), values.shape[1]))
    counts = np.zeros_like(sums)
    np.add.at(sums, index, np.where(defined, values, 0.0))
    np.add.at(counts, index, defined)
    return sums, counts


def _ratio(totals: Floats, counts: Floats) -> Floats:
    found = np.full(totals.shape, np.nan)
    np.divide(totals, counts, out=found, where=counts > 0)
    return found.round(DIGITS)


def _mean(column: Floats, replicates: Floats, n_clusters: int) -> Mean:
    defined = column[~np.isnan(column)]
    n = len(defined)
    # Exactly rounded: the order of the turns changes no digit.
    value = fsum(defined.tolist()) / n if n else None
    return Mean(
        value=value,
        reason=None if n else "no turn has a value",
        interval=percentile_interval(replicates),
        n_turns=n,
        n_left_out=len(column) - n,
        n_clusters=n_clusters,
    )
