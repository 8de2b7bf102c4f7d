"""The figures of runs under scorers, and the correlations of scorers over runs; with numpy.

All scorers' means are resampled over the same clusters with the same seed. A scorer's column can be
computed by itself, by any worker.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.figures import Figure, Layout, RunValues, ScorerCorrelation
from stats.bootstrap import LEAST_REPLICATES, Floats
from stats.correlation import Correlation, correlations, pairwise_correlations
from stats.means import Mean, means

SEED = 1
REPLICATES = LEAST_REPLICATES
BETWEEN_SETUPS = "original / rewritten"


@dataclass(frozen=True)
class Column:
    """One scorer's figures of the runs, in their order."""

    figures: tuple[Figure, ...]

    @property
    def values(self) -> Floats:
        return np.array([figure.value for figure in self.figures], dtype=float)


def column(runs: Sequence[RunValues], clusters: Sequence[str]) -> Column:
    """Return the figures of runs with one value a turn; `clusters` has the cluster of each turn."""
    values = np.column_stack([np.frombuffer(run.values) for run in runs])
    estimates, _ = means(values, clusters, replicates=REPLICATES, seed=SEED)
    return Column(tuple(map(_figure, estimates, runs)))


def scorer_correlations(
    columns: Mapping[int, Column], layout: Layout
) -> Iterator[ScorerCorrelation]:
    """Yield the correlations of all pairs of scorers in each setup of two or more runs.

    Then those of each scorer between the setups.
    """
    for setup, runs in layout.setups.items():
        if len(runs) > 1:
            yield from _scorer_correlations(setup, _within_setup(columns, list(runs)))
    if layout.pairs:
        originals, rewritten = zip(*layout.pairs, strict=True)
        for scorer, scorer_column in columns.items():
            yield from _scorer_correlations(
                BETWEEN_SETUPS, _between_setups(scorer, scorer_column, originals, rewritten)
            )


def _figure(mean: Mean, run: RunValues) -> Figure:
    return Figure(
        value=mean.value,
        reason="" if mean.reason is None else run.reason,
        low=mean.interval.low,
        high=mean.interval.high,
        interval_reason=mean.interval.reason or "",
        n_turns=mean.n_turns,
        n_not_given=run.n_not_given,
        n_not_scored=run.n_not_scored,
        n_undefined=mean.interval.n_undefined,
    )


def _within_setup(columns: Mapping[int, Column], runs: list[int]) -> Iterator[Correlation]:
    values = np.stack([one.values[runs] for one in columns.values()], axis=1)
    return pairwise_correlations([str(scorer) for scorer in columns], values)


def _between_setups(scorer: int, column: Column, *halves: Sequence[int]) -> Iterator[Correlation]:
    values = np.stack([column.values[list(runs)] for runs in halves], axis=1)
    return correlations((str(scorer), str(scorer)), values)


def _scorer_correlations(
    setup: str, correlations: Iterable[Correlation]
) -> Iterator[ScorerCorrelation]:
    for correlation in correlations:
        yield ScorerCorrelation(
            setup=setup,
            one=int(correlation.one),
            other=int(correlation.other),
            coefficient=correlation.coefficient,
            value=correlation.value,
            reason=correlation.reason or "",
            n_runs=correlation.n_runs,
        )
