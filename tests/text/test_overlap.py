from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import all_cases
from text.overlap import best_value, exact_match, token_f1, token_recall
from text.tokens import normalise

SHORT = st.text(st.sampled_from("abct he.,"), max_size=12)


def squad_f1(prediction: str, reference: str) -> float:
    """Written after SQuAD's evaluation script, with the empty cases of its second version."""
    predicted, expected = normalise(prediction).split(), normalise(reference).split()
    if not predicted or not expected:
        return float(predicted == expected)
    n_shared = (Counter(predicted) & Counter(expected)).total()
    if n_shared == 0:
        return 0.0
    precision, recall = n_shared / len(predicted), n_shared / len(expected)
    return 2 * precision * recall / (precision + recall)


def test_exact_match_sees_through_case_articles_and_punctuation():
    assert exact_match(" The cat's mat!", "cats mat") == 1.0


def test_exact_match_minds_the_order():
    assert exact_match("dog bites man", "man bites dog") == 0.0


def test_token_f1_is_the_harmonic_mean_of_precision_and_recall():
    # 2 of 2 tokens are right and 2 of 3 are found: 2·1·(2/3) / (1 + 2/3).
    assert token_f1("a cat sat", "The cat sat down") == pytest.approx(0.8)


def test_token_f1_counts_a_repeated_token_as_often_as_both_have_it():
    assert token_f1("no no no", "no no yes") == pytest.approx(2 * 2 / 6)


@all_cases("measure", [exact_match, token_f1, token_recall])
@all_cases("empty", ["", " \n", "the", "!?"])
def test_two_empty_texts_agree_and_one_empty_text_does_not(measure, empty):
    assert measure(empty, "") == 1.0
    assert measure("", empty) == 1.0
    assert measure(empty, "cat") == 0.0
    assert measure("cat", empty) == 0.0


def test_token_recall_is_the_share_of_the_references_tokens():
    assert token_recall("a cat sat", "The cat sat down") == pytest.approx(2 / 3)
    assert token_recall("The cat sat down", "a cat sat") == 1.0


@given(SHORT, SHORT)
def test_token_f1_is_the_harmonic_mean_of_the_recalls_either_way(prediction, reference):
    recall, precision = token_recall(prediction, reference), token_recall(reference, prediction)
    both = recall + precision

    expected = 2 * recall * precision / both if both else 0.0

    assert token_f1(prediction, reference) == pytest.approx(expected)


@given(SHORT, SHORT)
def test_token_f1_has_the_value_of_the_official_script(prediction, reference):
    assert token_f1(prediction, reference) == pytest.approx(squad_f1(prediction, reference))
    assert token_f1(prediction, reference) == token_f1(reference, prediction)


@given(SHORT, SHORT)
def test_exact_match_is_no_higher_than_token_f1(prediction, reference):
    assert exact_match(prediction, reference) <= token_f1(prediction, reference) <= 1.0


def test_measuring_twice_gives_the_same_value():
    assert token_f1("b b c", "b c c") == token_f1("b b c", "b c c") == pytest.approx(2 / 3)


def test_best_is_the_highest_value_over_the_references():
    assert best_value(token_f1, "the cat sat", ["dog", "cat sat down", "cat"]) == pytest.approx(0.8)


def test_best_refuses_to_score_without_a_reference():
    with pytest.raises(ValueError, match="empty"):
        best_value(token_f1, "cat", [])
