"""The beta distribution without scipy is scipy's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from stats.beta_distribution import cdf, quantile

SHAPES = st.floats(0.5, 2000)


@given(st.floats(0, 1), SHAPES, SHAPES)
def test_the_distribution_function_is_that_of_scipy(x, a, b):
    assert cdf(x, a, b) == pytest.approx(special.betainc(a, b, x), rel=1e-8, abs=1e-10)


@given(st.floats(0.01, 0.99), SHAPES, SHAPES)
def test_a_quantile_is_that_of_scipy(share, a, b):
    assert quantile(share, a, b) == pytest.approx(special.betaincinv(a, b, share), rel=1e-8)


def test_nothing_is_below_0_and_all_below_1():
    assert (cdf(-0.1, 2, 3), cdf(0, 2, 3), cdf(1, 2, 3), cdf(1.5, 2, 3)) == (0, 0, 1, 1)


@pytest.mark.parametrize("share", [0, 1, -0.1, 1.1])
def test_no_quantile_of_what_is_no_share(share):
    with pytest.raises(ValueError, match="no quantile"):
        quantile(share, 1, 1)


@pytest.mark.parametrize(("a", "b"), [(0, 1), (1, 0), (-1, 2)])
def test_there_is_no_distribution_without_positive_shapes(a, b):
    with pytest.raises(ValueError, match="there is no Beta"):
        cdf(0.5, a, b)
