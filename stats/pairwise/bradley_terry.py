"""Strengths of runs by people's preferences, with intervals over questions.

The model and its fit are in `stats.pairwise.bradley_terry_fit`. The figures of each run:

    strength   log π, the mean over runs being 0: the logarithm of the odds against a run of strength 0
    expected   its mean wins against each of the others under the fitted model, a tie as half

Unlike a win-rate, a strength accounts for the opponents of a run: it uses all pairs together, and
so does not need every pair on every question.

Intervals are percentiles of the fits to questions drawn with replacement (`stats.bootstrap`): a
question is the row of wins and ties on it. A replicate without a best fit, in which a run always
wins, say, has no value: it is counted in `n_undefined` of every interval, and many of them are a
warning, because the others are those in which the strongest happens to lose.

Undefined, with the reason that names the runs: fewer than two runs were compared; the comparisons
have no best fit (`stats.pairwise.identifiability`). A run without comparisons is left out, with its
own reason.

Right: A over B 6 times, B over A 2 times → log 3 / 2 and -log 3 / 2, expected 3/4 and 1/4.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from stats.agreement.judgement_table import Floats, Ints
from stats.bootstrap import BootstrapInterval, no_interval, question_interval, replicate_totals
from stats.clusters import Cluster, itself
from stats.interval_cautions import caution
from stats.interval_coverage import STRENGTH
from stats.pairwise.bradley_terry_fit import Fit, best_fit
from stats.pairwise.identifiability import (
    Model,
    groups,
    is_identified,
    reachable,
    why_not_identified,
)
from stats.pairwise.records import Preference
from stats.pairwise.win_rate import NEVER_COMPARED, require_runs

TOO_FEW = "fewer than two runs were compared"


@dataclass(frozen=True, slots=True)
class Strength:
    """Strength of one run. If undefined, both values are None and `reason` says why."""

    run: str
    strength: float | None
    expected: float | None
    reason: str | None
    interval: BootstrapInterval
    expected_interval: BootstrapInterval


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of two strengths.

    Its exponential is the odds of preferring the first, without ties.
    """

    one: str
    other: str
    value: float
    interval: BootstrapInterval


@dataclass(frozen=True, slots=True)
class BradleyTerry:
    """The fit. `groups`, strongest first, are the comparable runs, if not all are comparable.

    `tie` is Davidson's θ; None in the model `half`. `n_not_identified` of the `n_replicates` have
    no best fit. `caution` says why the intervals are not to be trusted, or is None.
    """

    model: Model
    strengths: tuple[Strength, ...]
    differences: tuple[Difference, ...]
    tie: float | None
    reason: str | None
    groups: tuple[tuple[str, ...], ...]
    n_questions: int
    n_comparisons: int
    n_replicates: int
    n_not_identified: int
    caution: str | None


def bradley_terry(
    preferences: Sequence[Preference],
    *,
    runs: Sequence[str],
    model: Model = "half",
    replicates: int,
    seed: int,
    cluster: Cluster = itself,
) -> BradleyTerry:
    """Return the strengths of all runs, in their order.

    The order of the comparisons changes nothing. `cluster` returns what a question is drawn with.

    Raises ValueError for a comparison of a run with itself or of one that is not among `runs`.
    """
    require_runs(preferences, runs)
    met = {run for each in preferences for run in (each.left, each.right)}
    known = [run for run in runs if run in met]
    if len(known) < 2:
        return _undefined(preferences, runs, known, model, TOO_FEW, seed)
    rows = _rows(preferences, known, cluster)
    wins, ties = win_tables(rows.sum(axis=0, keepdims=True).astype(float), len(known))
    if not is_identified(wins, ties, model)[0]:
        reason = why_not_identified(wins[0], ties[0], known)
        apart = groups(reachable(wins, ties)[0], known)
        return _undefined(preferences, runs, known, model, reason, seed, apart)
    totals = replicate_totals(rows, replicates=replicates, seed=seed)
    fits = _Fits(
        best_fit(wins, ties, model),
        best_fit(*win_tables(totals, len(known)), model),
        len(rows),
        seed,
    )
    pairs = combinations(range(len(known)), 2)
    differences = tuple(fits.difference(known, i, j) for i, j in pairs)
    return BradleyTerry(
        model=model,
        strengths=tuple(
            fits.strength(run, known.index(run))
            if run in known
            else _undefined_strength(run, NEVER_COMPARED, seed)
            for run in runs
        ),
        differences=differences,
        tie=float(fits.fit.tie[0]) if model == "davidson" else None,
        reason=None,
        groups=(),
        n_questions=len({each.question for each in preferences}),
        n_comparisons=len(preferences),
        n_replicates=replicates,
        n_not_identified=int(np.isnan(fits.drawn.tie).sum()),
        caution=caution((each.interval for each in differences), STRENGTH, "difference"),
    )


def win_tables(totals: Floats, n_runs: int) -> tuple[Floats, Floats]:
    """Return sums of `rows`, (R, columns), as wins and ties, (R, K, K) each."""
    wins = totals[:, : n_runs**2].reshape(-1, n_runs, n_runs)
    ties = np.zeros_like(wins)
    first, second = np.triu_indices(n_runs, k=1)
    ties[:, first, second] = ties[:, second, first] = totals[:, n_runs**2 :]
    return wins, ties


@dataclass(frozen=True)
class _Fits:
    """The fit to all questions and the fits to the replicates."""

    fit: Fit
    drawn: Fit
    n_questions: int
    seed: int

    def strength(self, run: str, place: int) -> Strength:
        return Strength(
            run=run,
            strength=float(self.fit.strengths[0, place]),
            expected=float(self.fit.expected[0, place]),
            reason=None,
            interval=self._interval(self.drawn.strengths[:, place]),
            expected_interval=self._interval(self.drawn.expected[:, place]),
        )

    def difference(self, runs: Sequence[str], i: int, j: int) -> Difference:
        of_fit, of_drawn = self.fit.strengths, self.drawn.strengths
        return Difference(
            one=runs[i],
            other=runs[j],
            value=float(of_fit[0, i] - of_fit[0, j]),
            interval=self._interval(of_drawn[:, i] - of_drawn[:, j]),
        )

    def _interval(self, values: Floats) -> BootstrapInterval:
        return question_interval(values, n_questions=self.n_questions, seed=self.seed)


def _rows(preferences: Sequence[Preference], runs: Sequence[str], cluster: Cluster) -> Ints:
    """Return each cluster's wins, then its ties; pairs in the order of `runs`."""
    n_runs = len(runs)
    place = {run: number for number, run in enumerate(runs)}
    clusters = {
        name: row
        for row, name in enumerate(sorted({cluster(each.question) for each in preferences}))
    }
    wins = np.zeros((len(clusters), n_runs, n_runs), np.int64)
    ties = np.zeros((len(clusters), n_runs, n_runs), np.int64)
    for each in preferences:
        row = clusters[cluster(each.question)]
        pair = place[each.left], place[each.right]
        if each.preferred == "tie":
            ties[row, min(pair), max(pair)] += 1
        else:
            one, other = pair if each.preferred == "left" else pair[::-1]
            wins[row, one, other] += 1
    first, second = np.triu_indices(n_runs, k=1)
    return np.hstack([wins.reshape(len(clusters), -1), ties[:, first, second]])


def _undefined(
    preferences: Sequence[Preference],
    runs: Sequence[str],
    known: Sequence[str],
    model: Model,
    reason: str,
    seed: int,
    apart: Sequence[Sequence[str]] = (),
) -> BradleyTerry:
    return BradleyTerry(
        model=model,
        strengths=tuple(
            _undefined_strength(run, reason if run in known else NEVER_COMPARED, seed)
            for run in runs
        ),
        differences=(),
        tie=None,
        reason=reason,
        groups=tuple(map(tuple, apart)),
        n_questions=len({each.question for each in preferences}),
        n_comparisons=len(preferences),
        n_replicates=0,
        n_not_identified=0,
        caution=None,
    )


def _undefined_strength(run: str, reason: str, seed: int) -> Strength:
    none = no_interval(reason, seed)
    return Strength(run, None, None, reason, none, none)
