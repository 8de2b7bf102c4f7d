"""Histograms: bins that people can say, every score in one of them, a picture that fits."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampling.pools.histogram import HEIGHT, WIDTH, histogram, scale_of

scores = st.lists(st.floats(-1e6, 1e6), max_size=40)


def test_sas_has_bins_of_two_hundredths_from_nought_to_one():
    found = histogram([0.8, 0.81, 0.82, 1.0], [0.81, 1.0])

    assert (found.scale.low, found.scale.high, found.scale.width) == (0, 1, 0.02)
    assert (found.scale.step, found.scale.drop) == (0.01, 0.05)
    assert found.ticks == (0, 0.2, 0.4, 0.6, 0.8, 1)
    assert [(bar.low, bar.n, bar.n_open) for bar in found.bars if bar.n] == [
        (0.8, 2, 1),
        (0.82, 1, 0),
        (0.98, 1, 1),  # the last bin has its upper end too
    ]


@pytest.mark.parametrize(
    ("given_scores", "low", "high", "width"),
    [
        ([], 0, 1, 0.02),
        ([-0.07, 0.9], -0.2, 1, 0.02),  # a cosine may be negative
        ([-1, 1], -1, 1, 0.02),
        ([12, 97.5], 0, 100, 1),  # per cent
        ([-35.2, -1], -40, 5, 0.5),
    ],
)
def test_any_scale_is_divided_into_bins_that_people_can_say(given_scores, low, high, width):
    scale = scale_of(given_scores)

    assert (scale.low, scale.high, scale.width) == (low, high, width)


def test_a_score_at_the_edge_of_a_bin_belongs_to_the_upper_one():
    edges = [n / 50 for n in range(50)]

    found = histogram(edges, [])

    assert [bar.n for bar in found.bars] == [1] * 50


@given(scores)
def test_every_score_is_in_one_bin_and_every_bar_on_the_picture(given_scores):
    found = histogram(given_scores, given_scores[::2])

    assert sum(bar.n for bar in found.bars) == len(given_scores)
    assert sum(bar.n_open for bar in found.bars) == len(given_scores[::2])
    assert all(bar.x >= 0 and bar.x + bar.width <= WIDTH + 0.02 for bar in found.bars)
    assert all(0 <= bar.height_open <= bar.height <= HEIGHT for bar in found.bars)
    assert len(found.bars) <= 150
    assert all(
        math.isclose(a.high, b.low) for a, b in zip(found.bars, found.bars[1:], strict=False)
    )


def test_the_threshold_stands_where_it_is_on_the_scale_and_never_beside_the_picture():
    scale = scale_of([0.5])

    assert [scale.x(value) for value in (-3, 0, 0.62, 1, 7)] == [0, 0, 620, 1000, 1000]
