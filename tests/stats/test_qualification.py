"""The rule of a qualification: one-sided Jeffreys bounds, and what follows from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from stats.qualification import (
    MOST_MORE,
    Decision,
    Rule,
    RuleError,
    highest_bar,
    lower_bound,
    n_more_right,
    outcome,
    upper_bound,
)
from tests.cases import all_cases

RULE = Rule.from_dict(
    {"min_answers": 10, "accuracy": 0.8, "recall": {"malformed": 0.6}, "confidence": 0.95}
)
ONLY_ACCURACY = Rule(min_answers=10, accuracy=0.8)
GOLDEN = [
    *((10, 10, 0.8292), (9, 10, 0.6694), (8, 10, 0.5475), (5, 5, 0.6943)),
    *((18, 20, 0.7498), (19, 20, 0.8204), (20, 20, 0.9095), (27, 30, 0.7827)),
]


def right(n: int, label: str = "plausible") -> list[tuple[str, str]]:
    return [(label, label)] * n


def wrong(n: int, expected: str = "plausible") -> list[tuple[str, str]]:
    return [(expected, "implausible")] * n


@all_cases(("n_right", "n", "bound"), GOLDEN)
def test_the_lower_bound_at_5_percent(n_right, n, bound):
    assert lower_bound(n_right, n) == pytest.approx(bound, abs=5e-5)
    assert lower_bound(n_right, n) == pytest.approx(
        special.betaincinv(n_right + 0.5, n - n_right + 0.5, 0.05), rel=1e-9
    )


@given(st.integers(1, 500), st.data(), st.floats(0.5, 0.999))
def test_the_bounds_are_scipys_and_mirror_each_other(n, data, confidence):
    k = data.draw(st.integers(0, n))
    low, high = lower_bound(k, n, confidence), upper_bound(k, n, confidence)
    if k > 0:
        assert low == pytest.approx(special.betaincinv(k + 0.5, n - k + 0.5, 1 - confidence))
    if k < n:
        assert high == pytest.approx(special.betaincinv(k + 0.5, n - k + 0.5, confidence))
    assert 0 <= low <= 1
    assert 0 <= high <= 1
    assert low <= high or low == pytest.approx(
        high
    )  # of a confidence of a half both are the median
    assert lower_bound(n - k, n, confidence) == pytest.approx(1 - high)


@given(st.integers(1, 300), st.data())
def test_one_more_right_answer_never_lowers_a_bound_and_a_wrong_one_never_raises_it(n, data):
    k = data.draw(st.integers(0, n))
    assert lower_bound(k + 1, n + 1) >= lower_bound(k, n)
    assert lower_bound(k, n + 1) <= lower_bound(k, n)


@given(st.integers(0, 60), st.integers(0, 6), st.floats(0.3, 0.95))
def test_so_many_more_right_answers_reach_the_bar_and_one_fewer_do_not(n_right, n_wrong, bar):
    n = n_right + n_wrong
    more = n_more_right(n_right, n, bar)
    assert lower_bound(n_right + more, n + more) >= bar
    if more:
        before = lower_bound(n_right + more - 1, n + more - 1)
        assert before is None or before < bar


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("ab")), max_size=60))
def test_whoever_gets_all_that_is_needed_right_is_granted(answers):
    rule = Rule(min_answers=12, accuracy=0.7, recall={"a": 0.5})
    found = outcome(rule, answers)
    if found.decision is Decision.MORE_NEEDED:
        assert found.n_more >= 1
        n_a = found.recall["a"].n_more
        more = right(n_a, "a") + right(found.n_more - n_a, "b")
        assert outcome(rule, [*answers, *more]).decision is Decision.GRANTED
    at_the_end = outcome(rule, answers, may_answer_more=False).decision
    assert (at_the_end is Decision.MORE_NEEDED) == (answers == [])


def test_without_an_answer_there_is_no_bound_and_more_are_needed():
    assert lower_bound(0, 0) is None
    assert upper_bound(0, 0) is None
    found = outcome(ONLY_ACCURACY, [])
    assert (found.decision, found.n_more, found.accuracy.lower) == (Decision.MORE_NEEDED, 10, None)


def test_without_an_answer_nobody_has_failed_however_often_they_tried():
    found = outcome(ONLY_ACCURACY, [], may_answer_more=False, attempts_used=5)
    assert found.decision is Decision.MORE_NEEDED


def test_with_no_right_answer_the_lower_bound_is_0_and_with_all_right_the_upper_is_1():
    assert lower_bound(0, 7) == 0
    assert upper_bound(7, 7) == 1


def test_more_right_than_answered_cannot_be():
    with pytest.raises(ValueError, match="11 of 10 cannot be"):
        lower_bound(11, 10)
    with pytest.raises(ValueError, match="-1 of 10 cannot be"):
        upper_bound(-1, 10)


def test_ten_of_ten_are_granted_at_a_bar_of_80_percent():
    found = outcome(ONLY_ACCURACY, right(10))
    assert found.decision is Decision.GRANTED
    assert found.reason == "all answers: 10 of 10 right, at least 0.829, bar 0.8"


def test_nine_right_are_above_the_bar_and_too_few_for_the_rule():
    found = outcome(ONLY_ACCURACY, right(9))
    assert found.accuracy.reaches_bar
    assert (found.decision, found.n_more) == (Decision.MORE_NEEDED, 1)
    assert found.reason == "1 more answer needed, if all are right"


def test_recall_of_a_label_that_was_never_expected_needs_answers_of_it():
    found = outcome(RULE, right(20))
    assert found.decision is Decision.MORE_NEEDED
    assert (found.recall["malformed"].n, found.n_more) == (0, 4)


def test_recall_is_of_the_expected_label_and_not_of_the_given_one():
    false_alarms = [("plausible", "malformed")]
    found = outcome(RULE, right(30) + false_alarms + right(4, "malformed"))
    assert (found.recall["malformed"].n_right, found.recall["malformed"].n) == (4, 4)
    assert found.decision is Decision.GRANTED


def test_an_upper_bound_below_the_bar_fails_at_once_and_says_of_what():
    found = outcome(RULE, right(40) + wrong(4, "malformed"))
    assert found.decision is Decision.FAILED
    assert found.reason.startswith("malformed: 0 of 4 right, at most 0.")


def test_who_can_answer_no_more_and_try_no_more_has_failed():
    answers = right(8) + wrong(2)
    assert outcome(ONLY_ACCURACY, answers).decision is Decision.MORE_NEEDED
    used_up = outcome(ONLY_ACCURACY, answers, may_answer_more=False)
    assert used_up.decision is Decision.FAILED
    assert used_up.reason.startswith("answers and attempts are used up: ")


def test_who_may_try_again_needs_more_and_who_tried_too_often_has_failed():
    twice = Rule(min_answers=10, accuracy=0.8, attempts=2)
    first = outcome(twice, right(5), may_answer_more=False, attempts_used=1)
    assert first.decision is Decision.MORE_NEEDED
    assert (
        outcome(twice, right(5), may_answer_more=False, attempts_used=2).decision is Decision.FAILED
    )
    assert outcome(twice, right(50), attempts_used=3).decision is Decision.FAILED


def test_a_bar_that_no_number_of_answers_reaches_is_said_as_the_most_counted():
    assert n_more_right(0, 9000, 0.999999) == MOST_MORE


@all_cases(
    ("data", "says"),
    [
        ([], "a rule is an object"),
        ({"accurracy": 0.8}, "accurracy: a rule has no such field"),
        ({"min_answers": 0}, "min_answers: 0 is not a whole number"),
        ({"min_answers": True}, "min_answers: True"),
        ({"min_answers": 2.5}, "min_answers: 2.5"),
        ({"attempts": 0}, "attempts: 0"),
        ({"accuracy": 1}, "accuracy: 1 is not a share"),
        ({"accuracy": "high"}, "accuracy: 'high'"),
        ({"accuracy": float("nan")}, "accuracy: nan"),
        ({"recall": 0.5}, "recall: it has a bar for each label"),
        ({"recall": {"malformed": 0}}, "recall: malformed: 0"),
        ({"confidence": 1}, "confidence: 1"),
        ({"confidence": 0.4}, "confidence: 0.4"),
        ({"acts": "yes"}, "acts: 'yes'"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused_with_its_field(data, says):
    with pytest.raises(RuleError, match=says):
        Rule.from_dict(data)


def test_a_rule_comes_back_as_it_was_written():
    assert Rule.from_dict(RULE.to_dict()) == RULE


@given(
    st.lists(st.tuples(st.sampled_from("pm"), st.sampled_from("pm")), max_size=30),
    st.floats(min_value=0.05, max_value=0.98),
    st.sampled_from([{}, {"m": 0.3}]),
    st.integers(min_value=1, max_value=3),
)
def test_a_rule_grants_under_a_bar_that_is_not_above_the_highest(answers, bar, recall, used):
    rule = Rule(min_answers=5, accuracy=bar, recall=recall, attempts=2)

    highest = highest_bar(rule, answers, attempts_used=used)

    granted = outcome(rule, answers, attempts_used=used).decision is Decision.GRANTED
    assert granted == (highest is not None and bar <= highest)
