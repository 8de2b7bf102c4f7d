"""Which answers of two rounds are one output, and which lines of imported files stay."""

import json

import pytest

from corpus.clapnq import line_of
from exports.written import outputs
from exports.written.answers import by_question
from exports.written.outputs import Question
from tests.exports.written.made_answers import answer


def made(*answers):
    """The outputs of answers to one question, as text, annotators and round."""
    (of_question,) = by_question(answers).values()
    found = outputs.outputs(of_question, outputs.numbers(answers))
    return [(each["answer"], each["meta"]["annotator"], each["meta"]["round"]) for each in found]


def test_the_same_text_with_other_ticks_is_another_output():
    first = answer("It fell.", 1, 3, n=1, person="B")
    second = answer("It fell.", 1, n=2, person="A", round=2)

    assert made(first, second) == [("It fell.", [2], 1), ("It fell.", [1], 2)]


def test_each_second_answer_joins_the_one_that_it_saw():
    """Two people wrote the same independently; each was seen by somebody else."""
    given = [
        answer("It fell.", 1, 3, n=1, person="A"),
        answer("It fell.", 1, 3, n=2, person="B"),
        answer("It fell.", 1, 3, n=3, person="C", round=2, first=2),
        answer("It rose.", 1, 3, n=4, person="D", round=2, first=1),
    ]

    assert made(*given) == [
        ("It fell.", [1], 1),
        ("It rose.", [4], 2),
        ("It fell.", [2, 3], 2),
    ]


def test_equal_sentences_are_both_there_after_the_title_in_the_order_of_the_passage():
    (found,) = outputs.outputs([answer("x", 0, 2, 5)], {"A1": 1})

    assert found["selected_sentences"] == ["T", "b", "b"]
    assert found["meta"]["non_consecutive"] is True
    (title_and_two,) = outputs.outputs([answer("x", 0, 2, 3)], {"A1": 1})
    assert title_and_two["meta"]["non_consecutive"] is False


def test_a_line_keeps_all_else_and_one_is_made_where_the_file_was_of_another_format():
    imported = line_of({"output": [], "z": "é/", "id": "7"})
    passage = {"title": "T", "text": "a", "sentences": ["a"]}
    same = Question(turn=1, id="7_1", text="q", part="", line=imported)
    other = Question(turn=1, id="7_1", text="q", part="", line="", passages=(passage,))

    assert outputs.line(same, [{"answer": "x"}]) == imported.replace("[]", '[{"answer":"x"}]')
    assert json.loads(outputs.line(other, [])) == {
        "id": "7_1",
        "input": "q",
        "passages": [passage],
        "output": [],
    }


@pytest.mark.parametrize(
    ("output", "says_so"),
    [
        ([{"answer": ""}], True),
        ([{"answer": " "}], True),
        ([{"answer": "x"}], False),
        ([{"answer": ""}, {"answer": "x"}], False),
        ([], False),
    ],
)
def test_only_an_output_without_a_text_says_that_a_question_is_unanswerable(output, says_so):
    assert outputs.is_imported_unanswerable(line_of({"id": "1", "output": output})) is says_so
    assert not outputs.is_imported_unanswerable("")
