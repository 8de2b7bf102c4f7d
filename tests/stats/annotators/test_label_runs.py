"""Runs of one key against what the prevalence explains."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.annotators.label_runs import Run, longest_run, run_probability

chances = st.lists(st.floats(0, 1), min_size=1, max_size=10)


def by_counting(length: int, chances: list[float]) -> float:
    """Over every outcome of the trials."""
    total = 0.0
    for outcome in itertools.product([True, False], repeat=len(chances)):
        run = max((len(list(g)) for hit, g in itertools.groupby(outcome) if hit), default=0)
        if run >= length:
            weight = 1.0
            for hit, chance in zip(outcome, chances, strict=True):
                weight *= chance if hit else 1 - chance
            total += weight
    return total


@given(length=st.integers(1, 10), chances=chances)
def test_the_chance_is_that_of_counting_every_outcome(length, chances):
    assert run_probability(length, chances) == pytest.approx(
        by_counting(length, chances), abs=1e-12
    )


def test_the_chance_in_fair_coins_is_the_published_one():
    """Schilling 1990, table 1: of 2^10 outcomes of ten tosses 504 have a longest run of at least 3... heads:
    a(n) with no run of three is 2, 4, 7, 13, 24, 44, 81, 149, 274, 504 (tribonacci)."""
    assert run_probability(3, [0.5] * 10) == pytest.approx(1 - 504 / 1024)


def test_an_honest_run_of_21_in_100_at_nine_in_ten_is_to_be_expected():
    """The mean longest run is 26.9; 21 or more come in 73 of 100 honest people, 61 in 8 of 1,000."""
    assert run_probability(21, [0.9] * 100) == pytest.approx(0.7252799761)
    assert run_probability(61, [0.9] * 100) == pytest.approx(0.0079248154)
    mean = sum(run_probability(length, [0.9] * 100) for length in range(1, 101))
    assert mean == pytest.approx(26.928, abs=0.001)


@given(chances=chances)
def test_longer_runs_are_rarer(chances):
    rarer = [run_probability(length, chances) for length in range(len(chances) + 2)]

    assert rarer == sorted(rarer, reverse=True)
    assert (rarer[0], rarer[-1]) == (1, 0)


def test_the_longest_run_is_the_first_of_the_longest():
    assert longest_run(["a", "b", "b", "a", "a", "c"]) == Run("b", 2, 1)
    assert longest_run(["a"]) == Run("a", 1, 0)
    assert longest_run([]) is None
