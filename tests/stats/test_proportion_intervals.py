"""Tango's interval of a paired difference: against published values and another way to compute it."""

from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize_scalar

from stats.proportion_intervals import Z, tango
from tests.cases import all_cases


def test_the_published_interval_of_airway_hyperresponsiveness():
    """Fagerland, Lydersen & Laake 2014, tables II and V: 1, 1, 7, 12 of 21 before and after."""
    interval = tango(1, 7, 21)

    assert (round(interval.low, 3), round(interval.high, 3)) == (-0.517, -0.026)


@pytest.mark.parametrize("n", [1, 10, 44, 300])
def test_without_a_discordant_item_it_is_closed_and_symmetric(n):
    """Tango 1998: z²/(n + z²) on both sides."""
    interval = tango(0, 0, n)

    assert interval.high == pytest.approx(Z**2 / (n + Z**2))
    assert interval.low == pytest.approx(-interval.high)


@pytest.mark.parametrize("n", [1, 5, 30])
def test_it_reaches_1_where_all_items_speak_for_one(n):
    assert tango(n, 0, n).high == 1
    assert tango(0, n, n).low == -1
    assert -1 < tango(n, 0, n).low < 1


def likeliest(b, c, n, delta):
    """The probability of the second alone that is most likely if the difference is delta."""

    def unlikely(q):
        cells = ((b, q + delta), (c, q), (n - b - c, 1 - 2 * q - delta))
        return -sum(k * log(max(p, 1e-300)) for k, p in cells if k)

    ends = (max(0, -delta), (1 - delta) / 2)
    return minimize_scalar(unlikely, bounds=ends, method="bounded", options={"xatol": 1e-12}).x


def inverted(b, c, n):
    """Both ends as roots of the score statistic, with the nuisance parameter found numerically."""

    def statistic(delta):
        variance = n * (2 * likeliest(b, c, n, delta) + delta * (1 - delta))
        return (b - c - n * delta) / sqrt(variance)

    near, middle = 1 - 1e-7, (b - c) / n
    return (
        brentq(lambda delta: statistic(delta) - Z, -near, middle, xtol=1e-9),
        brentq(lambda delta: statistic(delta) + Z, middle, near, xtol=1e-9),
    )


@all_cases(
    "counts", [(6, 1, 20), (4, 4, 30), (1, 7, 21), (86, 150, 1600), (40, 20, 160), (3, 1, 500)]
)
def test_it_is_the_numeric_inversion_of_the_score_test(counts):
    interval = tango(*counts)

    assert (interval.low, interval.high) == pytest.approx(inverted(*counts), abs=2e-5)


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 200))
def test_turned_round_it_is_mirrored_and_holds_the_difference(b, c, alike):
    n = b + c + alike
    if not n:
        return
    there, back = tango(b, c, n), tango(c, b, n)

    assert (there.low, there.high) == pytest.approx((-back.high, -back.low), abs=1e-9)
    assert -1 <= there.low <= (b - c) / n <= there.high <= 1


@pytest.mark.parametrize("counts", [(-1, 0, 3), (2, 2, 3)])
def test_impossible_counts_are_refused(counts):
    with pytest.raises(ValueError, match="cannot be"):
        tango(*counts)


def test_of_nothing_there_is_none():
    assert tango(0, 0, 0).reason == "no items"
