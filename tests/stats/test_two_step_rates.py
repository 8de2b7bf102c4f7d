"""Rates of two steps of which the second may be open."""

import numpy as np
import pytest

from stats.paired_proportions import NO_COMMON
from stats.proportion_intervals import wilson
from stats.two_step_rates import (
    NONE_KNOWN,
    NOTHING_SETTLED,
    OPEN,
    Steps,
    counts,
    rate_interval,
    two_step_pairs,
)

DRAWN = {"replicates": 1000, "seed": 0}
FAILS, PASSES, FAILS_SECOND, NOT_ASKED = (
    Steps(False),
    Steps(True, True),
    Steps(True, False),
    Steps(True),
)


def questions(*groups):
    """A run's questions from pairs of steps and how often they occur."""
    steps = [each for each, n in groups for _ in range(n)]
    return {f"{number}_1": each for number, each in enumerate(steps)}


def test_answers_that_nobody_was_asked_about_do_not_lower_the_rate():
    """4 implausible, 8 plausible and faithful, 8 plausible and not asked: .80, not 8/12."""
    run = questions((FAILS, 4), (PASSES, 8), (NOT_ASKED, 8))

    assert counts(run).value == pytest.approx(0.8)


def test_the_published_campaign():
    """Of 2,078 answers 1,863 are plausible; of 419 settled in faithfulness 386 faithful."""
    run = questions((FAILS, 215), (PASSES, 386), (FAILS_SECOND, 33), (NOT_ASKED, 1444))

    assert counts(run).value == pytest.approx(0.826, abs=0.0005)


def test_where_all_is_settled_the_rate_is_a_share_with_its_interval():
    run = questions((FAILS, 4), (PASSES, 12), (FAILS_SECOND, 4))

    assert counts(run).value == 0.6
    assert rate_interval(run, **DRAWN) == wilson(12, 20)


@pytest.mark.parametrize(
    ("run", "value", "reason"),
    [
        (questions(), None, NOTHING_SETTLED),
        (questions((FAILS, 2), (NOT_ASKED, 3)), None, NONE_KNOWN),
        (questions((FAILS, 5)), 0, None),
    ],
)
def test_a_rate_is_undefined_only_where_a_share_is(run, value, reason):
    assert (counts(run).value, counts(run).reason) == (value, reason)
    assert rate_interval(run, **DRAWN).reason == reason


def test_the_interval_of_a_product_is_that_of_independent_shares():
    """Of .8 and of .9 of an eighth as many: √(.9²·.8·.2/400 + .8²·.9·.1/40) = .042."""
    run = questions((FAILS, 80), (PASSES, 36), (FAILS_SECOND, 4), (NOT_ASKED, 280))

    interval = rate_interval(run, **DRAWN)

    assert interval.low == pytest.approx(0.72 - 1.96 * 0.042, abs=0.012)
    assert interval.high == pytest.approx(0.72 + 1.96 * 0.042, abs=0.012)


def test_runs_are_compared_by_a_test_where_all_is_settled():
    one = questions((PASSES, 14), (FAILS_SECOND, 3), (FAILS, 3))
    other = questions((PASSES, 8), (FAILS_SECOND, 6), (PASSES, 1), (FAILS, 5))

    (pair,) = two_step_pairs({"one": one, "other": other}, **DRAWN)

    assert (pair.n_questions, pair.n_only_one, pair.n_only_other) == (20, 6, 1)
    assert pair.p == pytest.approx(0.0588, abs=0.0001)


def test_one_answer_whose_second_step_is_open_ends_all_tests_of_its_run():
    one = questions((PASSES, 9), (NOT_ASKED, 1), (FAILS, 10))
    other, third = questions((FAILS, 12), (PASSES, 8)), questions((FAILS, 20))

    found = two_step_pairs({"one": one, "other": other, "third": third}, **DRAWN)

    assert [(pair.p, pair.p_reason) for pair in found[:2]] == [(None, OPEN)] * 2
    assert [pair.difference for pair in found[:2]] == pytest.approx([0.1, 0.5])
    assert found[0].interval.low < 0.1 < found[0].interval.high
    # The only one that is tested is not adjusted.
    assert found[2].p == found[2].p_holm < 0.05
    assert [pair.is_told_apart for pair in found] == [False, False, True]


def test_runs_without_a_common_question_have_no_difference():
    one = {"1_1": NOT_ASKED, "2_1": PASSES}
    (pair,) = two_step_pairs({"one": one, "other": {"3_1": PASSES}}, **DRAWN)

    assert (pair.difference, pair.reason, pair.interval.reason) == (None, NO_COMMON, NO_COMMON)


def study(rng, n, rates, asked):
    """The runs' questions in a study in which a share of the plausible answers is asked about."""
    return {
        name: {
            f"{number}_1": Steps(bool(plausible), bool(faithful) if plausible and ask else None)
            for number, (plausible, faithful, ask) in enumerate(
                (rng.random((n, 3)) < (first, second, asked)).tolist()
            )
        }
        for name, (first, second) in rates.items()
    }


def test_equal_runs_are_rarely_told_apart_when_three_tenths_are_asked():
    """Both have .72: one .9 plausible and .8 of it faithful, the other .8 and .9."""
    rng = np.random.default_rng(0)
    rates = {"one": (0.9, 0.8), "other": (0.8, 0.9)}
    found = [two_step_pairs(study(rng, 300, rates, 0.3), **DRAWN)[0] for _ in range(60)]

    assert not any(pair.is_told_apart for pair in found)
    assert np.mean([pair.difference for pair in found]) == pytest.approx(0, abs=0.02)
    missed = [not pair.interval.low <= 0 <= pair.interval.high for pair in found]
    assert sum(missed) <= 6
