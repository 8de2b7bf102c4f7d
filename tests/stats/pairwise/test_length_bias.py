"""Whether longer answers are preferred and rated higher: counts, and what they leave out."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from stats import ratings
from stats.pairwise.length_bias import (
    NO_PAIR,
    NOTHING_UNLIKE,
    preference_by_length,
    rating_by_length,
)
from stats.pairwise.position_bias import NOTHING_DECIDED
from tests.stats.pairwise.preferences import DRAWN, compared, mirrored, rating, tournaments


def effect(rows, lengths):
    return preference_by_length(rows, lengths, seed=0)


def lengths(**of_runs):
    return {(f"{question}", run): n for question in range(1, 5) for run, n in of_runs.items()}


def tau(table, question="1"):
    """Return tau of (length, rating) of the answers to one question, or by question."""
    questions = table if isinstance(table, dict) else {question: table}
    rows = [
        rating(name, value, 4, run=f"{number}")
        for name, answers in questions.items()
        for number, (_, value) in enumerate(answers)
    ]
    of = {
        (name, f"{number}"): length
        for name, answers in questions.items()
        for number, (length, _) in enumerate(answers)
    }
    return rating_by_length(rows, ratings.faithful, of, **DRAWN)


def test_ties_and_answers_of_one_length_prefer_no_longer_one():
    rows = compared({"1": {"AB": "AA=", "AC": "A"}, "2": {"AB": "B"}})

    found = effect(rows, lengths(A=30, B=20, C=30))

    assert (found.longer.value, found.longer.n_values) == (pytest.approx(2 / 3), 3)
    assert (found.extra.value, found.extra.n_values) == (pytest.approx((10 + 10 + 0 - 10) / 4), 4)


def test_what_cannot_be_said_has_a_reason():
    same = effect(compared({"1": {"AB": "A"}}), lengths(A=5, B=5))
    tied = effect(compared({"1": {"AB": "="}}), lengths(A=5, B=6))

    assert (same.longer.reason, same.extra.value) == (NOTHING_UNLIKE, 0)
    assert (tied.longer.reason, tied.extra.reason) == (NOTHING_UNLIKE, NOTHING_DECIDED)
    assert tied.test.p is None


def test_questions_speak_against_chance():
    rows = compared({f"{n}": {"AB": "AAA"} for n in range(1, 5)})

    assert effect(rows, lengths(A=9, B=3)).test.p == pytest.approx(2 / 2**4)


@given(tournaments(questions=3))
def test_sides_and_order_change_nothing(rows):
    of = {(f"q{n}", run): (n + 2) * ord(run) % 5 for n in range(3) for run in "ABC"}
    there = effect(rows, of)

    assert effect(mirrored(rows), of) == there
    assert effect(random.Random(0).sample(rows, len(rows)), of) == there


def test_a_worked_question():
    found = tau([(10, 1), (20, 3), (30, 3)])

    assert found.value == pytest.approx(2 / 6**0.5)
    assert found.n_values == 2


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 4)), min_size=2, max_size=7))
def test_of_one_question_it_is_kendall_s(answers):
    found = tau(answers)

    theirs = kendalltau(*zip(*answers, strict=True)).statistic if found.n_values else None
    assert found.value == (None if theirs is None else pytest.approx(theirs))


def test_pairs_across_questions_count_nothing():
    """Long answers to one question, short ones to the other; within each the longer is rated lower."""
    found = tau({"1": [(100, 4), (110, 3)], "2": [(10, 2), (11, 1)]})

    assert found.value == -1


def test_an_answer_of_several_runs_counts_once_and_its_annotators_are_averaged():
    rows = [rating("1", value, 4, run="A", annotator=f"{n}") for n, value in enumerate((1, 4))] + [
        rating("1", 3, 4, run="B")
    ]
    twin = [
        type(each)(**{**{name: getattr(each, name) for name in each.__slots__}, "run": "C"})
        for each in rows[:2]
    ]
    of = {("1", "A"): 5, ("1", "B"): 9, ("1", "C"): 5}

    found = rating_by_length([*rows, *twin], ratings.faithful, of, **DRAWN)

    assert (found.value, found.n_values) == (1, 1)


def test_what_one_annotator_says_of_an_answer_in_two_batches_counts_twice():
    """A has 4, 1 and 1, a mean of 2; B has 3."""
    rows = [rating("1", value, 4, run="A") for value in (4, 1, 1)] + [rating("1", 3, 4, run="B")]
    of = {("1", "A"): 5, ("1", "B"): 9}

    for each in (rows, rows[::-1]):
        assert rating_by_length(each, ratings.both, of, **DRAWN).value == 1


def test_where_no_two_answers_differ_in_both_there_is_none():
    assert tau([(5, 1), (5, 4)]).reason == NO_PAIR
    assert tau([]).value is None


def test_an_answer_without_a_length_is_an_error():
    with pytest.raises(KeyError):
        effect(compared({"1": {"AB": "A"}}), {})
