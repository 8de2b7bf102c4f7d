"""Rates of answers that pass two steps, of which the second may be open, and their differences.

An answer passes the first step or not. If it does, it passes the second or not, or that is open:
nobody was asked about it, or it is not settled. Of n questions the answers to `n_first` pass the
first step; of `n_known` of these the second is settled, and `n_second` pass it:

    rate = n_first / n · n_second / n_known

So a question whose second step is open counts in the first share and not in the second. The rate is
right whichever of those that pass the first step were asked about, if that was by chance.

Interval. Where nothing is open the rate is n_second / n, and Wilson's is used, by clusters as
`stats.clustered_proportions` has it. Else it is the bootstrap over clusters (`stats.bootstrap`): a
question is the row (1, passes the first, second settled, passes the second), a cluster the sum of
its rows, and both shares of a replicate are of the same questions.

Two runs are compared on the questions that both have. Where nothing of either run is open this is
`stats.paired_proportions`. Else the difference is that of their rates on these questions, its
interval is the bootstrap with both runs' rows drawn together, and there is no test: which run fails
the second step on which question is not known.

Undefined: no question; none of the second steps is settled. If none passes the first step the rate
is 0.

Right: 4 fail the first step, 8 pass both, of 8 the second is open → 16/20 · 8/8 = .80. Wrong: 8/12,
which keeps every answer that fails the first step and leaves out half of those that pass it.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from itertools import combinations
from math import fsum
from typing import NamedTuple

import numpy as np

from stats.agreement.judgement_table import Floats, Ints
from stats.agreement.result import ratio
from stats.bootstrap import BootstrapInterval, Statistic, bootstrap
from stats.clustered_proportions import share_interval
from stats.clusters import SINGLE_CLUSTER, Cluster, itself
from stats.paired_proportions import NO_COMMON, Pair, pair_of_settled, with_holm
from stats.proportion_intervals import Interval

NOTHING_SETTLED = "nothing of it is settled"
NONE_KNOWN = "faithfulness is settled for none of its plausible answers"
OPEN = "not tested: faithfulness is not settled for every plausible answer of both runs"


class Steps(NamedTuple):
    """Whether an answer passes each step; the second is None if it is open or not reached."""

    passes_first: bool
    passes_second: bool | None = None


# question -> the steps of the run's answer to it, for those whose first step is settled
Questions = Mapping[str, Steps]
# question -> how much it counts
Weights = Mapping[str, float]


class Counts(NamedTuple):
    n: int
    n_first: int
    n_known: int
    n_second: int

    @property
    def is_complete(self) -> bool:
        return self.n_known == self.n_first

    @property
    def reason(self) -> str | None:
        """Return why there is no rate; None if there is one."""
        if not self.n:
            return NOTHING_SETTLED
        return NONE_KNOWN if self.n_first and not self.n_known else None

    @property
    def value(self) -> float | None:
        if self.reason:
            return None
        if self.is_complete:
            return self.n_second / self.n
        return self.n_first / self.n * (self.n_second / self.n_known)


def counts(questions: Questions) -> Counts:
    return Counts(*_rows(questions.values()).sum(axis=0).tolist())


def rate_interval(
    questions: Questions, *, cluster: Cluster = itself, replicates: int, seed: int
) -> Interval:
    """Return the interval; without a rate None with the rate's reason."""
    found = counts(questions)
    if found.reason:
        return Interval(None, None, found.reason)
    if found.is_complete:
        outcomes = {each: bool(steps.passes_second) for each, steps in questions.items()}
        return share_interval(outcomes, cluster)
    rows = _cluster_rows(questions, cluster, _rows(questions.values()))
    return _bootstrap(rows, found.n, _rate, replicates=replicates, seed=seed)


def two_step_pairs(
    runs: Mapping[str, Questions], *, cluster: Cluster = itself, replicates: int, seed: int
) -> list[Pair]:
    """Compare every two runs that have a rate."""
    of_runs = {run: counts(questions) for run, questions in runs.items()}
    known = [run for run, found in of_runs.items() if found.reason is None]
    drawn = {"replicates": replicates, "seed": seed}
    return with_holm(
        pair_of_settled(one, other, _second(runs[one]), _second(runs[other]), cluster)
        if of_runs[one].is_complete and of_runs[other].is_complete
        else _open_pair(one, other, runs[one], runs[other], cluster, drawn)
        for one, other in combinations(known, 2)
    )


def shares(questions: Questions, weights: Weights | None = None) -> tuple[float, float]:
    """Return the share that passes the first step, and that of the second among those where it is settled.

    0 for none of either. Questions count by their weights, else alike.
    """
    of = [(1.0 if weights is None else weights[q], steps) for q, steps in questions.items()]
    total = fsum(weight for weight, _ in of)
    known = fsum(weight for weight, steps in of if steps.passes_second is not None)
    first = fsum(weight for weight, steps in of if steps.passes_first)
    second = fsum(weight for weight, steps in of if steps.passes_second)
    return first / total if total else 0.0, second / known if known else 0.0


def rate_linear_variance(
    questions: Questions, cluster: Cluster, weights: Weights | None = None
) -> float:
    """Return the variance of a rate over clusters, by Taylor's series: of the sums of

        F·w·(passes the first - P) / Σ w  +  P·w·(passes the second - F) / Σ w of the settled

    over the questions of a cluster, the second part where it is settled; P and F are the shares.
    """
    return _over_clusters(_linear_scores(questions, weights), cluster)


def difference_variance(one: Questions, other: Questions, cluster: Cluster) -> float:
    """Return that of the difference of two rates on their common questions."""
    common = one.keys() & other.keys()
    first, second = (
        _linear_scores({each: run[each] for each in common}, None) for run in (one, other)
    )
    return _over_clusters({each: first[each] - second[each] for each in common}, cluster)


def _linear_scores(questions: Questions, weights: Weights | None) -> dict[str, float]:
    p, f = shares(questions, weights)
    w = dict.fromkeys(questions, 1.0) if weights is None else weights
    total = fsum(w[each] for each in questions)
    known = fsum(w[each] for each, steps in questions.items() if steps.passes_second is not None)
    scores = {}
    for question, steps in questions.items():
        score = f * w[question] * (steps.passes_first - p) / total
        if steps.passes_second is not None:
            score += p * w[question] * (steps.passes_second - f) / known
        scores[question] = score
    return scores


def _over_clusters(scores: Mapping[str, float], cluster: Cluster) -> float:
    sums: dict[str, list[float]] = {}
    for question, score in scores.items():
        sums.setdefault(cluster(question), []).append(score)
    n = len(sums)
    squares = fsum(fsum(each) ** 2 for each in sums.values())
    return n / (n - 1) * squares if n > 1 else 0.0


def _second(questions: Questions) -> dict[str, bool]:
    return {question: bool(steps.passes_second) for question, steps in questions.items()}


def _open_pair(
    one: str,
    other: str,
    first: Questions,
    second: Questions,
    cluster: Cluster,
    drawn: Mapping[str, int],
) -> Pair:
    common = sorted(first.keys() & second.keys())
    n = len(common)
    steps = [_rows([run[question] for question in common]) for run in (first, second)]
    rows = _cluster_rows(common, cluster, np.hstack([steps[0], steps[1][:, 1:]]))

    def difference(totals: Floats) -> Floats:
        return _rate(totals[:, :4]) - _rate(totals[:, [0, 4, 5, 6]])

    value = float(difference(rows.sum(axis=0, keepdims=True).astype(float))[0]) if n else np.nan
    reason = NO_COMMON if not n else NONE_KNOWN if np.isnan(value) else None
    interval = Interval(None, None, reason) if reason else _bootstrap(rows, n, difference, **drawn)
    return Pair(
        one=one,
        other=other,
        n_questions=n,
        n_clusters=len(rows),
        n_only_one=None,
        n_only_other=None,
        difference=None if reason else value,
        reason=reason,
        interval=interval,
        design_effect=None,
        p=None,
        p_reason=OPEN,
        p_holm=None,
        is_told_apart=False,
        detectable=None,
        detectable_reason=OPEN,
    )


def _rows(steps: Iterable[Steps]) -> Ints:
    """Return (1, passes the first, second settled, passes the second) of each, as 0 and 1."""
    rows = [
        (1, each.passes_first, each.passes_second is not None, each.passes_second is True)
        for each in steps
    ]
    return np.array(rows, np.int64).reshape(-1, 4)


def _cluster_rows(questions: Iterable[str], cluster: Cluster, rows: Ints) -> Ints:
    """Return the sum of the rows of each cluster's questions."""
    places: dict[Hashable, int] = {}
    index = [places.setdefault(cluster(each), len(places)) for each in questions]
    sums = np.zeros((len(places), rows.shape[1]), np.int64)
    np.add.at(sums, index, rows)
    return sums


def _bootstrap(
    rows: Ints, n: int, statistic: Statistic, *, replicates: int, seed: int
) -> BootstrapInterval:
    found = bootstrap(rows, statistic, replicates=replicates, seed=seed)
    return replace(found, reason=SINGLE_CLUSTER) if len(rows) == 1 < n else found


def _rate(totals: Floats) -> Floats:
    """Return the rate of each row of totals; NaN if it passes the first step and none is settled."""
    n, first, known, second = totals.T
    rates = first / n * ratio(second, known)
    return np.where(first == 0, 0.0, rates)
