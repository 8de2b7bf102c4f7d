"""Variance components are recovered from incomplete tables, and undefined where they cannot be told."""

import numpy as np
import pytest

from stats.variance_components import (
    FEW_PEOPLE,
    FEW_QUESTIONS,
    NO_REPEATS,
    NO_TABLE,
    NOT_SEPARABLE,
    Components,
    Value,
    estimate,
)
from tests.cases import all_cases


def complete(rows: list[list[float]]) -> list[Value]:
    return [Value(str(i), str(j), y) for i, row in enumerate(rows) for j, y in enumerate(row)]


def simulated(n_questions, n_people, per_question, sds, rng):
    """Values of questions that are each judged by a few people drawn by lot."""
    of_questions, of_people = rng.normal(0, sds[0], n_questions), rng.normal(0, sds[1], n_people)
    return [
        Value(str(i), str(j), 1 + of_questions[i] + of_people[j] + rng.normal(0, sds[2]))
        for i in range(n_questions)
        for j in rng.choice(n_people, per_question, replace=False)
    ]


def test_a_complete_table_has_the_components_of_the_analysis_of_variance():
    """By hand: the mean squares are 24 of questions, 2 of people, 0 of the rest; (24 - 0) / 3, (2 - 0) / 2."""
    found = estimate([complete([[5, 4, 6], [1, 0, 2]])])

    assert found.components == Components(questions=8.0, people=1.0, rest=0.0)
    assert (found.n_questions, found.n_people, found.n_values, found.n_tables) == (2, 3, 6, 1)


def test_a_table_of_shrout_and_fleiss_has_their_components():
    """Shrout & Fleiss 1979, Psychological Bulletin 86:420-428, table 2: 6 targets, 4 judges; mean
    squares 11.24 between targets, 32.49 between judges, 1.02 of the rest."""
    rows = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]

    found = estimate([complete(rows)]).components

    assert found is not None
    assert found.questions == pytest.approx((11.24 - 1.02) / 4, abs=0.005)
    assert found.people == pytest.approx((32.49 - 1.02) / 6, abs=0.005)
    assert found.rest == pytest.approx(1.02, abs=0.005)


def test_estimates_from_incomplete_tables_have_the_true_components_as_their_mean():
    rng = np.random.default_rng(3)

    found = estimate(simulated(40, 8, 3, (0.7, 0.4, 1.0), rng) for _ in range(150)).components

    assert found is not None
    assert found.questions == pytest.approx(0.49, abs=0.06)
    assert found.people == pytest.approx(0.16, abs=0.03)
    assert found.rest == pytest.approx(1.0, abs=0.05)


def test_an_estimate_below_0_is_0():
    """The people's means are alike, so their mean square is less than that of the rest."""
    found = estimate([complete([[1, 2, 3], [3, 1, 2], [2, 3, 1]])]).components

    assert found == Components(questions=0.0, people=0.0, rest=1.5)


def test_the_order_and_the_level_of_values_do_not_matter():
    table = simulated(6, 4, 3, (1, 1, 1), np.random.default_rng(1))
    shifted = [Value(q, a, y + 1000) for q, a, y in reversed(table)]

    one, other = estimate([table]).components, estimate([shifted]).components

    assert one is not None
    assert other is not None
    assert other.people == pytest.approx(one.people)
    assert other.rest == pytest.approx(one.rest)


def test_several_values_of_a_person_on_a_question_count_as_their_mean():
    table = complete([[5, 4, 6], [1, 0, 2]])
    twice = [*table[1:], Value("0", "0", 3), Value("0", "0", 7)]

    assert estimate([twice]).components == estimate([table]).components


@all_cases(
    ("table", "why"),
    [
        ([], NO_TABLE),
        (complete([[1, 2], [3, 4], [5, 6]]), FEW_PEOPLE),
        (complete([[1, 2, 3, 4]]), FEW_QUESTIONS),
        ([Value(str(i), str(i % 3), i) for i in range(9)], NO_REPEATS),
        ([Value(str(i % 3), str(i), i) for i in range(9)], NOT_SEPARABLE),
        # Two questions judged by one pair of people, and two by another: never by both.
        ([Value(q, a, 1.0) for q, a in ("1a", "1b", "1c", "2d", "2e", "2f")], NOT_SEPARABLE),
    ],
)
def test_components_that_cannot_be_told_are_undefined_with_the_reason(table, why):
    found = estimate([table])

    assert (found.components, found.reason) == (None, why)


def test_no_tables_have_no_components():
    assert estimate([]).reason == NO_TABLE


def test_tables_without_components_are_left_out_of_the_mean():
    found = estimate([complete([[5, 4, 6], [1, 0, 2]]), complete([[1, 2], [3, 4]])])

    assert found.components == Components(8.0, 1.0, 0.0)
    assert found.n_tables == 1


def test_a_variance_below_0_is_refused():
    with pytest.raises(ValueError, match="a variance is not below 0"):
        Components(1, -1, 1)
