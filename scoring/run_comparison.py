"""Figures of runs under scorers, and how alike scorers rank the runs; with numpy. Plain Python.

Every scorer's means are taken over the same clusters with the same seed, so replicate i draws the
same questions for all of them, and for original and rewritten questions alike. A scorer can therefore
be worked on by itself, and elsewhere; what is kept of it are its figures and its replicates.
"""

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.figures import Figure, Layout, Likeness, RunValues
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
    """The figures of runs of which each has a value for each turn; `clusters` has each turn's."""
    values = np.column_stack([np.frombuffer(run.values) for run in runs])
    found, drawn = means(values, clusters, replicates=REPLICATES, seed=SEED)
    return Column(tuple(map(_figure, found, runs)), drawn)


def likenesses(columns: Mapping[int, Column], layout: Layout) -> Iterator[Likeness]:
    """Every two scorers on the runs of each setup that has two, then each scorer between the setups."""
    for setup, runs in layout.setups.items():
        if len(runs) > 1:
            yield from _likenesses(setup, _within(columns, list(runs)))
    if layout.pairs:
        originals, rewritten = zip(*layout.pairs, strict=True)
        for scorer, each in columns.items():
            yield from _likenesses(BETWEEN_SETUPS, _between(scorer, each, originals, rewritten))


def packed(replicates: Floats) -> str:
    """As JSON can keep them, NaN too: little-endian, 8 bytes each, in base 64."""
    return base64.b64encode(replicates.astype("<f8").tobytes()).decode("ascii")


def unpacked(text: str, n_runs: int) -> Floats:
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


def _within(columns: Mapping[int, Column], runs: list[int]) -> Iterator[Correlation]:
    return pairwise_correlations(
        [str(scorer) for scorer in columns],
        np.stack([each.values[runs] for each in columns.values()], axis=1),
        np.stack([each.replicates[:, runs] for each in columns.values()], axis=2),
    )


def _between(scorer: int, column: Column, *halves: Sequence[int]) -> Iterator[Correlation]:
    return correlations(
        (str(scorer), str(scorer)),
        np.stack([column.values[list(runs)] for runs in halves], axis=1),
        np.stack([column.replicates[:, list(runs)] for runs in halves], axis=2),
    )


def _likenesses(setup: str, found: Iterable[Correlation]) -> Iterator[Likeness]:
    for each in found:
        # Of a value that is undefined, replicates by chance have some.
        has_interval = each.value is not None and each.interval.low is not None
        yield Likeness(
            setup=setup,
            one=int(each.one),
            other=int(each.other),
            coefficient=each.coefficient,
            value=each.value,
            reason=each.reason or "",
            low=each.interval.low if has_interval else None,
            high=each.interval.high if has_interval else None,
            interval_reason=each.reason or each.interval.reason or "",
            n_runs=each.n_runs,
            n_undefined=each.interval.n_undefined,
        )
