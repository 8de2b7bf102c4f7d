"""Significant differences of runs in people's judgements.

Every pair of runs is compared on the questions settled for both. People judge distinct texts of a
question, and every run that gave a text shares its verdict, so runs are compared question by
question, on those in the basis of both (`exports.results.rates`). If both gave one text they cannot
differ. With b questions on which only the first is accepted, c on which only the second is, and n
in common,

    difference = (b - c) / n             how much higher the first one's rate is, on these questions
    discordance = (b + c) / n

The interval is Tango's (`stats.proportion_intervals`): it has the differences that a score test does
not reject. p is two-sided, of the same test at a difference of 0, which is McNemar's:

    p = 2·(1 - Φ(|b - c| / √(b + c)))

(McNemar 1947, Psychometrika 12:153-157). So p <= .05 exactly where the interval is without 0. The
exact conditional test is not used: with few discordant questions it rejects far less often than
its level, and contradicts the interval (Fagerland, Lydersen & Laake 2013, BMC Medical Research
Methodology 13:91; docs/adr/0049-intervals-and-tests.md). Neither takes a seed.

Questions of one cluster (`stats.clustered_proportions`: turns of a conversation) are alike. Where a
pair's common questions have clusters of several, Tango's interval has t·√deff in place of z, p is of
sign flips by cluster in place of McNemar's, and the detectable difference is that of n / deff
questions.

Holm's step-down (`stats.multiplicity`) over all pairs that have a p keeps the probability of any
false difference among them at 5 %. Two runs differ significantly if p_holm <= .05; otherwise they
are not distinguishable, which does not say that they are equal: `stats.power` has the detectable
difference.

Undefined: no question in common (no difference, no p); no discordant question, or as many for the
one as for the other in every cluster of several (no p: there is nothing to test, and such a pair
does not count for Holm); a single cluster of several questions (no interval, no p).

Right: both plausible on 8, only the first on 6, only the second on 1, of 20 → .25, p = .059.
Wrong: comparing 14 of 20 with 9 of 20 as if they were other questions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import erfc, sqrt

import numpy as np

from stats import power
from stats.agreement.judgement_table import Ints
from stats.clustered_proportions import ClusterSums
from stats.clusters import SINGLE_CLUSTER, Cluster, itself
from stats.multiplicity import LEVEL, holm
from stats.proportion_intervals import Interval, tango
from stats.two_way_clustering import People
from stats.variance_components import FEW_PEOPLE

FOR_NO_OTHERS = Interval(None, None, FEW_PEOPLE)
# question -> whether the run's answer to it is accepted, for the questions of its basis
Settled = Mapping[str, bool]
NO_COMMON = "no question is settled for both"
NO_DISCORDANT = "they end alike on every question that is settled for both"
NO_CLUSTER_APART = "each conversation has as many answers accepted of the one as of the other"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs, `one` first in the order of runs.

    `reason` is why there is no difference, `p_reason` no p.

    `detectable` is the smallest difference that these questions would show at their discordance, at
    the level .05 of a single pair and with a power of .8; None with its reason. `design_effect` is
    how many of these questions are worth an independent one, or None. The numbers of
    discordant questions are None if it is not settled on which questions the runs differ
    (`stats.two_step_rates`).

    `p` and `detectable` are for the people who judged, and so is `interval`, or for people like them
    (`stats.pairs_over_people`), as `p_of` says; `p_these_people` and `p_people` are both.
    """

    one: str
    other: str
    n_questions: int
    n_clusters: int
    n_only_one: int | None
    n_only_other: int | None
    difference: float | None
    reason: str | None
    interval: Interval
    design_effect: float | None
    p: float | None
    p_reason: str | None
    p_holm: float | None
    is_told_apart: bool
    detectable: float | None
    detectable_reason: str | None
    n_annotators: int = 0
    people_interval: Interval = FOR_NO_OTHERS
    share_of_people: float | None = None
    p_of: People = "these"
    p_these_people: float | None = None
    p_people: float | None = None


def pairs(runs: Mapping[str, Settled], cluster: Cluster = itself) -> list[Pair]:
    """Compare every two runs that have settled answers."""
    known = [run for run in runs if runs[run]]
    if len(known) < 2:
        return []
    questions = set().union(*(runs[run] for run in known))
    if len({cluster(each) for each in questions}) < len(questions):
        return with_holm(
            pair_of_settled(one, other, runs[one], runs[other], cluster)
            for one, other in combinations(known, 2)
        )
    counts = _counts([runs[run] for run in known])
    return with_holm(
        pair_of_counts(known[i], known[j], counts[:, i, j].tolist())
        for i, j in combinations(range(len(known)), 2)
    )


def pair_of_settled(
    one: str, other: str, first: Settled, second: Settled, cluster: Cluster
) -> Pair:
    """Return the pair of two runs, with p not adjusted."""
    common = first.keys() & second.keys()
    ended = [0, 0, 0, 0]
    for question in common:
        ended[2 * int(first[question]) + int(second[question])] += 1
    found = pair_of_counts(one, other, ended)
    of = ClusterSums.of(
        (cluster(each), int(first[each]) - int(second[each])) for each in sorted(common)
    )
    return found if of.is_independent else _clustered(found, of)


def _clustered(pair: Pair, of: ClusterSums) -> Pair:
    """Return the pair with what is different where questions are of clusters of several."""
    n_one, n_other, n = pair.n_only_one or 0, pair.n_only_other or 0, pair.n_questions
    z, deff = of.critical_value, of.design_effect
    found = replace(pair, n_clusters=of.n_clusters, design_effect=deff)
    if z is None or deff is None:
        return replace(
            found,
            interval=Interval(None, None, SINGLE_CLUSTER),
            p=None,
            p_reason=SINGLE_CLUSTER,
            detectable=None,
            detectable_reason=SINGLE_CLUSTER,
        )
    p = of.sign_flip_p()
    smallest, too_small = power.detectable_difference(n / deff, (n_one + n_other) / n)
    return replace(
        found,
        interval=tango(n_one, n_other, n, z),
        p=p,
        p_reason=None if p is not None else pair.p_reason or NO_CLUSTER_APART,
        detectable=smallest,
        detectable_reason=too_small,
    )


def with_holm(pairs: Iterable[Pair]) -> list[Pair]:
    """Return the pairs with p adjusted for their number, and whether they differ by it."""
    found = list(pairs)
    return [
        replace(pair, p_holm=p, is_told_apart=p is not None and p <= LEVEL)
        for pair, p in zip(found, holm([pair.p for pair in found]), strict=True)
    ]


def _counts(runs: Sequence[Settled]) -> Ints:
    """Return the numbers of common questions, (4, runs, runs).

    On these neither run is accepted, the second, the first, both.
    """
    places = {each: place for place, each in enumerate(sorted(set().union(*runs)))}
    ended = np.zeros((2, len(places), len(runs)))  # not accepted, accepted
    for column, questions in enumerate(runs):
        for question, is_accepted in questions.items():
            ended[int(is_accepted), places[question], column] = 1
    # Sums of ones below 2**53: exact as floats, which are multiplied a hundred times as fast.
    return np.array([a.T @ b for a in ended for b in ended]).astype(np.int64)


def score_p(n_one: int, n_other: int) -> float:
    """Return McNemar's two-sided p of the discordant questions: 6 and 1 → .0588.

    5 and 5 → 1. ZeroDivisionError for none.
    """
    return erfc(abs(n_one - n_other) / sqrt(2 * (n_one + n_other)))


def groups(rates: Mapping[str, float | None], pairs: Sequence[Pair]) -> list[list[str]]:
    """Return groups of runs that are not distinguishable from each other, by rate.

    Highest first, equal ones by name: the longest stretches within which no pair differs
    significantly. A run that differs from both its neighbours is a group of its own. Runs may be in
    several stretches: that a and b, and b and c, are not distinguishable does not say so of a and
    c.
    """
    values = {run: rate for run, rate in rates.items() if rate is not None}
    ordered = sorted(values, key=lambda run: (-values[run], run))
    apart = {frozenset((pair.one, pair.other)) for pair in pairs if pair.is_told_apart}
    return [ordered[start:end] for start, end in _stretches(ordered, apart)]


def _stretches(ordered: Sequence[str], apart: set[frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Yield half-open ranges, none within another."""
    reached = 0
    for start in range(len(ordered)):
        end = start + 1
        while end < len(ordered) and not any(
            frozenset((run, ordered[end])) in apart for run in ordered[start:end]
        ):
            end += 1
        if end > reached:
            yield start, end
            reached = end


def pair_of_counts(one: str, other: str, counts: Sequence[int]) -> Pair:
    """Return the pair, with p not adjusted.

    `counts` are the numbers of common questions as `_counts` has them: neither run is accepted,
    the second, the first, both.
    """
    n, (_, n_other, n_one, _) = sum(counts), counts
    reason = None if n else NO_COMMON
    smallest, too_small = power.detectable_difference(n, (n_one + n_other) / n if n else 0.0)
    return Pair(
        one=one,
        other=other,
        n_questions=n,
        n_clusters=n,
        n_only_one=n_one,
        n_only_other=n_other,
        difference=(n_one - n_other) / n if n else None,
        reason=reason,
        interval=tango(n_one, n_other, n) if n else Interval(None, None, NO_COMMON),
        design_effect=1.0 if n else None,
        p=score_p(n_one, n_other) if n_one + n_other else None,
        p_reason=reason or (None if n_one + n_other else NO_DISCORDANT),
        p_holm=None,
        is_told_apart=False,
        detectable=smallest,
        detectable_reason=too_small,
    )
