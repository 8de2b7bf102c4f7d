"""Discrimination of plausible answers by a measure: ROC curve, its area, precision at thresholds.

A unit is a distinct settled answer, with the measure's value s, y = 1 if people found it plausible,
and a weight w: one divided by its probability of being judged (an audit sample's answer represents
many; stats.stratified_estimate). Answers that were never drawn have no weight: below the pool's
threshold nothing is known unless an audit sample was judged.

    area       P(s of a plausible one > s of another) + ½ P(they are equal), by weights: the Mann-Whitney
               statistic, equal to the area under the ROC curve (Hanley & McNeil 1982, Radiology 143:29-36)
    ROC        for each value t: the weight of y = 1 with s >= t, and of y = 0 with s >= t, as shares
    precision  Σ w·y / Σ w over s > t; a rule draws strictly above its threshold

Undefined if all or none are plausible (area, ROC), or nothing is above t (precision). Intervals are
bootstraps over clusters (stats.bootstrap): answers to one question are alike, and so are those to
the turns of one conversation. A unit without a cluster is of its question's own.

Right: values .9 .8 .3, plausible yes no yes → area 1/2 (.9 beats .8, .3 does not). Wrong: 2/3, two
of three.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stats.bootstrap import (
    LEAST_REPLICATES,
    Floats,
    PercentileInterval,
    percentile_interval,
    times_drawn,
)

NOTHING = "no settled answer has a value"
ALL_ACCEPTED = "all settled answers are plausible"
NONE_ACCEPTED = "no settled answer is plausible"
MOST_POINTS = 100
# 2 million numbers are 16 MB while they are added up; the result does not depend on it.
AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True)
class Unit:
    question: int
    value: float
    is_accepted: bool
    weight: float = 1.0
    cluster: int | None = None

    @property
    def drawn_with(self) -> int:
        """The cluster, which is drawn whole."""
        return self.question if self.cluster is None else self.cluster


@dataclass(frozen=True, slots=True)
class Area:
    """The area under the ROC curve. `points` are (false, true) shares from (0, 0) to (1, 1)."""

    value: float | None
    reason: str | None
    interval: PercentileInterval
    points: tuple[tuple[float, float], ...]
    n_units: int
    n_accepted: int
    n_questions: int
    n_clusters: int


@dataclass(frozen=True, slots=True)
class AtThreshold:
    """The answers above a threshold.

    `n_about` and `n_accepted_about` are weighted: of all they represent.
    """

    threshold: float
    n_units: int
    n_about: float
    n_accepted_about: float
    precision: float | None
    interval: PercentileInterval


def area(units: Sequence[Unit], *, replicates: int = LEAST_REPLICATES, seed: int = 0) -> Area:
    """Return the area. The order of the units changes nothing.

    Raises ValueError for fewer than 1,000 replicates.
    """
    columns = _Columns.from_units(units)
    n_accepted = sum(unit.is_accepted for unit in units)
    n_questions = len({unit.question for unit in units})
    reason = _why_undefined(len(units), n_accepted)
    if reason:
        none = PercentileInterval(None, None, reason, n_replicates=0, n_undefined=0)
        return Area(None, reason, none, (), len(units), n_accepted, n_questions, columns.n_clusters)
    drawn = np.concatenate([_areas(*each) for each in columns.replicates(replicates, seed)])
    value = _areas(*columns.totals(columns.weights[None]))[0]
    return Area(
        value=float(value),
        reason=None,
        interval=percentile_interval(drawn),
        points=_curve(*columns.totals(columns.weights[None])),
        n_units=len(units),
        n_accepted=n_accepted,
        n_questions=n_questions,
        n_clusters=columns.n_clusters,
    )


def precision_at_thresholds(
    units: Sequence[Unit],
    thresholds: Sequence[float],
    *,
    replicates: int = LEAST_REPLICATES,
    seed: int = 0,
) -> list[AtThreshold]:
    """Return a row for each threshold, in their order."""
    if not units:
        return []
    columns = _Columns.from_units(units)
    # From which value on what lies above each threshold begins.
    places = np.searchsorted(columns.values, thresholds, side="right")
    drawn = np.concatenate(
        [_precisions(places, *each) for each in columns.replicates(replicates, seed)]
    )
    accepted, others = columns.totals(columns.weights[None])
    precision = _precisions(places, accepted, others)[0]
    n_accepted, n_about = _sums_from(places, accepted)[0], _sums_from(places, accepted + others)[0]
    return [
        AtThreshold(
            threshold=threshold,
            n_units=sum(unit.value > threshold for unit in units),
            n_about=float(n_about[i]),
            n_accepted_about=float(n_accepted[i]),
            precision=None if np.isnan(precision[i]) else float(precision[i]),
            interval=percentile_interval(drawn[:, i]),
        )
        for i, threshold in enumerate(thresholds)
    ]


def _why_undefined(n: int, n_accepted: int) -> str | None:
    if not n:
        return NOTHING
    if n_accepted == n:
        return ALL_ACCEPTED
    return None if n_accepted else NONE_ACCEPTED


@dataclass(frozen=True)
class _Columns:
    """The units by value, lowest first.

    `starts` are the places where each distinct value begins.
    """

    weights: Floats
    accepted: Floats
    clusters: NDArray[np.int64]
    values: Floats
    starts: NDArray[np.int64]
    n_clusters: int

    @classmethod
    def from_units(cls, units: Sequence[Unit]) -> "_Columns":
        rows = sorted(units, key=lambda unit: (unit.value, unit.drawn_with, unit.is_accepted))
        values, starts = np.unique([unit.value for unit in rows], return_index=True)
        names, clusters = np.unique([unit.drawn_with for unit in rows], return_inverse=True)
        return cls(
            weights=np.array([unit.weight for unit in rows], dtype=float),
            accepted=np.array([unit.is_accepted for unit in rows], dtype=float),
            clusters=clusters,
            values=values,
            starts=starts,
            n_clusters=len(names),
        )

    def totals(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return the weights of accepted units and of others at each distinct value.

        Each is (replicates, values).
        """
        accepted = np.add.reduceat(weights * self.accepted, self.starts, axis=1)
        others = np.add.reduceat(weights * (1 - self.accepted), self.starts, axis=1)
        return accepted, others

    def replicates(self, n: int, seed: int) -> Iterator[tuple[Floats, Floats]]:
        """Yield the totals of replicates, some at a time."""
        at_once = max(1, AT_ONCE // len(self.weights))
        for drawn in times_drawn(self.n_clusters, replicates=n, seed=seed):
            for start in range(0, len(drawn), at_once):
                times = drawn[start : start + at_once, self.clusters]
                yield self.totals(times * self.weights)


def _areas(accepted: Floats, others: Floats) -> Floats:
    """Return the area of each row; NaN if a row has only one kind."""
    below = np.cumsum(others, axis=1) - others
    won = (accepted * (below + others / 2)).sum(axis=1)
    pairs = accepted.sum(axis=1) * others.sum(axis=1)
    return _ratio(won, pairs)


def _precisions(places: NDArray[np.int64], accepted: Floats, others: Floats) -> Floats:
    return _ratio(_sums_from(places, accepted), _sums_from(places, accepted + others))


def _sums_from(places: NDArray[np.int64], totals: Floats) -> Floats:
    """Return the sums from each place on, (replicates, places)."""
    nothing = np.zeros((len(totals), 1))
    sums = np.concatenate([np.cumsum(totals[:, ::-1], axis=1)[:, ::-1], nothing], axis=1)
    found: Floats = sums[:, places]
    return found


def _ratio(part: Floats, whole: Floats) -> Floats:
    found: Floats = np.full(part.shape, np.nan)
    np.divide(part, whole, out=found, where=whole > 0)
    return found


def _curve(accepted: Floats, others: Floats) -> tuple[tuple[float, float], ...]:
    """Return the curve from the highest value down, with at most MOST_POINTS points."""
    true, false = (
        np.concatenate([[0.0], np.cumsum(each[0][::-1]) / each[0].sum()])
        for each in (accepted, others)
    )
    kept = np.unique(np.linspace(0, len(true) - 1, min(len(true), MOST_POINTS)).round().astype(int))
    return tuple((float(false[i]), float(true[i])) for i in kept)
