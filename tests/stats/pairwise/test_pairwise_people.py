"""Differences of runs for people like those who judged, and for turns of one conversation."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from stats import ratings as rating_stats
from stats.clustered_means import SINGLE
from stats.pairwise.pairwise_tests import preference_tests, rating_tests
from stats.pairwise.win_rate import win_rates
from stats.ratings import rating_scales
from stats.variance_components import FEW_PEOPLE
from tests.stats.pairwise.preferences import RUNS, at_random, compared, rating

# Of the first run of two, what each of three people says on each of eight questions; the other has 2 throughout.
LENIENT = [[4, 4, 1], [4, 4, 2], [4, 3, 2], [4, 4, 1], [4, 4, 2], [4, 4, 2], [4, 4, 1], [4, 4, 2]]


def ratings(table, other=2):
    return [
        rating(f"{question}_1", value, 4, run=run, annotator=f"{annotator}")
        for question, row in enumerate(table)
        for annotator, first in enumerate(row)
        for run, value in (("A", first), ("B", other))
    ]


def pair(rows, **rest):
    (found,) = rating_tests(rows, rating_stats.faithful, runs=("A", "B"), seed=0, **rest).pairs
    return found


def conversation(question):
    return question.partition("_")[0]


def test_people_who_disagree_keep_runs_from_being_told_apart():
    found = pair(ratings(LENIENT))

    assert found.p_these_people == 2 / 2**8
    assert (found.p_of, found.n_annotators) == ("like them", 3)
    assert found.p == found.p_people > 0.05
    assert not found.is_told_apart
    assert found.people_interval.low < 0 < found.interval.low
    assert found.share_of_people > 0.9


def test_the_interval_for_people_like_them_by_hand():
    """Two questions, three people: differences 2, 0, 1 and 1, 1, 1; mean 1, scores (1, -1, 0, 0, 0, 0)/6.

    Questions 0; people 3/2·2/36 = 1/12; cells 2/36: variance 1/36, df 2 (at least).
    """
    found = pair(ratings([[4, 2, 3], [3, 3, 3]]))

    distance = stats.t.ppf(0.975, 2) / 6
    assert (found.people_interval.low, found.people_interval.high) == pytest.approx(
        (1 - distance, 1 + distance)
    )
    assert found.share_of_people == 1
    assert found.detectable == pytest.approx(sum(stats.t.ppf([0.975, 0.8], 2)) / 6)


def test_p_for_people_like_them_is_never_less_than_that_for_these():
    found = pair(ratings([[4, 4, 4], [4, 4, 4], [3, 4, 4]], other=1))

    assert found.p_these_people == 0.25
    assert found.p == found.p_people == 0.25


def test_two_people_speak_for_themselves_alone():
    found = pair(ratings([row[:2] for row in LENIENT]))

    assert (found.p, found.p_of, found.p_people) == (found.p_these_people, "these", None)
    assert found.people_interval.reason == FEW_PEOPLE
    assert found.is_told_apart


def test_one_question_speaks_for_no_other_people():
    found = pair(ratings(LENIENT[:1]))

    assert (found.p_of, found.people_interval.reason) == ("these", SINGLE)


def test_by_preference_people_are_a_sample_too():
    rows = compared({f"{n}": {"AB": "AAB"} for n in range(10)})

    (found,) = preference_tests(rows, runs=("A", "B"), seed=0).pairs

    assert found.p_these_people < 0.01
    assert found.p > 0.05
    assert found.people_interval.low < 0


def test_a_mean_and_a_win_rate_have_both_intervals():
    (scale,) = rating_scales(ratings(LENIENT)[::2], runs=["A"])
    first = win_rates(
        compared({f"{n}": {"AB": "AAB"} for n in range(9)} | {"9": {"AB": "A=B"}}), runs=("A", "B")
    ).rates[0]

    for found in (scale.faithful, first):
        assert found.n_annotators == 3
        assert found.people_interval.low < found.interval.low
        assert found.interval.high < found.people_interval.high
        assert found.share_of_people > 0.9


def test_without_a_judgement_both_intervals_have_the_reason():
    (scale,) = rating_scales([], runs=["A"])

    assert scale.faithful.people_interval.reason == scale.faithful.reason
    assert scale.faithful.share_of_people is None


@given(st.integers(0, 20))
def test_neither_order_nor_the_side_changes_it(seed):
    rows = at_random(seed)
    there = preference_tests(rows, runs=RUNS, seed=0)
    back = preference_tests(rows, runs=("B", "A", "C"), seed=0).pairs[0]

    assert preference_tests(random.Random(seed).sample(rows, len(rows)), runs=RUNS, seed=0) == there
    first = there.pairs[0]
    assert (back.p, back.share_of_people) == (first.p, first.share_of_people)
    if first.people_interval.low is not None:
        assert back.people_interval.low == -first.people_interval.high


# Conversations


def test_conversations_of_one_turn_are_their_questions():
    rows = ratings(LENIENT)

    assert pair(rows, cluster=conversation) == pair(rows)


def test_the_signs_of_a_conversation_are_flipped_together():
    one_person = [row[:1] for row in LENIENT[:4]]
    rows = [
        each.__class__(f"{int(each.question[0]) // 2}_{each.question[0]}", *values(each))
        for each in ratings(one_person)
    ]

    assert pair(rows).p == 2 / 2**4
    assert pair(rows, cluster=conversation).p == 2 / 2**2


def values(each):
    return each.run, each.answer, each.annotator, each.faithful, each.appropriate


def test_turns_of_a_conversation_are_drawn_together():
    """Differences 2, 2 and 0, 0, 0 of two conversations, mean 4/5: residuals 12/5, -12/5."""
    said = {"1_1": 4, "1_2": 4, "2_1": 2, "2_2": 2, "2_3": 2}
    rows = [
        rating(question, value, 4, run=run)
        for question, first in said.items()
        for run, value in (("A", first), ("B", 2))
    ]

    found = pair(rows, cluster=conversation)

    error = float(2 * 2 * Fraction(12, 5) ** 2) ** 0.5 / 5
    assert found.difference == pytest.approx(0.8)
    assert found.n_questions == 5
    assert found.interval.high == min(3, 0.8 + stats.t.ppf(0.975, 1) * error)
    assert found.detectable == pytest.approx(2.80159 * error, rel=1e-5)
