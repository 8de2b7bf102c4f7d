"""Means over questions: exact, and with the interval of questions drawn with all their values."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.clustered_means import (
    ALIKE,
    FINEST,
    SINGLE,
    as_integers,
    mean,
    share,
    values_by_question,
)
from stats.proportion_intervals import wilson

fractions = st.fractions(-5, 5, max_denominator=30)
tables = st.dictionaries(st.text(max_size=3), st.lists(fractions, min_size=1, max_size=4))


def mean_of(values):
    return mean(values, without="nothing is there")


@given(tables.filter(bool))
def test_the_mean_is_that_of_all_values(values):
    every = [value for each in values.values() for value in each]

    found = mean_of(values)

    assert found.value == float(sum(every) / len(every))
    assert (found.n_values, found.n_questions) == (len(every), len(values))


def test_without_values_there_is_the_reason_given():
    found = mean_of({})

    assert (found.value, found.reason, found.interval.reason) == (None, *["nothing is there"] * 2)


def test_the_t_interval_of_a_textbook():
    """Student 1908: extra sleep by two drugs, paired; mean 1.58, .70 to 2.46 by R's t.test."""
    sleep = ("1.2", "2.4", "1.3", "1.3", "0", "1", "1.8", "0.8", "4.6", "1.4")
    found = mean_of({f"{n}": [Fraction(each)] for n, each in enumerate(sleep)})

    assert found.value == pytest.approx(1.58)
    assert (found.interval.low, found.interval.high) == pytest.approx((0.7001142, 2.4598858))


def test_a_question_counts_with_all_its_values():
    """Sums 2, 9, 4 of 1, 3, 2: mean 15/6, residuals -1/2, 3/2, -1: √(3/2·3.5)/6·4.302653 = 1.643."""
    found = mean_of({"1": [2], "2": [3, 3, 3], "3": [1, 3]})

    assert found.value == 2.5
    assert found.interval.high - found.value == pytest.approx(1.64308, abs=1e-4)
    assert found.interval.n_questions == 3


def test_values_of_a_question_are_not_taken_as_independent():
    once = mean_of({f"{n}": [n % 4] for n in range(40)}).interval
    thrice = mean_of({f"{n}": [n % 4] * 3 for n in range(40)}).interval

    assert (thrice.low, thrice.high) == pytest.approx((once.low, once.high))


@pytest.mark.parametrize(
    ("values", "reason"), [({"1": [1, 3]}, SINGLE), ({"1": [2], "2": [2, 2]}, ALIKE)]
)
def test_without_a_deviation_of_questions_there_is_no_interval(values, reason):
    assert mean_of(values).interval.reason == reason


def test_an_interval_keeps_within_what_is_possible():
    values = {"1": [4], "2": [4], "3": [3]}

    wide, cut = mean_of(values).interval, mean(values, without="", within=(1, 4)).interval

    assert wide.high > 4
    assert (cut.low, cut.high) == (wide.low, 4)


def test_ten_questions_are_covered_in_about_nineteen_of_twenty_samples():
    """Where the percentile bootstrap covers 90 %: of three-part ratings, 1,000 data sets of ten."""
    rng = np.random.default_rng(3)
    ratings = rng.choice([1, 2, 3, 4], p=[0.1, 0.2, 0.3, 0.4], size=(1000, 10, 3))
    hold = 0
    for sample in ratings.tolist():
        interval = mean({f"{n}": each for n, each in enumerate(sample)}, without="").interval
        hold += interval.low <= 3 <= interval.high

    assert 930 <= hold <= 970


def test_a_share_of_questions_has_wilson_s_interval():
    found = share(dict.fromkeys(map(str, range(30)), True), without="")

    assert (found.value, found.n_questions, found.n_values) == (1, 30, 30)
    assert (found.interval.low, found.interval.high) == (wilson(30, 30).low, 1)
    assert share({}, without="nothing").reason == "nothing"


@given(st.lists(fractions, min_size=2, max_size=9), st.integers(-9, 9), st.integers(1, 5))
def test_moved_and_stretched_the_interval_moves_and_stretches_with_the_values(
    values, shift, factor
):
    there = mean_of({f"{n}": [value] for n, value in enumerate(values)})
    back = mean_of({f"{n}": [factor * value + shift] for n, value in enumerate(values)})

    assert back.value == pytest.approx(factor * there.value + shift)
    assert back.interval.reason == there.interval.reason
    if there.interval.low is not None:
        assert back.interval.low == pytest.approx(factor * there.interval.low + shift)
        assert back.interval.high == pytest.approx(factor * there.interval.high + shift)


def test_numbers_are_made_whole_by_their_common_denominator_and_rounded_only_where_it_is_huge():
    numbers, denominator = as_integers([Fraction(1, 6), Fraction(3, 4)])
    fine, finest = as_integers([Fraction(1, 10**9 + 7), Fraction(1, 3)])

    assert (numbers.tolist(), denominator) == ([2, 9], 12)
    assert (fine.tolist(), finest) == ([1, 333333333], FINEST)


def test_values_are_kept_by_question():
    assert values_by_question([("1", 2), ("2", 3), ("1", 4)]) == {"1": [2, 4], "2": [3]}
