import json

import pytest

from corpus.readers.answers_jsonl import RUN_FORMAT, read
from corpus.records import CitationRecord
from tests.cases import all_cases
from tests.corpus.reader_files import problem_lines, write_file


def jsonl(*records):
    return "".join(f"{json.dumps(record)}\n" for record in records)


def test_a_line_answers_a_single_question(tmp_path):
    (answer,) = read(write_file(tmp_path, jsonl({"id": 7, "answer": " Up.", "model": "x"})))

    assert (answer.turn_id, answer.text, answer.citations, answer.index) == ("7_1", " Up.", (), 1)


@pytest.mark.parametrize("record", [{"id": "7", "answer": None}, {"id": "7", "passages": []}])
def test_a_missing_answer_is_an_empty_one(tmp_path, record):
    (answer,) = read(write_file(tmp_path, jsonl(record)))

    assert answer.text == ""


def test_passages_rank_in_the_order_of_the_file(tmp_path):
    told = {"id": "b", "text": "B.", "title": "T", "score": 2}
    cited = ["a", told, {"text": "C."}, "a", {"text": "C."}]

    (answer,) = read(write_file(tmp_path, jsonl({"id": "7", "answer": "A", "passages": cited})))

    assert answer.citations == (
        CitationRecord("a", 1, None, ""),
        CitationRecord("b", 2, 2.0, "", "B.", "T"),
        CitationRecord("", 3, None, "", "C."),
    )


@all_cases(
    ("fields", "expected"),
    [
        ({"id": None}, "id: null is not text"),
        ({"id": " "}, 'id: " " is an empty id'),
        ({"answer": 3}, "answer: 3 is not text"),
        ({"passages": "a"}, 'passages: "a" is not a list'),
        ({"passages": [3]}, "passages[1]: 3 is not text"),
        ({"passages": [""]}, 'passages[1]: "" is an empty id'),
        ({"passages": [{}]}, "passages[1]: has neither id nor text"),
        (
            {"passages": [{"id": "a", "score": "x"}]},
            'passages[1].score: "x" is not a finite number',
        ),
    ],
)
def test_a_wrong_value_is_named_with_its_line_and_field(tmp_path, fields, expected):
    wrong = {"id": "8", "answer": "A", **fields}

    assert expected in problem_lines(read, write_file(tmp_path, jsonl(wrong)))[0]


def test_a_question_that_is_answered_twice_is_a_problem(tmp_path):
    file = write_file(tmp_path, jsonl({"id": "7", "answer": "A"}, {"id": 7, "answer": "B"}))

    assert problem_lines(read, file) == ['line 2: id: "7" is already in line 1']


def test_a_file_of_something_else_is_said_to_be(tmp_path):
    file = write_file(tmp_path, jsonl({"id": "7", "input": "what"}))

    assert problem_lines(read, file) == [
        "no line has a field of a run (answer, passages): is this one?"
    ]


@pytest.mark.parametrize(
    ("content", "expected"), [(' \n{"id"', True), ("[{", False), ("\ufeff{", True), ("", False)]
)
def test_the_first_visible_character_tells_the_format(tmp_path, content, expected):
    assert RUN_FORMAT.is_of(write_file(tmp_path, content)) is expected
