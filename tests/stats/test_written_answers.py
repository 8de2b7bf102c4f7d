"""Agreement of people's texts and of the sentences that they mark."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.written_answers import (
    NO_PAIR,
    SentenceChoices,
    f1,
    sentence_agreement,
    text_agreement,
)
from text.rouge import rouge_l_f1

DRAWN = {"replicates": 1000, "seed": 0}


def test_the_texts_of_two_people_by_hand():
    """`the cat` of 3 and of 4 tokens: 2·2/7; of equal texts 1."""
    texts = {
        "1": {"a": "the cat sat", "b": "sat the fat cat"},
        "2": {"a": "Yes, lions.", "b": "yes lions"},
        "3": {"a": "alone"},
    }

    found = text_agreement(texts, rouge_l_f1)

    assert found.value == pytest.approx((4 / 7 + 1) / 2)
    assert (found.n_questions, found.interval.low <= found.value) == (2, True)


def test_of_three_people_each_pair_counts_and_each_question_alike():
    texts = {
        "1": {"a": "one two", "b": "one two", "c": "three"},
        "2": {"a": "four", "b": "four"},
    }

    assert text_agreement(texts, rouge_l_f1).value == pytest.approx((1 / 3 + 1) / 2)


def test_without_two_people_there_is_the_reason():
    found = text_agreement({"1": {"a": "alone"}}, rouge_l_f1)

    assert (found.value, found.reason) == (None, NO_PAIR)
    none = sentence_agreement({"1": SentenceChoices(3, {"a": {1}})}, **DRAWN)
    assert (none.alpha.value, none.raw.value, none.f1.reason) == (None, None, NO_PAIR)


def test_the_sentences_of_two_people_by_hand():
    """F1 1/2 and 2·2/5; of 4 and 6 sentences they agree on 2 and 5; alpha by coincidences.

    Marked are 9 of 20 values; unlike pairs 3: alpha = 1 - 19·3/(9·11) = .4242.
    """
    choices = {
        "1": SentenceChoices(4, {"a": {1, 2}, "b": {2, 3}}),
        "2": SentenceChoices(6, {"a": {1, 2}, "b": {1, 2, 6}}),
    }

    found = sentence_agreement(choices, **DRAWN)

    assert found.f1.value == pytest.approx((1 / 2 + 4 / 5) / 2)
    assert found.raw.value == pytest.approx(7 / 10)
    assert found.alpha.value == pytest.approx(1 - 19 * 3 / (9 * 11))
    assert found.alpha.basis.n_items == 10


@given(st.sets(st.integers(1, 9)), st.sets(st.integers(1, 9)))
def test_f1_is_symmetric_and_1_only_of_equal_sets(one, other):
    assert f1(one, other) == f1(other, one)
    assert (f1(one, other) == 1) == (one == other)
    assert 0 <= f1(one, other) <= 1


def test_two_empty_sets_agree():
    assert f1(set(), set()) == Fraction(1)


def test_a_sentence_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="1 to 3"):
        sentence_agreement({"1": SentenceChoices(3, {"a": {0}, "b": {1}})}, **DRAWN)
