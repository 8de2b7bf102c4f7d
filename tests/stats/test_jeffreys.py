"""What is promised of one-sided Jeffreys bounds: stats/jeffreys.py."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from stats import distributions
from stats.jeffreys import lower_bound, upper_bound
from tests.cases import all_cases

# The 5 % quantile of Beta(k + 1/2, n - k + 1/2).
GOLDEN = {
    (10, 10): 0.8292,
    (9, 10): 0.6694,
    (8, 10): 0.5475,
    (5, 5): 0.6943,
    (18, 20): 0.7498,
    (19, 20): 0.8204,
    (20, 20): 0.9095,
    (27, 30): 0.7827,
}


@all_cases(("counts", "bound"), GOLDEN.items())
def test_the_lower_bound_is_the_five_percent_quantile(counts, bound):
    assert lower_bound(*counts, 0.95) == pytest.approx(bound, abs=5e-5)


def test_without_answers_nothing_is_known():
    assert (lower_bound(0, 0), upper_bound(0, 0)) == (0, 1)


def test_none_right_and_all_right_end_at_the_limits():
    assert (lower_bound(0, 7), upper_bound(7, 7)) == (0, 1)
    assert 0 < upper_bound(0, 7) < 1
    assert 0 < lower_bound(7, 7) < 1


@pytest.mark.parametrize("counts", [(-1, 3), (4, 3), (0, -1)])
def test_impossible_counts_are_refused(counts):
    with pytest.raises(ValueError, match="cannot be"):
        lower_bound(*counts)


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95])
def test_a_confidence_is_between_nothing_and_all(confidence):
    with pytest.raises(ValueError, match="between 0 and 1"):
        upper_bound(1, 2, confidence)


@given(st.integers(1, 2000), st.floats(0, 1), st.sampled_from([0.5, 0.9, 0.95, 0.975, 0.999]))
def test_it_is_what_scipy_computes(n, share, confidence):
    k = round(share * n)
    if k:
        expected = beta.ppf(1 - confidence, k + 0.5, n - k + 0.5)
        assert lower_bound(k, n, confidence) == pytest.approx(expected, abs=1e-9)
    if k < n:
        expected = beta.ppf(confidence, k + 0.5, n - k + 0.5)
        assert upper_bound(k, n, confidence) == pytest.approx(expected, abs=1e-9)


@given(st.integers(0, 300), st.integers(1, 300))
def test_two_bounds_at_975_are_the_two_sided_interval(k, n):
    k = min(k, n)
    interval = distributions.jeffreys_interval(k, n)
    assert (lower_bound(k, n, 0.975), upper_bound(k, n, 0.975)) == pytest.approx(
        (interval.low, interval.high), abs=1e-9
    )


@given(st.integers(0, 200), st.integers(1, 200))
def test_one_more_right_answer_never_lowers_the_bound(k, n):
    k = min(k, n)
    assert lower_bound(k + 1, n + 1) > lower_bound(k, n)
