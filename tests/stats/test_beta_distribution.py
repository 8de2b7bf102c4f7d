"""The beta distribution without scipy is scipy's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from stats import beta_distribution
from stats.beta_distribution import cdf, quantile

SHAPES = st.floats(0.5, 2000)


@given(st.floats(0, 1), SHAPES, SHAPES)
def test_the_distribution_function_is_that_of_scipy(x, a, b):
    assert cdf(x, a, b) == pytest.approx(special.betainc(a, b, x), rel=1e-8, abs=1e-10)


@given(st.floats(0.01, 0.99), SHAPES, SHAPES)
def test_a_quantile_is_that_of_scipy(share, a, b):
    assert quantile(share, a, b) == pytest.approx(special.betaincinv(a, b, share), rel=1e-8)


@pytest.mark.parametrize(
    ("share", "a", "b"),
    [(0.95, 1000.5, 0.1), (0.99, 0.1, 0.1), (0.5, 0.1, 0.01), (1 - 1e-12, 0.5, 0.5)],
)
def test_a_quantile_so_near_1_that_it_is_rounded_to_1_is_found(share, a, b):
    found = quantile(share, a, b)

    assert found <= 1
    assert found == pytest.approx(special.betaincinv(a, b, share), rel=1e-12)


@pytest.mark.parametrize(
    ("share", "a", "b"), [(0.5, 2, 2), (0.5, 1e6, 1e6), (0.05, 11.5, 1.5), (0.95, 700.5, 40.5)]
)
def test_a_quantile_is_found_in_a_few_steps(share, a, b, monkeypatch):
    asked = []
    monkeypatch.setattr(beta_distribution, "cdf", lambda *of: asked.append(of) or cdf(*of))

    quantile.__wrapped__(share, a, b)

    assert len(asked) <= 10


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
