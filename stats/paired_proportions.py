"""Significant differences of runs in people's judgements.

Every pair of runs is compared on the questions settled for both. People judge distinct texts of a
question, and every run that gave a text shares its verdict, so runs are compared question by
question, on those in the basis of both (`exports.results.rates`). If both gave one text they cannot
differ. With b questions on which only the first is accepted, c on which only the second is, and n
in common,

    difference = (b - c) / n             how much higher the first one's rate is, on these questions
    discordance = (b + c) / n

The interval is the bootstrap over questions of `stats.bootstrap`, each question the row (first
accepted, second accepted) of two numbers, so that both runs are always drawn together.

p is two-sided and exact: under the null hypothesis each of the b + c discordant questions is a fair
coin, so p = min(1, 2·P(X <= min(b, c))), X binomial (b + c, 1/2). With one answer a question this
is the sign-flip permutation test over questions, over all 2^(b+c) flips (McNemar 1947,
Psychometrika 12:153-157, its exact form). It takes no seed.

Holm's step-down (`stats.multiplicity`) over all pairs that have a p keeps the probability of any
false difference among them at 5 %. Two runs differ significantly if p_holm <= .05; otherwise they
are not distinguishable, which does not say that they are equal: `stats.power` has the detectable
difference.

Undefined: no question in common (no difference, no p); no discordant question (difference 0, no p:
there is nothing to test, and such a pair does not count for Holm).

Right: both plausible on 8, only the first on 6, only the second on 1, of 20 → .25, p = .125.
Wrong: comparing 14 of 20 with 9 of 20 as if they were other questions.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import exp, lgamma, log

import numpy as np

from stats import power
from stats.agreement.judgement_table import Floats, Ints
from stats.bootstrap import BootstrapInterval, bootstrap, no_interval
from stats.multiplicity import holm

# question -> whether the run's answer to it is accepted, for the questions of its basis
Settled = Mapping[str, bool]
LEVEL = 0.05
NO_COMMON = "no question is settled for both"
NO_DISCORDANT = "they end alike on every question that is settled for both"
# What is left of a tail after a term so much smaller than its sum is lost in rounding.
NEGLIGIBLE = 1e-18


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs, `one` first in the order of runs.

    `reason` is why there is no difference, `p_reason` no p.

    `detectable` is the smallest difference that these questions would show at their discordance, at
    the level .05 of a single pair and with a power of .8; None with its reason.
    """

    one: str
    other: str
    n_questions: int
    n_only_one: int
    n_only_other: int
    difference: float | None
    reason: str | None
    interval: BootstrapInterval
    p: float | None
    p_reason: str | None
    p_holm: float | None
    is_told_apart: bool
    detectable: float | None
    detectable_reason: str | None


def pairs(runs: Mapping[str, Settled], *, replicates: int, seed: int) -> list[Pair]:
    """Compare every two runs that have settled answers."""
    known = [run for run in runs if runs[run]]
    if len(known) < 2:
        return []
    counts = _counts([runs[run] for run in known])
    found = [
        _pair(known[i], known[j], counts[:, i, j].tolist(), replicates, seed)
        for i, j in combinations(range(len(known)), 2)
    ]
    adjusted = holm([pair.p for pair in found])
    return [
        replace(pair, p_holm=p, is_told_apart=p is not None and p <= LEVEL)
        for pair, p in zip(found, adjusted, strict=True)
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


def exact_p(n_one: int, n_other: int) -> float:
    """Return McNemar's exact two-sided p of the discordant questions: 6 and 1 → .125.

    5 and 5 → 1.
    """
    few, all_ = min(n_one, n_other), n_one + n_other
    # The probability of exactly so few, then of each number below it.
    term = exp(lgamma(all_ + 1) - lgamma(few + 1) - lgamma(all_ - few + 1) - all_ * log(2))
    total = 0.0
    for k in range(few, -1, -1):
        total += term
        term *= k / (all_ - k + 1)
        if term <= NEGLIGIBLE * total:
            break
    return min(1.0, 2 * total)


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


def _pair(one: str, other: str, counts: Sequence[int], replicates: int, seed: int) -> Pair:
    n, (_, n_other, n_one, _) = sum(counts), counts
    reason = None if n else NO_COMMON
    smallest, too_small = power.detectable_difference(n, (n_one + n_other) / n if n else 0.0)
    return Pair(
        one=one,
        other=other,
        n_questions=n,
        n_only_one=n_one,
        n_only_other=n_other,
        difference=(n_one - n_other) / n if n else None,
        reason=reason,
        interval=_interval(counts, replicates, seed),
        p=exact_p(n_one, n_other) if n_one + n_other else None,
        p_reason=reason or (None if n_one + n_other else NO_DISCORDANT),
        p_holm=None,
        is_told_apart=False,
        detectable=smallest,
        detectable_reason=too_small,
    )


def _interval(counts: Sequence[int], replicates: int, seed: int) -> BootstrapInterval:
    n = sum(counts)
    if not n:
        return no_interval(NO_COMMON, seed)

    def difference(totals: Floats) -> Floats:
        return (totals[:, 0] - totals[:, 1]) / n

    ended = np.repeat(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), counts, axis=0)
    return bootstrap(ended, difference, replicates=replicates, seed=seed)
