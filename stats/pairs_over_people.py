"""Differences of rates for people like those who judged.

The variance of a pair's difference is that over questions with what people make of it
(`stats.people_of_rates`), pooled over the pairs of a measure (`stats.two_way_clustering`): with few
people a pair's own is too small by chance. p is that of |d| / √V with the degrees of freedom of V, and never less
than that for the people who judged. Holm's step-down is over the p that then stand.

A pair that is not tested, because it is open on which questions the runs differ (`stats.two_step_rates`), has an
interval of its difference ± t·√V; its variance over questions is given.

The smallest difference that is detected is (t(.975) + t(.8))·√V, at most as many as are discordant,
and never less than that for the people who judged.

A pair with fewer than three annotators keeps p for those who judged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from stats.paired_proportions import Pair, with_holm
from stats.people_of_rates import Bools, Scores, Votes, difference_interval, difference_variance
from stats.power import TOO_FEW
from stats.proportion_intervals import Interval
from stats.two_way_clustering import (
    TwoWay,
    detectable,
    interval,
    n_free_differences,
    p_value,
    pooled,
)

Weights = Mapping[str, float]


def over_people(
    pairs: Sequence[Pair],
    votes: Votes,
    weights: Mapping[str, Weights],
    asked: Mapping[str, Bools],
    open_variances: Mapping[tuple[str, str], float] | None = None,
) -> list[Pair]:
    """Return the pairs for people like those who judged.

    `weights` has of each run that of each step of its votes, `asked` the cells of the questions that it was asked
    about, `open_variances` of each open pair that of its difference over questions.
    """
    own = {
        (pair.one, pair.other): difference_variance(
            pair.n_only_one, pair.n_only_other, pair.n_questions, pair.design_effect
        )
        for pair in pairs
        if pair.n_only_one is not None and pair.n_only_other is not None and pair.design_effect
    } | dict(open_variances or {})
    variances = pooled(
        {
            (pair.one, pair.other): votes.variance(
                _difference(pair, votes, weights, asked),
                own[pair.one, pair.other],
                pair.n_clusters,
            )
            for pair in pairs
            if (pair.one, pair.other) in own
        },
        n_free=n_free_differences,
    )
    return with_holm(
        _with_people(pair, of)
        if (of := variances.get((pair.one, pair.other)))
        else _undefined(pair)
        for pair in pairs
    )


def _difference(
    pair: Pair, votes: Votes, weights: Mapping[str, Weights], asked: Mapping[str, Bools]
) -> Scores:
    within = asked[pair.one] & asked[pair.other]
    one, other = (votes.scores(run, weights[run], within) for run in (pair.one, pair.other))
    return one.less(other)


def _undefined(pair: Pair) -> Pair:
    reason = pair.reason or pair.interval.reason
    return replace(pair, people_interval=Interval(None, None, reason), p_these_people=pair.p)


def _with_people(pair: Pair, of: TwoWay) -> Pair:
    found = replace(
        pair,
        n_annotators=of.n_annotators,
        people_interval=_interval(pair, of),
        share_of_people=of.share_of_annotators,
        p_these_people=pair.p,
    )
    of_people = None if pair.p is None else p_value(pair.difference or 0.0, of)
    if of_people is None or pair.p is None:
        return found
    p = max(of_people, pair.p)
    smallest, reason = _detectable(pair, of)
    return replace(
        found, p=p, p_people=p, p_of="like them", detectable=smallest, detectable_reason=reason
    )


def _interval(pair: Pair, of: TwoWay) -> Interval:
    if pair.n_only_one is None or pair.n_only_other is None or pair.design_effect is None:
        return interval(pair.difference or 0.0, of, within=(-1, 1))
    return difference_interval(
        pair.n_only_one, pair.n_only_other, pair.n_questions, pair.design_effect, of
    )


def _detectable(pair: Pair, of: TwoWay) -> tuple[float | None, str | None]:
    smallest = detectable(of)
    if pair.detectable is None or smallest is None:
        return None, pair.detectable_reason
    discordance = ((pair.n_only_one or 0) + (pair.n_only_other or 0)) / pair.n_questions
    found = max(smallest, pair.detectable)
    return (found, None) if found <= discordance else (None, TOO_FEW)
