"""Can we tell them apart: paired differences by question, their p, Holm, and what could have been seen."""

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from stats import ratings as rating_stats
from stats.clusters import SINGLE_CLUSTER
from stats.multiplicity import holm
from stats.pairwise.pairwise_tests import NO_COMMON, ONE_QUESTION, preference_tests, rating_tests
from stats.pairwise.records import Preference
from stats.power import TOO_LARGE, detectable_mean_difference
from stats.sign_flip import NEVER_APART
from tests.stats.pairwise.preferences import (
    RUNS,
    at_random,
    compared,
    mirrored,
    rating,
    renamed,
    tournaments,
)


def ratings(table):
    """`table[run]` has a list of faithful ratings for each question; None is no question."""
    return [
        rating(f"{question}", value, 4, run=run, annotator=f"{annotator}")
        for run, questions in table.items()
        for question, values in enumerate(questions)
        for annotator, value in enumerate(values or [])
    ]


def pair(rows, measure=rating_stats.faithful):
    (found,) = rating_tests(rows, measure, runs=("A", "B"), seed=0).pairs
    return found


def test_the_worked_example():
    found = pair(ratings({"A": [[4], [3], [4]], "B": [[2], [3], [1]]}))

    assert found.difference == pytest.approx(5 / 3)
    assert (found.p, found.is_exact, found.n_questions) == (0.5, True, 3)


def test_each_question_counts_once_however_many_rated_it():
    found = pair(ratings({"A": [[4, 4, 4], [1]], "B": [[2], [2, 2]]}))

    assert found.difference == pytest.approx((2 - 1) / 2)


def test_only_questions_that_both_were_rated_on_count():
    found = pair(ratings({"A": [[4], [1], None], "B": [[3], None, [1]]}))

    assert (found.n_questions, found.difference) == (1, 1)
    assert found.interval.reason == found.detectable_reason == ONE_QUESTION


def test_a_single_question_or_conversation_tests_nothing():
    rows = ratings({"A": [[4], [4]], "B": [[3], [2]]})

    (of_turns,) = rating_tests(
        rows, rating_stats.faithful, runs=("A", "B"), seed=0, cluster=lambda _: "all"
    ).pairs
    of_one = pair(ratings({"A": [[4]], "B": [[3]]}))

    assert (of_turns.p, of_turns.p_reason, of_turns.p_holm) == (None, SINGLE_CLUSTER, None)
    assert (of_one.p, of_one.p_reason) == (None, ONE_QUESTION)


def test_no_difference_is_detectable_that_cannot_be():
    """Three people who see two questions as unlike as can be would have to differ by more than 3."""
    found = pair(ratings({"A": [[4, 1, 4], [1, 4, 1]], "B": [[1, 4, 1], [4, 1, 4]]}))

    assert found.p_of == "like them"
    assert (found.detectable, found.detectable_reason) == (None, TOO_LARGE)


def test_unanswerable_questions_count_for_none():
    rows = [rating("u", 4, 4, run="A", is_answerable=False), rating("u", 1, 1, run="B")]

    assert pair(rows).reason == NO_COMMON


def test_without_a_common_question_nothing_is_said():
    found = pair(ratings({"A": [[4], None], "B": [None, [4]]}))

    assert (found.difference, found.p, found.detectable) == (None, None, None)
    assert found.reason == found.p_reason == found.detectable_reason == NO_COMMON


def test_runs_that_never_differ_have_a_difference_of_0_and_no_p():
    found = pair(ratings({"A": [[4], [2]], "B": [[4], [2]]}))

    assert (found.difference, found.p, found.p_reason) == (0, None, NEVER_APART)
    assert found.detectable is None
    assert not found.is_told_apart


def test_both_is_taken_of_each_rating_before_it_is_averaged():
    rows = [
        rating("1", 4, 1, run="A"),
        rating("1", 1, 4, run="A", annotator="2"),
        rating("1", 2, 3, run="B"),
    ]

    found = pair(rows, rating_stats.both)

    assert found.difference == pytest.approx(float(Fraction(8, 5) - Fraction(12, 5)))


def test_by_preference_a_question_is_what_was_won_less_what_was_lost():
    (ab, ac, bc) = preference_tests(
        compared({"1": {"AB": "AAB", "AC": "A=C"}, "2": {"AB": "B=="}}), runs=RUNS, seed=0
    ).pairs

    assert ab.difference == pytest.approx((1 / 3 - 1 / 3) / 2)
    assert (ac.difference, ac.p_reason) == (0, NEVER_APART)
    assert bc.reason == NO_COMMON


def test_a_comparison_of_an_unknown_run_is_refused():
    with pytest.raises(ValueError, match="not among"):
        preference_tests(compared({"1": {"AB": "A"}}), runs=("A", "C"), seed=0)


def test_holm_is_over_all_pairs_of_a_measure():
    found = preference_tests(at_random(2, n_questions=12), runs=RUNS, seed=0).pairs

    assert [each.p_holm for each in found] == holm([each.p for each in found])
    assert [each.is_told_apart for each in found] == [each.p_holm <= 0.05 for each in found]


def test_ten_questions_for_one_of_two_tell_them_apart():
    (found,) = preference_tests(
        compared({f"{n}": {"AB": "A"} for n in range(10)}), runs=("A", "B"), seed=0
    ).pairs

    assert found.p == found.p_holm == pytest.approx(2 / 2**10)
    assert found.is_told_apart


@given(tournaments())
def test_neither_order_nor_sides_nor_names_change_it(rows):
    there = preference_tests(rows, runs=RUNS, seed=0)
    names = dict(zip(RUNS, ("z", "y", "x"), strict=True))
    other = preference_tests(renamed(rows, names), runs=("z", "y", "x"), seed=0).pairs

    assert preference_tests(random.Random(0).sample(rows, len(rows)), runs=RUNS, seed=0) == there
    assert preference_tests(mirrored(rows), runs=RUNS, seed=0) == there
    assert [(each.difference, each.p_holm, each.interval) for each in other] == [
        (each.difference, each.p_holm, each.interval) for each in there.pairs
    ]


@given(tournaments())
def test_the_other_way_round_only_the_sign_changes(rows):
    there = preference_tests(rows, runs=("A", "B", "C"), seed=0).pairs[0]
    back = preference_tests(rows, runs=("B", "A", "C"), seed=0).pairs[0]

    assert back.difference == (None if there.difference is None else -there.difference)
    assert (back.p, back.n_questions, back.detectable) == (
        there.p,
        there.n_questions,
        there.detectable,
    )


def test_what_could_have_been_seen_is_by_the_deviation_of_the_questions():
    values = [[4], [2], [3], [1], [4], [4]]
    found = pair(ratings({"A": values, "B": [[2]] * 6}))

    deviation = np.std([2, 0, 1, -1, 2, 2], ddof=1)
    assert found.detectable == pytest.approx(2.80159 * deviation / 6**0.5, rel=1e-5)
    assert detectable_mean_difference(100, 1.0)[0] == pytest.approx(0.280159, rel=1e-5)


def test_in_simulated_studies_that_difference_is_found_about_four_times_in_five():
    rng = np.random.default_rng(3)
    n, unlike = 60, 1.0
    smallest, _ = detectable_mean_difference(n, unlike)
    rows = rng.normal(smallest, unlike, size=(400, n))
    deviations = rows.std(axis=1, ddof=1)

    found = np.abs(rows.mean(axis=1)) > 1.96 * deviations / n**0.5

    assert 0.74 < found.mean() < 0.86


def test_two_runs_of_the_same_answer_are_never_compared_and_never_told_apart():
    rows = [Preference(f"{n}", "j", "a", run, "C", "left") for n in range(10) for run in ("A", "B")]

    ab, ac, bc = preference_tests(rows, runs=RUNS, seed=0).pairs

    assert (ab.reason, ab.is_told_apart) == (NO_COMMON, False)
    assert ac.is_told_apart
    assert bc.is_told_apart
