"""Questions that are answered by a text or by ticked sentences: annotation/schemes/written_questions.py."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.schemes import ResponseError, Row
from annotation.schemes.written_questions import Sentences, Text, as_stored
from tests.cases import all_cases

ANSWER = Text(name="answer", asks="Write", row="answer", most=20)
SENTENCES = Sentences(
    name="s.1",
    asks="Tick",
    row="sentences",
    passage=1,
    title="Tide",
    sentences=("It rises.", "It falls.", "It rises."),
)


def taken(question, **response):
    remaining = dict(response)
    return question.take(remaining), remaining


def test_a_text_is_stored_in_nfc_with_lf_and_otherwise_as_it_was_typed():
    text = " a\u0301\r\n\t=b  </p>\u202e "

    answer, remaining = taken(ANSWER, answer=text, other="x")

    assert answer == {"answer": " \u00e1\n\t=b  </p>\u202e "}
    assert remaining == {"other": "x"}


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40))
def test_nothing_of_a_text_changes_but_its_normal_form(text):
    question = Text(name="answer", asks="", row="answer", most=1000, may_be_empty=True)

    answer, _ = taken(question, answer=text)

    assert answer.get("answer", "") == (unicodedata.normalize("NFC", text) if text.strip() else "")


@all_cases(
    ("text", "why"),
    [
        ("", "write something"),
        (" \r\n\t ", "write something"),
        ("a\rb", "character 2 is the control character U\\+000D"),
        ("bell\x07", "character 5 is the control character U\\+0007"),
        ("a\x00", "U\\+0000"),
        ("a\x1f", "U\\+001F"),
        ("a\ud800", "character 2 is half of one"),
        ("e" * 21, "at most 20 characters, not 21"),
        (7, "a text, not 7"),
    ],
)
def test_a_text_that_cannot_be_stored_is_refused_by_the_name_of_its_question(text, why):
    with pytest.raises(ResponseError, match=f"^answer: .*{why}"):
        taken(ANSWER, answer=text)


def test_the_length_counts_characters_after_they_are_put_together():
    text = "e\u0301" * 20  # 40 code points, 20 characters

    assert taken(ANSWER, answer=text)[0] == {"answer": "\u00e9" * 20}
    assert taken(ANSWER, answer="\U0001f30a" * 20)[0] == {"answer": "\U0001f30a" * 20}
    assert as_stored("\r\n\r\n") == "\n\n"


def test_a_text_that_may_be_empty_is_left_out():
    question = Text(name="note", asks="", row="note", most=20, may_be_empty=True)

    assert taken(question, note="  ") == ({}, {})
    assert question.is_answered({})
    assert not ANSWER.is_answered({"answer": " \n"})


def test_the_ticks_of_sentences_are_called_by_passage_and_number_and_the_title_is_0():
    assert SENTENCES.names == ["s.1.0", "s.1.1", "s.1.2", "s.1.3"]
    assert [mark.words for mark in SENTENCES.marks][1:] == ["It rises.", "It falls.", "It rises."]
    assert taken(SENTENCES, **{"s.1.3": "yes", "s.1.0": "yes"})[0] == {
        "s.1.0": "yes",
        "s.1.3": "yes",
    }


def test_a_passage_without_a_title_has_no_tick_for_it():
    untitled = Sentences(
        name="s.2", asks="", row="sentences", passage=2, title="", sentences=("One.",)
    )

    assert untitled.names == ["s.2.1"]


@pytest.mark.parametrize(
    ("response", "why"), [({}, "tick at least one sentence"), ({"s.1.1": "on"}, "s.1.1: yes or")]
)
def test_of_sentences_at_least_one_is_ticked_and_a_tick_is_yes(response, why):
    with pytest.raises(ResponseError, match=why):
        taken(SENTENCES, **response)


def test_a_text_and_the_numbers_of_ticked_sentences_are_the_text_of_a_row():
    said = {"answer": "Up.", "s.1.0": "yes", "s.1.3": "yes", "s.1.1": "yes"}

    assert list(ANSWER.rows(said, {})) == [Row(question="answer", text="Up.")]
    assert list(SENTENCES.rows(said, {})) == [
        Row(question="sentences", text="0|1|3", passage_number=1)
    ]
    assert SENTENCES.summary(said, {}) == "the title and sentences 1, 3"
    assert ANSWER.summary(said, {}) == "Up."
