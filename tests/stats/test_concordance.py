"""Concordant pairs counted by sorting: the same as counted one by one, and scipy's tau-b."""

import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.concordance import sums_of_signs
from stats.correlation import MOST_PAIRED, kendall_tau_b
from tests.cases import all_cases

stats = pytest.importorskip("scipy.stats")

POINTS = st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 9)), max_size=40)
MANY = MOST_PAIRED + 1


def columns(n, *, values, seed=1):
    rng = np.random.default_rng(seed)
    one = rng.integers(values, size=n).astype(float)
    return one, np.round(one + rng.normal(scale=values / 2, size=n))


@given(POINTS)
def test_the_sums_are_those_of_all_pairs(points):
    pairs = [(np.sign(a[0] - b[0]), np.sign(a[1] - b[1])) for a, b in combinations(points, 2)]

    found = sums_of_signs(*np.array(points, dtype=float).reshape(-1, 2).T)

    assert found == (
        sum(one * other for one, other in pairs),
        sum(one**2 for one, _ in pairs),
        sum(other**2 for _, other in pairs),
    )


@all_cases("values", [2, 9, 10**9])
@all_cases("n", [MANY, 1_000, 4_097])
def test_tau_of_many_points_is_scipy_s(n, values):
    one, other = columns(n, values=values)

    tau = kendall_tau_b(one[None], other[None])

    assert tau == pytest.approx([stats.kendalltau(one, other).statistic], abs=1e-12)


def test_many_points_in_the_same_order_are_1_and_in_the_reverse_minus_1():
    one = np.arange(MANY, dtype=float)[None]

    assert kendall_tau_b(one, one * 3).tolist() == [1]
    assert kendall_tau_b(one, -one).tolist() == [-1]


def test_of_many_points_with_one_value_or_a_missing_one_it_is_undefined_and_of_the_other_rows_not():
    varied = np.arange(MANY, dtype=float)
    constant, with_none = np.full(MANY, 0.1), np.where(varied == 5, np.nan, varied)

    taus = kendall_tau_b(np.array([constant, with_none, varied]), np.array([varied] * 3))

    assert np.isnan(taus).tolist() == [True, True, False]
    assert np.isnan(kendall_tau_b(varied[None], constant[None])).all()


def test_of_no_point_and_of_one_it_is_undefined():
    assert np.isnan(kendall_tau_b(np.ones((1, 1)), np.ones((1, 1)))).all()
    assert np.isnan(kendall_tau_b(np.ones((1, 0)), np.ones((1, 0)))).all()


def test_ten_thousand_answers_take_no_memory_for_their_pairs():
    one, other = columns(10_000, values=50)
    tracemalloc.start()
    kendall_tau_b(one[None], other[None])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert most < 10 * 2**20
