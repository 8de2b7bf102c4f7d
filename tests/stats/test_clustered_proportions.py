"""Shares and differences of questions that come in clusters."""

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.clustered_means import mean
from stats.clustered_proportions import ClusterSums, share_interval
from stats.clusters import SINGLE_CLUSTER as SINGLE
from stats.distributions import student_t_quantile
from stats.paired_proportions import NO_CLUSTER_APART, pairs
from stats.power import detectable_difference
from stats.proportion_intervals import Z, tango, wilson
from stats.sign_flip import sign_flip
from stats.two_step_rates import Steps, rate_interval, two_step_pairs

DRAWN = {"replicates": 1000, "seed": 0}


def first(question):
    """The cluster of a question: a1 and a2 are of a."""
    return question[0]


def outcomes(**clusters):
    """The outcomes of questions by cluster: a="110" are a0, a1, a2."""
    return {
        f"{name}{place}": end == "1"
        for name, ends in clusters.items()
        for place, end in enumerate(ends)
    }


ALIKE = outcomes(a="111", b="000", c="110", d="111")


def of(outcomes):
    return ClusterSums.of((first(each), int(holds)) for each, holds in outcomes.items())


def test_the_design_effect_by_hand():
    """Σ (s - 2n/3)² = 1 + 4 + 0 + 1 = 6, so 4/3·6/144 by clusters; 12·2/9 / (12·11) apart."""
    assert of(ALIKE).design_effect == pytest.approx((4 / 3 * 6 / 144) / (12 * 2 / 9 / (12 * 11)))


def test_it_is_the_variance_of_a_ratio_over_clusters():
    """At deff · p(1 - p) / (N - 1) the t interval of `clustered_means` comes out."""
    values = {"a": [1, 1, 1], "b": [0, 0, 0], "c": [1, 1, 0], "d": [1, 1, 1]}
    interval = mean(values, without="").interval

    variance = (of(ALIKE).design_effect or 0) * (2 / 9) / 11

    t = student_t_quantile(0.975, 3)
    assert interval.high == pytest.approx(2 / 3 + t * sqrt(variance))


def test_a_share_has_wilsons_interval_with_t_and_the_design_effect():
    deff = of(ALIKE).design_effect

    found = share_interval(ALIKE, first)

    z = student_t_quantile(0.975, 3) * sqrt(deff)
    assert found == wilson(8, 12, z)
    assert found.low < wilson(8, 12).low < wilson(8, 12).high < found.high


@given(st.integers(0, 30), st.integers(1, 30))
def test_with_one_question_a_cluster_nothing_changes(k, n):
    ends = {str(place): place < k for place in range(n)}

    assert (
        share_interval(ends)
        == share_interval(ends, lambda each: f"{each}_")
        == wilson(min(k, n), n)
    )


def test_questions_of_a_cluster_that_all_end_alike_count_as_one():
    same = outcomes(a="111", b="11", c="1")

    assert of(same).design_effect == 2
    assert share_interval(same, first).high == 1


def test_unlike_turns_are_never_worth_more_than_independent_ones():
    assert of(outcomes(a="10", b="10", c="01")).design_effect == 1


def test_a_single_cluster_has_no_interval_and_no_test():
    one, other = outcomes(a="111"), outcomes(a="100")
    (pair,) = pairs({"one": one, "other": other}, first)

    assert share_interval(one, first).reason == SINGLE
    assert (pair.interval.reason, pair.p, pair.p_reason) == (SINGLE, None, SINGLE)
    assert (pair.detectable_reason, pair.design_effect, pair.n_clusters) == (SINGLE, None, 1)
    assert pair.difference == pytest.approx(2 / 3)


def test_a_pair_is_tested_by_whole_clusters():
    """Sums 3, -1, 1, 2 of a to d: of sixteen choices of signs six have |Σ| >= 5."""
    one = outcomes(a="111", b="000", c="110", d="111")
    other = outcomes(a="000", b="100", c="010", d="100")
    (pair,) = pairs({"one": one, "other": other}, first)

    z = ClusterSums((3, -1, 1, 2), (3, 3, 3, 3), 7).critical_value
    assert pair.p == sign_flip([3, -1, 1, 2], seed=0).p == 6 / 16
    assert pair.interval == tango(6, 1, 12, z)
    assert (pair.n_questions, pair.n_clusters) == (12, 4)
    assert (pair.detectable, pair.detectable_reason) == detectable_difference(
        12 / pair.design_effect, 7 / 12
    )


def test_where_each_cluster_speaks_for_both_there_is_nothing_to_test():
    (pair,) = pairs({"one": outcomes(a="10", b="01"), "other": outcomes(a="01", b="10")}, first)

    assert (pair.difference, pair.p, pair.p_reason) == (0, None, NO_CLUSTER_APART)


def test_common_questions_of_a_cluster_each_are_tested_as_independent_ones():
    one, other = outcomes(a="11", b="10", c="1"), outcomes(a="0", b="0", c="1")

    (pair,) = pairs({"one": one, "other": other}, first)

    assert pair.interval == tango(2, 0, 3, Z)
    assert pair.n_clusters == 3


def test_a_product_of_shares_draws_clusters():
    """Three alike questions of each of ten clusters are as one question of each, drawn thrice."""
    ends = [Steps(False), Steps(True, True), Steps(True, False), Steps(True), Steps(True, True)] * 2
    single = {f"{place}": end for place, end in enumerate(ends)}
    thrice = {f"{place}{turn}": end for place, end in enumerate(ends) for turn in "abc"}

    found = rate_interval(thrice, cluster=first, **DRAWN)

    assert (found.low, found.high) == pytest.approx(
        (rate_interval(single, **DRAWN).low, rate_interval(single, **DRAWN).high)
    )
    assert rate_interval(thrice, **DRAWN).low > found.low
    other = dict.fromkeys(thrice, Steps(True, False))
    (pair,) = two_step_pairs({"one": thrice, "other": other}, cluster=first, **DRAWN)
    (alone,) = two_step_pairs(
        {"one": single, "other": dict.fromkeys(single, Steps(True, False))}, **DRAWN
    )
    assert (pair.n_clusters, pair.interval.low) == (10, pytest.approx(alone.interval.low))
