"""Measures of an answer alone."""

import pytest

from scoring import reference_free
from scoring.reference_free import (
    PHRASES,
    Abstention,
    abstention,
    is_refusal,
    n_characters,
    says_unanswerable,
)
from tests.cases import all_cases
from text.tokens import words


def test_length_counts_characters_without_outer_white_space():
    assert n_characters(" a na\u00efve \U0001f408\n") == 9


@all_cases("phrase", PHRASES)
def test_every_phrase_is_found_whatever_its_case_and_punctuation(phrase):
    assert says_unanswerable(f"Well, {phrase.upper()}!")


@pytest.mark.parametrize(
    "text",
    [
        "I don\u2019t know.",
        "Based on the passage, the question cannot be answered.",
        "The passage does not mention who built it.",
        "UNANSWERABLE",
    ],
)
def test_real_wordings_say_that_there_is_no_answer(text):
    assert says_unanswerable(text)


@pytest.mark.parametrize(
    "text",
    ["In 1969.", "Nobody knows who built it.", "They were answerable to the king.", "No."],
)
def test_an_answer_says_nothing_of_the_kind(text):
    assert not says_unanswerable(text)


@pytest.mark.parametrize("text", ["", " \n", "!?", "the"])
def test_an_empty_answer_says_that_there_is_none_as_in_squad_2(text):
    assert says_unanswerable(text)


def test_the_phrases_are_the_callers_choice():
    assert says_unanswerable("Das weiß ich nicht.", ["weiß ich nicht"])
    assert not says_unanswerable("I don't know.", ["weiß ich nicht"])


def test_a_phrase_begins_and_ends_where_words_do():
    assert not says_unanswerable("A piano answers.", ["no answer"])


def test_unanswerable_accuracy_is_over_unanswerable_questions_only():
    answers = [("I don't know.", False), ("In 1969.", False), ("", False), ("I don't know.", True)]

    found = abstention(answers)

    assert found == Abstention(n_unanswerable=3, n_told=2, n_answerable=1, n_wrongly_told=1)
    assert (found.accuracy, found.wrong_rate) == (2 / 3, 1.0)


def test_without_a_question_of_the_kind_its_share_is_undefined():
    assert abstention([("In 1969.", True)]).accuracy is None
    assert abstention([("In 1969.", False)]).wrong_rate is None
    assert abstention([]) == Abstention(0, 0, 0, 0)


def test_phrases_that_can_be_read_only_once_serve_every_answer():
    assert abstention([("n/a", False), ("N/A", False)], iter(["n/a"])).accuracy == 1


@all_cases(
    ("text", "is_so"),
    [
        ("", True),
        (" \n", True),
        ("I don't know.", True),
        ("A", False),
        ("The", False),
        ("...", False),
    ],
)
def test_a_refusal_is_blank_or_has_a_phrase_and_an_article_alone_is_an_answer(text, is_so):
    assert is_refusal(text) is is_so


def test_the_phrases_are_taken_apart_once_for_all_answers(monkeypatch):
    asked = []
    monkeypatch.setattr(reference_free, "words", lambda text: asked.append(text) or words(text))
    is_refusal("Grey.")
    asked.clear()

    for text in ("A stone.", "A reed."):
        assert not is_refusal(text)
        assert not says_unanswerable(text)

    assert asked == ["A stone.", "A stone.", "A reed.", "A reed."]
