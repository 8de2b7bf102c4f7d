"""Variances over questions and annotators: by hand, against the jackknife, and where there are none."""

import random
from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from stats.clustered_means import ALIKE, SINGLE
from stats.two_way_clustering import (
    detectable,
    interval,
    n_free_differences,
    p_value,
    pooled,
    two_way,
)
from stats.variance_components import FEW_PEOPLE

WITHIN = (-9, 9)


def of(table):
    """`table[question][annotator]` is a judgement or None; each weighs alike."""
    known = [
        (question, annotator, Fraction(value))
        for question, row in enumerate(table)
        for annotator, value in enumerate(row)
        if value is not None
    ]
    mean = sum(value for *_, value in known) / len(known)
    scores = [(value - mean) / len(known) for *_, value in known]
    return two_way(scores, [each[0] for each in known], [each[1] for each in known])


def test_two_questions_and_three_people_by_hand():
    """Mean 3; scores -1/6, 0, 1/6 and 1/6·(-2, 0, 2).

    Questions 0, 0; people -1/2, 0, 1/2: 3/2·1/2; cells (1 + 1 + 4 + 4)/36.
    """
    found = of([[2, 3, 4], [1, 3, 5]])

    assert found.of_questions == 0
    assert found.of_annotators == pytest.approx(3 / 4)
    assert found.of_cells == pytest.approx(10 / 36)
    assert found.variance == pytest.approx(3 / 4 - 10 / 36)
    assert found.df == 2
    assert found.share_of_annotators == 1


def test_the_variance_for_these_people_is_that_of_the_t_interval_over_questions():
    """Means 1, 2, 3, 6 of four questions by three people who always agree."""
    found = of([[value] * 3 for value in (1, 2, 3, 6)])

    assert found.of_questions == pytest.approx(np.var([1, 2, 3, 6], ddof=1) / 4)
    assert found.variance == found.of_questions
    assert found.share_of_annotators == 0
    assert found.df == pytest.approx(3)


def tables(least_questions=2, least_annotators=3):
    sizes = st.tuples(st.integers(least_questions, 5), st.integers(least_annotators, 5))
    return sizes.flatmap(
        lambda size: st.lists(
            st.lists(st.integers(1, 4), min_size=size[1], max_size=size[1]),
            min_size=size[0],
            max_size=size[0],
        )
    )


@given(tables())
def test_in_a_complete_design_the_part_of_people_is_the_jackknife_without_one_at_a_time(table):
    values = np.array(table, float)
    n = values.shape[1]
    without = [np.delete(values, each, axis=1).mean() for each in range(n)]

    jackknife = (n - 1) / n * sum((each - values.mean()) ** 2 for each in without)

    assert of(table).of_annotators == pytest.approx(jackknife, abs=1e-12)


@given(tables())
def test_the_variance_is_never_less_than_for_these_people(table):
    found = of(table)

    if found.variance is not None:
        assert found.variance >= found.of_questions
        assert found.n_annotators - 1 <= found.df <= found.n_questions + found.n_annotators - 2


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_the_judgements_changes_nothing(table, at_random):
    cells = [*product(range(len(table)), range(len(table[0])))]
    rows = [(Fraction(table[q][a], 7), q, a) for q, a in cells]
    shuffled = at_random.sample(rows, len(rows))

    assert two_way(*zip(*rows, strict=True)) == two_way(*zip(*shuffled, strict=True))


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[1, 2], [3, 4]], FEW_PEOPLE),
        ([[1, None, None], [None, 4, None]], FEW_PEOPLE),
        ([[1, 2, 3]], SINGLE),
        ([[2, 2, 2], [2, 2, 2]], ALIKE),
        ([[1], [1]], FEW_PEOPLE),
    ],
)
def test_what_cannot_be_known_is_undefined_with_the_reason(table, reason):
    found = of(table)

    assert (found.variance, found.df, found.reason) == (None, None, reason)
    assert (interval(2, found, within=WITHIN).low, p_value(1, found)) == (None, None)
    assert interval(2, found, within=WITHIN).reason == reason
    assert detectable(found) is found.share_of_annotators is None


def test_equal_thirds_are_no_variance_of_rounding():
    found = of([[Fraction(1, 3)] * 3, [Fraction(1, 3)] * 3, [Fraction(1, 3)] * 3])

    assert found.reason == ALIKE


def test_every_score_has_a_question_and_an_annotator():
    with pytest.raises(ValueError, match="one question and one annotator"):
        two_way([Fraction(1)], [1, 2], ["a"])


def test_interval_p_and_detectable_difference_are_those_of_t():
    found = of([[2, 3, 4], [1, 3, 5], [2, 2, 4]])
    error = sqrt(found.variance)

    ends = interval(1, found, within=WITHIN)

    assert ends.high == pytest.approx(1 + stats.t.ppf(0.975, found.df) * error)
    assert ends.low == pytest.approx(1 - stats.t.ppf(0.975, found.df) * error)
    assert p_value(-1, found) == pytest.approx(2 * stats.t.sf(1 / error, found.df))
    quantiles = stats.t.ppf([0.975, 0.8], found.df)
    assert detectable(found) == pytest.approx(sum(quantiles) * error)
    assert interval(1, found, within=(0.9, 1.1)).high == 1.1


# Pooled over the pairs of a measure


def three_runs(seed=0, n_questions=12, n_annotators=4):
    rng = np.random.default_rng(seed)
    people = rng.normal(0, 1, (3, 1, n_annotators))
    values = np.round(people + rng.normal(0, 1, (3, n_questions, n_annotators)), 2)
    return {
        pair: of((values[pair[0]] - values[pair[1]]).tolist()) for pair in ((0, 1), (0, 2), (1, 2))
    }


def test_a_single_pair_keeps_its_own_variance():
    own = {("a", "b"): of([[2, 3, 4], [1, 3, 5], [4, 2, 2]])}

    assert pooled(own, n_free=n_free_differences) == own


def test_of_several_pairs_each_has_at_least_what_people_make_in_all():
    own = three_runs()
    found = pooled(own, n_free=n_free_differences)
    excess = np.mean([each.of_annotators - each.of_cells for each in own.values()])
    people = np.mean([each.of_annotators for each in own.values()])

    for pair, each in found.items():
        of_people = max(own[pair].of_annotators - own[pair].of_cells, excess)
        assert each.variance == pytest.approx(each.of_questions + of_people)
        squares = each.of_questions**2 / 11 + max(own[pair].of_annotators, people) ** 2 / 6
        assert each.df == pytest.approx(min(max(each.variance**2 / squares, 3), 14))


def test_the_order_of_the_pairs_changes_nothing():
    own = three_runs(1)
    shuffled = dict(random.Random(0).sample([*own.items()], 3))

    assert pooled(shuffled, n_free=n_free_differences) == pooled(own, n_free=n_free_differences)


def test_a_pair_with_two_people_has_none_and_gives_none():
    own = {("a", "b"): of([[2, 3, 4], [1, 3, 5]]), ("a", "c"): of([[1, 4], [2, 9]])}

    found = pooled(own, n_free=n_free_differences)

    assert found == own
    assert found["a", "c"].reason == FEW_PEOPLE


def test_pairs_that_share_no_run_know_as_much_as_there_are_pairs():
    own = three_runs(2)
    apart = {("a", "b"): own[0, 1], ("c", "d"): own[0, 2]}

    found = pooled(apart, n_free=n_free_differences)["a", "b"]

    people = max(own[0, 1].of_annotators, (own[0, 1].of_annotators + own[0, 2].of_annotators) / 2)
    squares = found.of_questions**2 / 11 + people**2 / (2 * 3)
    assert found.df == pytest.approx(min(max(found.variance**2 / squares, 3), 14))
