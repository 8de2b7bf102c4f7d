"""Means over questions: exact, and with the interval of questions drawn with all their values."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.bootstrap import replicate_totals
from stats.clustered_means import FINEST, as_integers, mean, values_by_question
from tests.stats.pairwise.preferences import DRAWN

fractions = st.fractions(-5, 5, max_denominator=30)
tables = st.dictionaries(st.text(max_size=3), st.lists(fractions, min_size=1, max_size=4))


def mean_of(values):
    return mean(values, without="nothing is there", **DRAWN)


@given(tables.filter(bool))
def test_the_mean_is_that_of_all_values(values):
    every = [value for each in values.values() for value in each]

    found = mean_of(values)

    assert found.value == float(sum(every) / len(every))
    assert (found.n_values, found.n_questions) == (len(every), len(values))


def test_without_values_there_is_the_reason_given():
    found = mean_of({})

    assert (found.value, found.reason, found.interval.reason) == (None, *["nothing is there"] * 2)


@pytest.mark.parametrize("shift", [0, 2, -3, Fraction(-7, 2)])
def test_the_interval_draws_questions_with_all_their_values(shift):
    """Against the same draws, by how often each of unlike questions comes up."""
    rng = np.random.default_rng(1)
    sizes = rng.integers(1, 4, size=25)
    values = {
        f"{n:02}": [Fraction(int(each), 7) + shift for each in rng.integers(0, 28, size=size)]
        for n, size in enumerate(sizes)
    }
    sums = [sum(each) for each in values.values()]
    rows = sorted((float(total), int(size)) for total, size in zip(sums, sizes, strict=True))
    patterns, counts = np.unique(rows, axis=0, return_counts=True)
    n = len(values)
    times = np.random.default_rng(0).multinomial(n, counts / n, size=1000)
    drawn = (times @ patterns[:, 0]) / (times @ patterns[:, 1])

    found = mean_of(values).interval

    assert n == found.n_questions
    # Another order of equal patterns is another draw: close, not the same.
    assert (found.low, found.high) == pytest.approx(
        tuple(np.percentile(drawn, [2.5, 97.5])), abs=0.12
    )
    assert found.low < mean_of(values).value < found.high


@given(st.lists(fractions, min_size=2, max_size=9), st.integers(-9, 9), st.integers(1, 5))
def test_moved_and_stretched_the_interval_moves_and_stretches_with_the_values(
    values, shift, factor
):
    """Of one value a question, whose order stays, so that the same ones are drawn."""
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


def test_the_draws_are_those_of_the_bootstrap():
    """Two unlike questions: the pattern of the smaller sum comes first."""
    totals = replicate_totals(np.array([[1, 1], [3, 1]]), replicates=1000, seed=0)
    low, high = np.percentile(totals[:, 0] / totals[:, 1], [2.5, 97.5])

    found = mean_of({"1": [1], "2": [3]}).interval

    assert (found.low, found.high) == (low, high)
