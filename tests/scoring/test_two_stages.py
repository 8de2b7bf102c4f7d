"""The band in which the cross-encoder is asked: how it is chosen, and what is promised of the rest."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression
from scipy.stats import beta, binom

from scoring.two_stages import (
    CONFIDENCE,
    Calibration,
    NoBandError,
    at_most,
    calibrate,
    is_significant,
    isotonic,
    smallest_trial,
    upper_bound,
)

THRESHOLD = 0.8
points = st.lists(
    st.tuples(st.floats(-1, 1).map(lambda x: round(x, 6)), st.floats(0, 1)), min_size=1, max_size=40
)


def simulated_scores(n, *, seed=1, noise=0.05):
    """Answers of which the second model says what the first does on another scale, with some noise."""
    dice = random.Random(seed)
    return [
        (round(x, 6), second_score(x, dice, noise))
        for x in (dice.uniform(-0.2, 1) for _ in range(n))
    ]


def second_score(x, dice, noise):
    return min(1.0, max(0.0, 1 / (1 + 2.718 ** (-8 * (x - 0.5))) + dice.gauss(0, noise)))


# The bound


@pytest.mark.parametrize(("k", "n"), [(0, 1), (0, 300), (4, 1000), (37, 250), (999, 1000)])
def test_the_bound_is_clopper_and_pearson_s(k, n):
    assert upper_bound(k, n) == pytest.approx(beta.ppf(CONFIDENCE, k + 1, n - k), rel=1e-9)


def test_nothing_is_bounded_where_all_are_wrong_or_none_were_tried():
    assert upper_bound(7, 7) == upper_bound(0, 0) == 1.0


@pytest.mark.parametrize(("k", "n", "share"), [(0, 5, 0.5), (3, 1000, 0.01), (20, 40, 0.6)])
def test_the_tail_is_the_binomial_distribution_s(k, n, share):
    assert at_most(k, n, share) == pytest.approx(binom.cdf(k, n, share), rel=1e-9)


def test_the_rule_of_three_says_how_many_must_be_tried():
    assert smallest_trial(0.01) == 299
    assert is_significant(0, 299, 0.01)
    assert not is_significant(0, 298, 0.01)


# The other scale


def test_pools_of_a_case_done_by_hand():
    # 2 and 1 stand the wrong way round and are pooled; 4 and 3 too
    assert isotonic([(0.1, 2), (0.2, 1), (0.3, 4), (0.4, 3), (0.5, 5)]) == (
        (0.15, 1.5),
        (0.35, 3.5),
        (0.5, 5),
    )


@given(points)
def test_knots_grow_and_keep_the_mean(given_points):
    knots = isotonic(given_points)

    for left, right in itertools.pairwise(knots):
        assert left[0] < right[0]
        assert left[1] < right[1]
    ys = [y for _, y in given_points]
    assert min(ys) - 1e-6 <= knots[0][1] <= knots[-1][1] <= max(ys) + 1e-6


def test_the_pools_are_those_of_the_least_squares():
    sample = sorted(simulated_scores(300))

    fitted = np.array([y for _, y in isotonic(sample)])

    # Neighbours nearer than what is stored are one pool here.
    expected = np.unique(np.round(isotonic_regression([y for _, y in sample]).x, 4))
    assert {round(y, 4) for y in fitted} <= set(expected.tolist())


# The band


def test_the_band_lies_about_the_threshold_and_leaves_most_out():
    band, trial = calibrate(simulated_scores(2000), threshold=THRESHOLD, most_wrong=0.01)

    crossing = 0.5 + np.log(THRESHOLD / (1 - THRESHOLD)) / 8
    assert band.low < crossing < band.high
    assert trial.n_fitted == trial.n_tried == 1000
    assert 0 < trial.n_near < 400
    assert trial.upper <= 0.01


@pytest.mark.parametrize(
    ("n", "most_broken"),
    # with 95 % confidence: 5 of 100 are expected at most
    [(10, 1), pytest.param(100, 5 + 5, marks=pytest.mark.slow)],
)
def test_two_stages_are_on_the_cross_encoder_s_side_as_often_as_promised(n, most_broken):
    n_broken = 0
    everything = simulated_scores(20_000, seed=0)
    for seed in range(n):
        sample = random.Random(seed).sample(everything, 1200)
        band, _ = calibrate(sample, threshold=THRESHOLD, most_wrong=0.02)
        n_wrong = sum(
            (band.value(x) > THRESHOLD) != (y > THRESHOLD)
            for x, y in everything
            if not band.is_in_band(x)
        )
        n_broken += n_wrong > 0.02 * len(everything)

    assert n_broken <= most_broken


def test_models_that_agree_perfectly_leave_all_but_the_threshold_itself_out():
    sample = [(x / 1000, x / 1000) for x in random.Random(1).sample(range(1000), 1000)]

    band, trial = calibrate(sample, threshold=THRESHOLD, most_wrong=0.01)

    assert band.width == 0
    assert (trial.n_missed, trial.n_false) == (0, 0)


def test_less_may_be_wrong_in_a_wider_band():
    sample = simulated_scores(6000, noise=0.15)

    strict, _ = calibrate(sample, threshold=THRESHOLD, most_wrong=0.01)
    loose, _ = calibrate(sample, threshold=THRESHOLD, most_wrong=0.05)

    assert strict.low < loose.low <= loose.high <= strict.high


def test_a_sample_too_small_to_show_anything_is_refused_with_the_number_it_takes():
    with pytest.raises(NoBandError, match=r"a sample of 596 is too small .* takes 598"):
        calibrate(simulated_scores(596), threshold=THRESHOLD, most_wrong=0.01)


def test_models_that_have_nothing_to_do_with_each_other_are_refused():
    dice = random.Random(1)
    sample = [(dice.uniform(0, 1), dice.uniform(0, 1)) for _ in range(2000)]

    with pytest.raises(NoBandError, match="agree too little about this threshold"):
        calibrate(sample, threshold=0.5, most_wrong=0.01)


def test_a_bi_encoder_that_gives_one_value_only_is_refused():
    sample = [(0.5, y) for _, y in simulated_scores(2000)]

    with pytest.raises(NoBandError, match="agree too little"):
        calibrate(sample, threshold=0.5, most_wrong=0.01)


@pytest.mark.parametrize("threshold", [0.0, 1.0])
def test_a_threshold_beyond_all_answers_needs_no_cross_encoder(threshold):
    sample = [(x, 0.3 + 0.4 * y) for x, y in simulated_scores(2000)]

    band, trial = calibrate(sample, threshold=threshold, most_wrong=0.01)

    assert trial.n_near <= 1
    assert {band.value(x) > threshold for x, _ in sample if not band.is_in_band(x)} == {
        threshold == 0
    }


@given(first=st.floats(-1, 1), threshold=st.sampled_from([0.2, 0.5, 0.8]))
def test_a_value_outside_the_band_is_on_its_side_of_the_threshold(first, threshold):
    low, high = 0.3, 0.6
    band = Calibration(threshold, 0.1, low, high, ((0.0, 0.1), (0.5, 0.55), (0.9, 0.95)))

    if not band.is_in_band(first):
        assert (band.value(first) > threshold) == (first > high)


def test_a_value_just_above_the_threshold_is_seen_to_be_above():
    band = Calibration(0.8, 0.0, 0.5, 0.5, ((0.5, 0.8), (0.9, 0.8000001)))

    assert band.value(0.500001) == 0.800001
    assert band.value(0.499999) == 0.8


def test_more_by_the_bi_encoder_is_never_less_in_the_end():
    band, _ = calibrate(simulated_scores(2000), threshold=THRESHOLD, most_wrong=0.01)
    below = [band.value(x / 1000) for x in range(-1000, 1001) if x / 1000 < band.low]
    above = [band.value(x / 1000) for x in range(-1000, 1001) if x / 1000 > band.high]

    assert below == sorted(below)
    assert above == sorted(above)
    assert below[-1] <= THRESHOLD < above[0]
