"""Rates of questions that were drawn with unequal inclusion probabilities, for all questions.

With the weight w = 1/π of a question's answer, π the probability that it was asked about, and both steps of
`stats.two_step_rates` (a rate of one step is one whose second always passes),

    P = Σ w·(passes the first) / Σ w
    F = Σ w·(passes the second) / Σ w·(passes the first, second settled)
    rate = P·F                                                        (Hájek 1971)

Its variance is that of the sums u of conversations, or other clusters, C / (C - 1) · Σ u², by Taylor's series:

    u = Σ [ F·w·(passes the first - P) / Σ w  +  P·w·(passes the second - F, where it is settled) / Σ w·(settled) ]

The interval is Wilson's with z = t·√deff, t with C - 1 degrees of freedom, and deff the variance by that of
as many independent questions of one weight, at least 1 (Korn & Graubard 1998, Survey Methodology 24:193-201); where
all end alike n·Σ (a cluster's weights)² / (Σ w)². Where the second step is open for some, it is rate ± t·√V.

Right: 1 of weight 1 accepted, 1 of weight 3 not → 1/4. Wrong: 1/2, which is of the drawn questions.

Undefined: as of the rate that is not weighted; a single cluster of several questions has no interval.
"""

from dataclasses import dataclass
from math import fsum, sqrt

from stats.clustered_means import SINGLE
from stats.clusters import SINGLE_CLUSTER, Cluster, itself
from stats.proportion_intervals import Interval, wilson
from stats.two_step_rates import Questions, Weights, counts, rate_linear_variance, shares


@dataclass(frozen=True, slots=True)
class WeightedRate:
    """A rate, or None with the reason; the interval has its own reason."""

    value: float | None
    reason: str | None
    interval: Interval


def weighted_rate(
    questions: Questions, weights: Weights, cluster: Cluster = itself
) -> WeightedRate:
    """Return the rate. KeyError for a question without a weight.

    >>> from stats.two_step_rates import Steps
    >>> weighted_rate({"1": Steps(True, True), "2": Steps(False)}, {"1": 1.0, "2": 3.0}).value
    0.25
    """
    found = counts(questions)
    if found.reason:
        return WeightedRate(None, found.reason, Interval(None, None, found.reason))
    p, f = shares(questions, weights)
    return WeightedRate(p * f, None, _interval(p * f, questions, weights, cluster))


def _interval(value: float, questions: Questions, weights: Weights, cluster: Cluster) -> Interval:
    from stats.distributions import student_t_quantile  # noqa: PLC0415  scipy: only where a job counts

    n_clusters = len({cluster(question) for question in questions})
    if n_clusters == 1:
        return Interval(None, None, SINGLE_CLUSTER if len(questions) > 1 else SINGLE)
    t = student_t_quantile(0.975, n_clusters - 1)
    variance = rate_linear_variance(questions, cluster, weights)
    if counts(questions).is_complete:
        deff = _design_effect(value, variance, questions, weights, cluster)
        return wilson(value * len(questions), len(questions), t * sqrt(deff))
    distance = t * sqrt(variance)
    return Interval(max(0.0, value - distance), min(1.0, value + distance))


def _design_effect(
    value: float, variance: float, questions: Questions, weights: Weights, cluster: Cluster
) -> float:
    n = len(questions)
    if 0 < value < 1:
        return max(1.0, variance / (value * (1 - value) / (n - 1)))
    sums: dict[str, list[float]] = {}
    for question in questions:
        sums.setdefault(cluster(question), []).append(weights[question])
    of_clusters = [fsum(each) for each in sums.values()]
    return n * fsum(each**2 for each in of_clusters) / fsum(of_clusters) ** 2
