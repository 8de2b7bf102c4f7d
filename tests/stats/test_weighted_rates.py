"""Rates of questions that were drawn with unequal inclusion probabilities."""

import random

import pytest

from stats.clustered_means import SINGLE
from stats.clustered_proportions import share_interval
from stats.clusters import SINGLE_CLUSTER
from stats.two_step_rates import NONE_KNOWN, NOTHING_SETTLED, Steps
from stats.weighted_rates import weighted_rate

PASSES, FAILS, OPEN = Steps(True, True), Steps(False), Steps(True)


def conversation(question):
    return question.split("_")[0]


def weighted(questions, weight=1.0):
    return weighted_rate(questions, dict.fromkeys(questions, weight), conversation)


def test_a_question_counts_by_the_inverse_of_its_probability():
    questions = {"1_1": PASSES, "2_1": FAILS, "3_1": PASSES}

    rate = weighted_rate(questions, {"1_1": 1.0, "2_1": 3.0, "3_1": 4.0}, conversation)

    assert rate.value == pytest.approx(5 / 8)


def test_with_equal_weights_it_is_the_interval_of_conversations():
    rng = random.Random(1)
    questions = {
        f"{i}_{j}": PASSES if rng.random() < 0.3 + i / 40 else FAILS
        for i in range(20)
        for j in range(4)
    }
    holds = {question: steps is PASSES for question, steps in questions.items()}

    found, unweighted = weighted(questions, 2.5), share_interval(holds, conversation)

    assert found.interval.low == pytest.approx(unweighted.low)
    assert found.interval.high == pytest.approx(unweighted.high)


def test_unequal_weights_widen_the_interval():
    questions = {f"{i}_1": PASSES if i % 3 else FAILS for i in range(60)}
    uneven = {question: 1.0 + 9 * (i % 2) for i, question in enumerate(questions)}

    found, even = weighted_rate(questions, uneven, conversation), weighted(questions)

    assert found.interval.high - found.interval.low > even.interval.high - even.interval.low


@pytest.mark.parametrize("steps", [PASSES, FAILS], ids=["all", "none"])
def test_where_all_end_alike_there_is_an_interval(steps):
    rate = weighted({f"{i}_1": steps for i in range(30)})

    assert 0 < rate.interval.high - rate.interval.low < 0.2


def test_an_open_second_step_is_a_product():
    """Of 8 in weights 6 pass the first step; of the 5 whose second is settled 3 pass it."""
    questions = {
        "1_1": PASSES,
        "2_1": FAILS,
        "3_1": FAILS,
        "4_1": OPEN,
        "5_1": Steps(True, False),
        "6_1": PASSES,
    }
    weights = {"1_1": 1.0, "2_1": 1.0, "3_1": 1.0, "4_1": 1.0, "5_1": 2.0, "6_1": 2.0}

    rate = weighted_rate(questions, weights, conversation)

    assert rate.value == pytest.approx(6 / 8 * 3 / 5)
    assert rate.interval.low < rate.value < rate.interval.high


@pytest.mark.parametrize(
    ("questions", "reason"),
    [({}, NOTHING_SETTLED), ({"1_1": OPEN}, NONE_KNOWN)],
    ids=["no question", "no settled second step"],
)
def test_an_undefined_rate_says_why(questions, reason):
    rate = weighted(questions)

    assert (rate.value, rate.reason, rate.interval.reason) == (None, reason, reason)


@pytest.mark.parametrize(
    ("questions", "reason"),
    [({"1_1": PASSES, "1_2": FAILS}, SINGLE_CLUSTER), ({"1_1": PASSES}, SINGLE)],
    ids=["a conversation", "a question"],
)
def test_a_single_cluster_has_no_interval(questions, reason):
    rate = weighted(questions)

    assert rate.value is not None
    assert rate.interval.reason == reason
