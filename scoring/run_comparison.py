"""The figures of runs under scorers, and the correlations of scorers over runs; with numpy.

All scorers' means are resampled over the same clusters with the same seed, so replicate i draws the same
questions for all scorers, and for original and rewritten questions. A scorer's column can therefore be
computed by itself, by any worker; its figures and its replicates are kept.
"""

import base64
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
    """One scorer's figures of the runs, in their order; `replicates` is (replicates, runs)."""

    figures: tuple[Figure, ...]
    replicates: Floats

    @property
    def values(self) -> Floats:
        return np.array([figure.value for figure in self.figures], dtype=float)


def column(runs: Sequence[RunValues], clusters: Sequence[str]) -> Column:
    """Return the figures of runs with one value a turn; `clusters` has the cluster of each turn."""
    values = np.column_stack([np.frombuffer(run.values) for run in runs])
    estimates, drawn = means(values, clusters, replicates=REPLICATES, seed=SEED)
    return Column(tuple(map(_figure, estimates, runs)), drawn)


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


def encoded(replicates: Floats) -> str:
    """Return the replicates for JSON, with NaN: little-endian, 8 bytes each, in base 64."""
    return base64.b64encode(replicates.astype("<f8").tobytes()).decode("ascii")


def decoded(text: str, n_runs: int) -> Floats:
    return np.frombuffer(base64.b64decode(text), "<f8").reshape(-1, n_runs)


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
    return pairwise_correlations(
        [str(scorer) for scorer in columns],
        np.stack([one.values[runs] for one in columns.values()], axis=1),
        np.stack([one.replicates[:, runs] for one in columns.values()], axis=2),
    )


def _between_setups(scorer: int, column: Column, *halves: Sequence[int]) -> Iterator[Correlation]:
    return correlations(
        (str(scorer), str(scorer)),
        np.stack([column.values[list(runs)] for runs in halves], axis=1),
        np.stack([column.replicates[:, list(runs)] for runs in halves], axis=2),
    )


def _scorer_correlations(
    setup: str, correlations: Iterable[Correlation]
) -> Iterator[ScorerCorrelation]:
    for correlation in correlations:
        # Of a value that is undefined, replicates by chance have some.
        has_interval = correlation.value is not None and correlation.interval.low is not None
        yield ScorerCorrelation(
            setup=setup,
            one=int(correlation.one),
            other=int(correlation.other),
            coefficient=correlation.coefficient,
            value=correlation.value,
            reason=correlation.reason or "",
            low=correlation.interval.low if has_interval else None,
            high=correlation.interval.high if has_interval else None,
            interval_reason=correlation.reason or correlation.interval.reason or "",
            n_runs=correlation.n_runs,
            n_undefined=correlation.interval.n_undefined,
        )
