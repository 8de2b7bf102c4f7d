"""Whether the left is preferred: each judgement once, and by question."""

import random

import pytest
from hypothesis import given

from stats.pairwise.position_bias import NOTHING_DECIDED, left_bias
from stats.pairwise.records import Preference
from stats.sign_flip import NEVER_APART
from tests.stats.pairwise.preferences import compared, mirrored, tournaments


def bias(rows):
    return left_bias(rows, seed=0)


def comparisons(question, *sides):
    return [
        Preference(question, f"{question}-{number}", "a", "A", "B", side)
        for number, side in enumerate(sides)
    ]


def test_ties_prefer_neither_side():
    found = bias([*comparisons("1", "left", "left", "tie"), *comparisons("2", "right", "tie")])

    assert found.share.value == pytest.approx(2 / 3)
    assert (found.n_left, found.share.n_values, found.n_judgements) == (2, 3, 5)


def test_a_judgement_of_answers_that_several_runs_gave_counts_once():
    rows = [
        Preference("1", "j", "a", left, right, "left")
        for left in ("A", "B")
        for right in ("C", "D")
    ]

    found = bias([*rows, *comparisons("2", "right")])

    assert (found.share.value, found.n_judgements) == (0.5, 2)


def test_the_same_name_of_a_judgement_on_another_question_is_another():
    rows = [Preference(question, "j", "a", "A", "B", "left") for question in "12"]

    assert bias(rows).n_judgements == 2


def test_where_nothing_is_decided_there_is_no_share():
    found = bias(comparisons("1", "tie", "tie"))

    assert (found.share.value, found.share.reason) == (None, NOTHING_DECIDED)
    assert (found.test.p, found.test.reason) == (None, NEVER_APART)
    assert found.share.interval.reason == NOTHING_DECIDED


def test_questions_not_judgements_speak_against_chance():
    """Eight judgements to the left: of eight questions p is 2/2^8, of two 2/2^2."""
    apart = [row for n in range(8) for row in comparisons(f"{n}", "left")]
    together = [row for n in range(2) for row in comparisons(f"{n}", *["left"] * 4)]

    assert bias(apart).test.p == pytest.approx(2 / 2**8)
    assert bias(together).test.p == pytest.approx(2 / 2**2)


@given(tournaments())
def test_mirrored_the_share_is_what_was_left_of_it(rows):
    there, back = bias(rows), bias(mirrored(rows))

    assert there.test == back.test
    if there.share.value is not None:
        assert there.share.value + back.share.value == pytest.approx(1)


@given(tournaments())
def test_order_changes_nothing(rows):
    assert bias(random.Random(1).sample(rows, len(rows))) == bias(rows)


def test_a_worked_table():
    found = bias(compared({"1": {"AB": "AB=", "AC": "AAC"}}))

    assert found.share.value == pytest.approx(3 / 5)
