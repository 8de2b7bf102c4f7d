"""Quantiles of Student's t without scipy are scipy's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from stats.student_t import quantile
from tests.cases import all_cases


@all_cases("df", [1, 1.3, 2, 2.5, 3, 7, 10, 37.2, 300, 1e4, 1e6])
@all_cases("share", [0.6, 0.8, 0.975, 0.9995, 1 - 0.025 / 435])
def test_a_quantile_is_that_of_scipy(share, df):
    assert quantile(share, df) == pytest.approx(special.stdtrit(df, share), rel=1e-8)


@given(st.floats(0.001, 0.999), st.floats(1, 1e5))
def test_quantiles_are_symmetric_and_those_of_scipy(share, df):
    assert quantile(share, df) == pytest.approx(special.stdtrit(df, share), rel=1e-6, abs=1e-6)
    assert quantile(1 - share, df) == pytest.approx(-quantile(share, df), rel=1e-9, abs=1e-9)


def test_the_median_is_0():
    assert quantile(0.5, 3) == 0


@pytest.mark.parametrize(("share", "df"), [(0, 5), (1, 5), (1.2, 5), (0.5, 0.9), (0.975, 0)])
def test_no_quantile_of_what_is_no_share_or_has_less_than_one_degree(share, df):
    with pytest.raises(ValueError, match="no quantile"):
        quantile(share, df)
