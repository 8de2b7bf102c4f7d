"""What is asked of who writes an answer, and what is refused: annotation/schemes/writing.py."""

import pytest

from annotation import schemes
from annotation.schemes import ResponseError, payloads
from annotation.schemes.questions import Ticks
from tests.cases import all_cases

writing = schemes.get("writing")
CONFIRMED = {"makes_sense": "yes", "concise": "yes", "grammatical": "yes"}
ANSWERED = {"outcome": "answered", "s.1.2": "yes", "answer": "It falls.", **CONFIRMED}


def content(*sentences, title="Tide"):
    passage = {"title": title, "text": " ".join(sentences), "sentences": list(sentences)}
    return payloads.payload(
        question="what is a tide", context=[], answers=[], evidence=None, passages=[passage]
    )


PAYLOAD = content("It rises.", "It falls.", "It rises.")


def test_the_questions_come_in_the_order_of_the_work():
    names = [question.name for question in writing.questions(PAYLOAD)]

    assert names == ["outcome", "s.1", "answer", "minimal", "reason", "confirm"]
    assert writing.n_parts(PAYLOAD) == 1
    assert not writing.has_verdict


@pytest.mark.parametrize(
    "response",
    [
        ANSWERED,
        ANSWERED | {"s.1.0": "yes", "minimal": "yes"},
        {"outcome": "unanswerable"},
        {"outcome": "skip", "reason": "several"},
    ],
)
def test_a_whole_response_is_stored_as_it_is(response):
    assert writing.clean(response, PAYLOAD) == response


@all_cases(
    ("response", "why"),
    [
        ({name: ANSWERED[name] for name in ANSWERED if name != "s.1.2"}, "tick at least one"),
        ({name: ANSWERED[name] for name in ANSWERED if name != "answer"}, "answer: write"),
        (ANSWERED | {"answer": " \n "}, "answer: write"),
        ({name: ANSWERED[name] for name in ANSWERED if name != "concise"}, "“concise” is not"),
        (ANSWERED | {"s.1.4": "yes"}, "nothing called s.1.4 is asked"),
        (ANSWERED | {"s.2.1": "yes"}, "nothing called s.2.1 is asked"),
        (ANSWERED | {"reason": "other"}, "nothing called reason"),
        ({"outcome": "skip"}, "reason: choose one"),
        ({"outcome": "unanswerable", "answer": "It falls."}, "outcome is answered, and something"),
        ({"outcome": "unanswerable", "s.1.1": "yes"}, "nothing called s.1.1"),
        ({}, "outcome: choose one"),
        (ANSWERED | {"answer": "a" * 4001}, "at most 4,000 characters, not 4,001"),
    ],
)
def test_what_is_missing_or_not_asked_is_refused(response, why):
    with pytest.raises(ResponseError, match=why):
        writing.clean(response, PAYLOAD)


def test_a_form_that_says_unanswerable_beside_a_text_keeps_the_text_so_that_it_is_refused():
    """Without a script all questions are there, and what somebody wrote is not dropped without a word."""
    sent = {"outcome": "unanswerable", "answer": "It falls.", "s.1.1": "yes", "minimal": "yes"}

    assert writing.without_unasked_answers(PAYLOAD, sent) == {
        "outcome": "unanswerable",
        "answer": "It falls.",
    }
    assert writing.without_unasked_answers(PAYLOAD, sent | {"answer": ""}) == {
        "outcome": "unanswerable"
    }


def test_sentences_without_a_title_begin_with_1():
    payload = content("One.", title="")

    assert writing.clean(ANSWERED | {"s.1.2": "yes"} | {"s.1.1": "yes"}, content("A.", "B."))
    with pytest.raises(ResponseError, match=r"s\.1\.0"):
        writing.clean({**ANSWERED, "s.1.0": "yes", "s.1.1": "yes"}, payload)


def test_the_long_table_has_one_line_a_question_and_the_confirmations_none():
    rows = writing.rows(ANSWERED | {"s.1.0": "yes"}, [], PAYLOAD)

    assert [(row.question, row.label, row.text, row.passage_number) for row in rows] == [
        ("outcome", "answered", "", None),
        ("sentences", "", "0|2", 1),
        ("answer", "", "It falls.", None),
        ("minimal", "no", "", None),
    ]


def test_in_words_the_text_stands_alone_so_that_it_keeps_its_direction():
    said = writing.response_lines(ANSWERED | {"minimal": "yes"}, [], PAYLOAD, {})

    assert said[:4] == ["answered", "sentence 2", "It falls.", "a short answer would do"]


@pytest.mark.parametrize("accuracy", [0.0, 0.5, 1.0])
def test_a_simulated_annotator_gives_whole_responses(accuracy):
    for item in range(30):
        response = writing.simulated_response(
            PAYLOAD, [], seed=1, annotator=1, item=item, accuracy=accuracy
        )
        assert writing.clean(response, PAYLOAD) == response


def test_a_simulated_answer_is_the_ticked_sentences_copied_and_says_that_it_is_simulated():
    said = [
        writing.simulated_response(PAYLOAD, [], seed=1, annotator=1, item=n, accuracy=0)
        for n in range(60)
    ]

    answered = [each for each in said if each["outcome"] == "answered"]
    sentences = PAYLOAD["passages"][0]["sentences"]
    for each in answered:
        copied = [text for n, text in enumerate(sentences, start=1) if f"s.1.{n}" in each]
        assert each["answer"] == f"(simulated) {' '.join(copied)}"
    assert len(said) / 2 < len(answered) < len(said)


def test_all_needed_ticks_are_answered_by_all_of_them_only():
    (confirm,) = [q for q in writing.questions(PAYLOAD) if isinstance(q, Ticks) and q.needs_all]

    assert confirm.is_answered(CONFIRMED)
    assert not confirm.is_answered({"concise": "yes"})
