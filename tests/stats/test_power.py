"""What a number of questions can show, against published examples and by simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.paired_proportions import score_p
from stats.power import (
    ALWAYS_ALIKE,
    ALWAYS_ALIKE_BY,
    NO_QUESTION,
    TOO_FEW,
    detectable_difference,
    detectable_mean_difference,
    questions_needed,
)


@pytest.mark.parametrize(
    ("discordance", "difference", "power", "n"),
    [
        # Connor 1987, p. 209, .45 and .05 discordant, as quoted by powerandsamplesize.com and open-powersamplesize.
        (0.5, 0.4, 0.8, 23),
        # .30 and .15 discordant: 155 pairs by clinicaltrials-tools, after Connor 1987.
        (0.45, 0.15, 0.8, 155),
        # .18 and .08 discordant, 90 %: by hand, (1.95996 √.26 + 1.28155 √.25)² / .01 = 269.01, so 270.
        (0.26, 0.1, 0.9, 270),
    ],
)
def test_the_questions_that_a_difference_takes_are_those_of_connor(
    discordance, difference, power, n
):
    assert questions_needed(discordance, difference, power=power) == n


@pytest.mark.parametrize(
    ("n_questions", "deviation", "why"), [(0, 1.0, NO_QUESTION), (9, 0.0, ALWAYS_ALIKE_BY)]
)
def test_what_shows_no_mean_difference_says_why(n_questions, deviation, why):
    assert detectable_mean_difference(n_questions, deviation) == (None, why)


def test_a_deviation_below_0_is_refused():
    with pytest.raises(ValueError, match="a deviation is not below 0, as -1 is"):
        detectable_mean_difference(9, -1)


def test_a_difference_larger_than_the_discordance_cannot_be():
    assert questions_needed(0.04, 0.05) is None
    assert questions_needed(0.05, 0.05) is not None


@given(st.floats(0.02, 1), st.floats(0.02, 1))
def test_what_so_many_questions_show_takes_so_many_questions(discordance, share):
    difference = discordance * share
    n = questions_needed(discordance, difference)

    found, reason = detectable_difference(n, discordance)

    assert reason is None
    assert found <= difference + 2e-6
    assert questions_needed(discordance, found) <= n


@given(st.floats(0.05, 1), st.integers(50, 5000))
def test_more_questions_show_smaller_differences(discordance, n):
    few, reason = detectable_difference(n, discordance)
    many, _ = detectable_difference(2 * n, discordance)

    assert reason == TOO_FEW or many < few


@pytest.mark.parametrize(
    ("n", "discordance", "reason"),
    [(0, 0.2, NO_QUESTION), (100, 0.0, ALWAYS_ALIKE), (10, 0.1, TOO_FEW)],
)
def test_what_cannot_be_seen_is_said(n, discordance, reason):
    assert detectable_difference(n, discordance) == (None, reason)


@pytest.mark.parametrize("numbers", [(1.1, 0.1), (-0.1, 0.1), (0.5, 0), (0.5, 1.2)])
def test_numbers_that_are_no_shares_are_refused(numbers):
    with pytest.raises(ValueError, match=r"from 0 to 1|more than 0"):
        questions_needed(*numbers)


@pytest.mark.parametrize("options", [{"level": 0}, {"level": 1}, {"power": 0.3}, {"power": 1}])
def test_no_test_is_certain(options):
    with pytest.raises(ValueError, match="no test"):
        questions_needed(0.5, 0.1, **options)


@pytest.mark.parametrize(("discordance", "difference"), [(0.5, 0.4), (0.2, 0.1), (0.1, 0.05)])
def test_in_simulated_studies_the_difference_is_found_about_four_times_in_five(
    discordance, difference
):
    n = questions_needed(discordance, difference)
    one, other = (discordance + difference) / 2, (discordance - difference) / 2
    drawn = np.random.default_rng(7).multinomial(n, [one, other, 1 - discordance], size=4000)

    found = np.mean([score_p(b, c) <= 0.05 for b, c, _ in drawn.tolist()])

    assert 0.76 < found < 0.86
