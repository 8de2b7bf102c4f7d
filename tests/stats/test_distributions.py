"""Jeffreys' interval and Student's t: stats/distributions.py."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from stats.distributions import jeffreys_interval, student_t_cdf
from stats.proportion_intervals import Interval


@given(t=st.floats(-60, 60), df=st.floats(0.37, 300))
def test_students_t_is_that_of_scipy(t, df):
    assert student_t_cdf(t, df) == pytest.approx(stats.t.cdf(t, df), rel=1e-7, abs=1e-14)


@pytest.mark.parametrize(("found", "n"), [(8, 10), (1, 3), (0, 7), (7, 7), (431, 1000)])
def test_jeffreys_interval_is_the_middle_of_its_posterior(found, n):
    interval = jeffreys_interval(found, n)

    low, high = stats.beta.ppf([0.025, 0.975], found + 0.5, n - found + 0.5)
    assert interval.low == pytest.approx(0 if found == 0 else low)
    assert interval.high == pytest.approx(1 if found == n else high)


def test_jeffreys_interval_as_it_is_published():
    """Brown, Cai & DasGupta 2001, table 5: 5 of 20 is .102 to .464 (to three places)."""
    interval = jeffreys_interval(5, 20)

    assert (round(interval.low, 3), round(interval.high, 3)) == (0.102, 0.464)


def test_of_none_there_is_no_interval():
    assert jeffreys_interval(0, 0) == Interval(None, None, "none was judged")


@pytest.mark.parametrize(("found", "n"), [(3, 2), (-1, 2)])
def test_what_cannot_be_is_refused(found, n):
    with pytest.raises(ValueError, match="cannot be"):
        jeffreys_interval(found, n)
