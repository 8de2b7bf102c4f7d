"""Exact limits for how many of N have a property: by hand, by counting every case, and their coverage."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.hypergeometric import limits
from tests.cases import all_cases


def ways(y, k, drawn, of):
    return comb(k, y) * comb(of - k, drawn - y) if 0 <= y <= k and 0 <= drawn - y <= of - k else 0


def chance(y, k, drawn, of):
    return ways(y, k, drawn, of) / comb(of, drawn)


def by_counting(found, drawn, of):
    """The definition: the least and the greatest K that is possible and whose tail is above .025."""
    possible = range(found, of - (drawn - found) + 1)
    least = comb(of, drawn)  # 40 times the ways of a tail that is exactly .025
    low = next(
        k
        for k in possible
        if 40 * sum(ways(y, k, drawn, of) for y in range(found, drawn + 1)) > least
    )
    high = next(
        k
        for k in reversed(possible)
        if 40 * sum(ways(y, k, drawn, of) for y in range(found + 1)) > least
    )
    return low, high


def test_none_of_five_of_ten_may_still_be_three():
    """C(7,5)/C(10,5) = 21/252 = .083 is above .025, C(6,5)/C(10,5) = 6/252 = .024 is not."""
    assert limits(0, 5, 10) == (0, 3)
    assert limits(5, 5, 10) == (7, 10)


def test_a_tail_that_is_exactly_a_fortieth_is_not_above_it():
    """One of one drawn, of 40: P(Y = 1 | 1) is 1/40, which rounding makes more or less."""
    assert limits(1, 1, 40) == (2, 40)
    assert limits(0, 1, 40) == (0, 38)


@all_cases("drawn", range(1, 6))
@all_cases("of", [16, 40, 80])
def test_ties_with_the_level_are_as_by_counting(of, drawn):
    for found in range(drawn + 1):
        assert limits(found, drawn, of) == by_counting(found, drawn, of)


@all_cases("of", range(1, 13))
def test_every_small_case_is_as_by_counting(of):
    for drawn in range(of + 1):
        for found in range(drawn + 1):
            assert limits(found, drawn, of) == by_counting(found, drawn, of)


@pytest.mark.parametrize("case", [(7, 60, 150), (3, 55, 700), (0, 50, 900), (190, 200, 3000)])
def test_larger_cases_are_as_by_counting(case):
    assert limits(*case) == by_counting(*case)


@all_cases("k", [0, 1, 3, 10, 20, 39, 40])
def test_it_holds_the_truth_in_95_of_100_samples_at_least(k):
    """Of all samples of 12 of 40, weighed by how likely they are: no simulation."""
    held = sum(
        chance(y, k, 12, 40)
        for y in range(13)
        if chance(y, k, 12, 40) and limits(y, 12, 40)[0] <= k <= limits(y, 12, 40)[1]
    )

    assert held >= 0.95


@given(
    st.integers(1, 400).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))), st.data()
)
def test_it_holds_what_was_found_and_mirrors(drawn_of, data):
    drawn, of = drawn_of
    found = data.draw(st.integers(0, drawn))

    low, high = limits(found, drawn, of)
    other_low, other_high = limits(drawn - found, drawn, of)

    assert found <= low <= high <= of - (drawn - found)
    assert (other_low, other_high) == (of - high, of - low)


def test_where_all_were_drawn_there_is_no_width():
    assert limits(3, 8, 8) == (3, 3)


def test_where_none_was_drawn_all_is_possible():
    assert limits(0, 0, 8) == (0, 8)


def test_it_takes_numbers_as_large_as_a_data_set_s():
    """Without replacement hardly matters there: close to Clopper and Pearson's .0711 for 0 of 50."""
    low, high = limits(0, 50, 1_000_000)

    assert low == 0
    assert high / 1_000_000 == pytest.approx(0.0711, abs=1e-4)


@pytest.mark.parametrize("case", [(2, 1, 5), (1, 6, 5), (-1, 2, 5)])
def test_numbers_that_cannot_be_are_refused(case):
    with pytest.raises(ValueError, match="cannot be"):
        limits(*case)
