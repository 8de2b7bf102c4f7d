import pytest

from corpus.readers import scai_questions
from corpus.records import QuestionRecord
from tests.corpus.reader_files import QUESTION, TRUTH, problem_lines, write_file


def test_a_question_is_read_with_its_turn(tmp_path):
    assert scai_questions.read(write_file(tmp_path, [QUESTION])) == (
        QuestionRecord("1", 2, "What is it?"),
    )


@pytest.mark.parametrize("field", QUESTION)
def test_each_field_is_required(tmp_path, field):
    record = {key: value for key, value in QUESTION.items() if key != field}

    assert problem_lines(scai_questions.read, write_file(tmp_path, [record])) == [
        f"record 1: {field}: is missing"
    ]


def test_a_blank_question_is_none_and_each_knows_its_place(tmp_path):
    asked = scai_questions.read(
        write_file(tmp_path, [QUESTION, QUESTION | {"Turn_no": 3, "Question": " "}])
    )

    assert [(each.question, each.index) for each in asked] == [("What is it?", 1), ("", 2)]


def test_a_question_that_is_not_text_is_named(tmp_path):
    path = write_file(tmp_path, [QUESTION | {"Question": 3}])

    assert problem_lines(scai_questions.read, path) == ["record 1: Question: 3 is not text"]


def test_a_turn_that_comes_twice_is_refused_with_both_places(tmp_path):
    path = write_file(tmp_path, [QUESTION, QUESTION])

    assert problem_lines(scai_questions.read, path) == [
        'record 2: turn: "1_2" is already in record 1'
    ]


def test_a_truth_in_its_place_is_called_that_and_nothing_else(tmp_path):
    path = write_file(tmp_path, [TRUTH, TRUTH | {"Turn_no": 3}])

    assert problem_lines(scai_questions.read, path) == [
        "looks like the truth file: its records have a Truth_answer and no Question."
        " Are the two files swapped?"
    ]
