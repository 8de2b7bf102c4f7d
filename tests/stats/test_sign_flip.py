"""The permutation test over questions: counted out, against listing all choices and against McNemar's."""

from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats import sign_flip as testing
from stats.sign_flip import NEVER_APART, sign_flip


def enumerated_p_value(numbers):
    known = [each for each in numbers if each]
    sums = [abs(sum(map(int.__mul__, known, flip))) for flip in product((1, -1), repeat=len(known))]
    return sum(each >= abs(sum(known)) for each in sums) / len(sums)


def test_four_questions_by_hand():
    assert sign_flip([1, 1, 1, -1], seed=0).p == 10 / 16


@given(st.lists(st.integers(-40, 40), max_size=11))
def test_it_is_what_all_choices_of_signs_give(numbers):
    found = sign_flip(numbers, seed=0)

    assert found.is_exact
    if any(numbers):
        assert found.p == pytest.approx(enumerated_p_value(numbers))
    else:
        assert (found.p, found.reason) == (None, NEVER_APART)


@given(st.integers(0, 60), st.integers(0, 60))
def test_of_ones_it_is_the_exact_form_of_mcnemar_s_test(b, c):
    if b + c:
        tail = sum(comb(b + c, k) for k in range(min(b, c) + 1)) / 2 ** (b + c)
        assert sign_flip([1] * b + [-1] * c, seed=0).p == pytest.approx(min(1, 2 * tail))


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=30), st.integers(1, 10**7))
def test_neither_a_factor_nor_the_sides_nor_questions_without_a_number_change_it(numbers, factor):
    there = sign_flip(numbers, seed=0)

    assert sign_flip([factor * each for each in numbers], seed=0) == there
    assert sign_flip([-each for each in numbers] + [0], seed=1) == there


def test_numbers_too_large_to_count_are_drawn_by_seed(monkeypatch):
    numbers = [3, 5, -2, 7, 11, 1, -4, 8, 9, 6]
    exact = sign_flip(numbers, seed=0)
    monkeypatch.setattr(testing, "MOST_COUNTED", 10)

    drawn = sign_flip(numbers, seed=0)

    assert (exact.is_exact, drawn.is_exact) == (True, False)
    assert drawn.p == pytest.approx(exact.p, abs=0.02)
    assert sign_flip(numbers, seed=0) == drawn != sign_flip(numbers, seed=1)


def test_a_drawn_p_is_never_0(monkeypatch):
    monkeypatch.setattr(testing, "MOST_COUNTED", 10)

    assert sign_flip([1] * 100, seed=0).p == pytest.approx(1 / 10_001)


def test_under_chance_p_is_no_more_often_below_a_level_than_the_level_says():
    """Over all choices of signs of nine numbers."""
    sizes = (1, 2, 2, 3, 1, 4, 1, 2, 5)
    values = [
        sign_flip(list(map(int.__mul__, sizes, signs)), seed=0).p
        for signs in product((1, -1), repeat=len(sizes))
    ]

    for level in (0.01, 0.05, 0.2, 0.5):
        assert sum(p <= level for p in values) / len(values) <= level
