"""Automatic measures beside people's, per answer and per system."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr

from stats import ratings
from stats.interval_coverage import OF_ANSWERS, caution_of_numbers
from stats.metric_correlation import (
    ONE_VALUE,
    TOO_FEW,
    answer_correlations,
    cautions,
    system_correlations,
)
from tests.stats.pairwise.preferences import DRAWN, rating


def ratings_and_scores(points):
    """(question, run, automatic, ratings) as ratings and scores."""
    rows = [
        rating(question, value, 4, run=run, annotator=f"{number}")
        for question, run, _, values in points
        for number, value in enumerate(values)
    ]
    return rows, {(question, run): automatic for question, run, automatic, _ in points}


def both(points):
    tau, r = answer_correlations(
        ratings_and_scores(points)[0], ratings.faithful, ratings_and_scores(points)[1], **DRAWN
    )
    return tau, r


def at_random(seed, n_questions=20, n_runs=3):
    rng = np.random.default_rng(seed)
    return [
        (f"q{q}", f"r{r}", float(rng.integers(0, 9)), rng.integers(1, 5, size=2).tolist())
        for q in range(n_questions)
        for r in range(n_runs)
    ]


@given(st.integers(0, 10_000))
def test_coefficients_of_answers_are_scipy_s(seed):
    points = at_random(seed, n_questions=5)
    human = [sum(values) / 2 for *_, values in points]
    automatic = [each[2] for each in points]

    tau, r = both(points)

    assert tau.value == pytest.approx(kendalltau(human, automatic).statistic)
    assert r.value == pytest.approx(pearsonr(human, automatic).statistic)
    assert (tau.n_answers, tau.n_questions) == (15, 5)


def test_an_interval_is_that_of_questions_drawn_one_by_one():
    """The same draws, each made into a data set, and scipy's coefficients of it."""
    points = at_random(4, n_questions=8)
    drawn = np.random.default_rng(0).multinomial(8, [1 / 8] * 8, size=1000)
    values = []
    for times in drawn.tolist():
        rows = [each for q, n in enumerate(times) for each in points[3 * q : 3 * q + 3] * n]
        human, automatic = [sum(each[3]) / 2 for each in rows], [each[2] for each in rows]
        values.append(
            (kendalltau(human, automatic).statistic, pearsonr(human, automatic).statistic)
        )

    for found, column in zip(both(points), np.array(values).T, strict=True):
        ends = np.percentile(column, [2.5, 97.5])
        assert (found.interval.low, found.interval.high) == pytest.approx(tuple(ends))


def test_an_answer_of_two_runs_is_one_point():
    rows, scored = ratings_and_scores(
        [("1", "A", 1.0, [1]), ("1", "B", 2.0, [4]), ("2", "A", 3.0, [3])]
    )
    twin = rating("1", 4, 4, run="C")
    twin = type(twin)(**{name: getattr(twin, name) for name in twin.__slots__} | {"answer": "1 B"})

    found = answer_correlations(
        [*rows, twin], ratings.faithful, scored | {("1", "C"): 2.0}, **DRAWN
    )

    assert found[0].n_answers == 3


def test_answers_without_one_of_both_are_left_out():
    rows, scored = ratings_and_scores(
        [("1", "A", 1.0, [1]), ("1", "B", None, [4]), ("2", "A", 3.0, [3])]
    )

    tau, _ = answer_correlations(
        [*rows, rating("2", None, 4, run="B")], ratings.faithful, scored, **DRAWN
    )

    assert (tau.n_answers, tau.value) == (2, 1)


def test_what_is_undefined_has_a_reason():
    assert {each.reason for each in both([("1", "A", 1.0, [1])])} == {TOO_FEW}
    assert {each.reason for each in both([])} == {TOO_FEW}
    flat = both([(f"{n}", "A", 1.0, [n % 4 + 1]) for n in range(5)])
    assert {each.reason for each in flat} == {ONE_VALUE}
    assert flat[0].interval.reason == ONE_VALUE
    assert system_correlations([], ratings.faithful, {}) == []


def test_systems_are_ranked_by_their_means():
    points = [
        (f"{question}", run, automatic + question % 3, [level])
        for question in range(12)
        for run, automatic, level in (("A", 0.1, 1), ("B", 0.2, 2), ("C", 0.3, 4))
    ]

    found = system_correlations(
        ratings_and_scores(points)[0], ratings.faithful, ratings_and_scores(points)[1]
    )

    assert [each.coefficient for each in found] == ["kendall_tau_b", "pearson"]
    assert found[0].value == 1
    assert found[1].value == pytest.approx(pearsonr([0.1, 0.2, 0.3], [1, 2, 4]).statistic)
    assert found[0].n_runs == 3


def test_an_interval_says_on_how_many_questions_it_rests():
    for found in both(at_random(9, n_questions=7)):
        assert (found.interval.n_questions, found.interval.n_replicates) == (7, 1000)
        assert found.interval.seed == DRAWN["seed"]


def test_each_coefficient_is_cautioned_of_by_what_was_measured_of_it():
    found = [*both(at_random(9, n_questions=40)), *both(at_random(8, n_questions=40))]

    assert cautions(found) == [
        caution_of_numbers([40, 40], OF_ANSWERS["kendall_tau_b"], "Kendall coefficient"),
        caution_of_numbers([40, 40], OF_ANSWERS["pearson"], "Pearson coefficient"),
    ]
    assert cautions(both([])) == []


def test_order_changes_nothing():
    points = at_random(9)

    assert both(points[::-1]) == both(points)
