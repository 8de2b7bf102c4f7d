import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.readers import scai_truth
from corpus.readers.fields import MOST_ID_BYTES
from tests.cases import all_cases
from tests.corpus.reader_files import QUESTION, TRUTH, problem_lines, write_file


def test_a_truth_record_becomes_a_turn_without_a_question(tmp_path):
    (turn,) = scai_truth.read(write_file(tmp_path, [TRUTH]))

    assert (turn.conversation, turn.number, turn.turn_id) == ("1", 2, "1_2")
    assert turn.question == ""
    assert turn.rewrite == "What is a touchstone?"
    assert turn.reference == "A stone on which gold is tried."
    assert turn.truth_passages == ("p1",)


def test_texts_are_kept_raw(tmp_path):
    (turn,) = scai_truth.read(write_file(tmp_path, [TRUTH | {"Truth_answer": " gold\r\n"}]))

    assert turn.reference == " gold\r\n"


def test_an_empty_answer_is_no_truth_and_no_problem(tmp_path):
    (turn,) = scai_truth.read(write_file(tmp_path, [TRUTH | {"Truth_answer": ""}]))

    assert turn.reference == ""


@pytest.mark.parametrize("blank", ["", "  ", "\n\u00a0"])
def test_what_is_blank_says_nothing_but_stays_in_the_source(tmp_path, blank):
    record = TRUTH | {"Truth_answer": blank, "Truth_rewrite": blank}
    (turn,) = scai_truth.read(write_file(tmp_path, [record]))

    assert (turn.reference, turn.rewrite, turn.source) == ("", "", record)


def test_turns_know_their_place_in_the_file(tmp_path):
    turns = scai_truth.read(write_file(tmp_path, [TRUTH, TRUTH | {"Turn_no": 1}]))

    assert [(turn.number, turn.index) for turn in turns] == [(2, 1), (1, 2)]


def test_the_source_holds_the_five_truth_keys_as_they_were_and_nothing_else(tmp_path):
    raw = TRUTH | {"Conversation_no": "1", "Truth_passages": ["p1", "p1"]}
    extended = {"Truth_answers_alternative": [{"answer": "So."}], **raw}

    (turn,) = scai_truth.read(write_file(tmp_path, [extended]))

    assert json.dumps(turn.source) == json.dumps(raw)
    assert turn.truth_passages == ("p1",)


def test_a_conversation_number_may_be_a_text_of_digits(tmp_path):
    (turn,) = scai_truth.read(
        write_file(tmp_path, [TRUTH | {"Conversation_no": "12", "Turn_no": "3"}])
    )

    assert turn.turn_id == "12_3"


def test_conversation_zero_is_allowed(tmp_path):
    (turn,) = scai_truth.read(write_file(tmp_path, [TRUTH | {"Conversation_no": 0}]))

    assert turn.turn_id == "0_2"


def test_turns_keep_the_order_of_the_file(tmp_path):
    numbers = [3, 1, 2]
    turns = scai_truth.read(write_file(tmp_path, [TRUTH | {"Turn_no": n} for n in numbers]))

    assert [turn.number for turn in turns] == numbers


@pytest.mark.parametrize("field", scai_truth.KEYS)
def test_each_of_the_five_fields_is_required(tmp_path, field):
    record = {key: value for key, value in TRUTH.items() if key != field}

    assert problem_lines(scai_truth.read, write_file(tmp_path, [record])) == [
        f"record 1: {field}: is missing"
    ]


@all_cases(
    ("field", "value", "expected"),
    [
        ("Conversation_no", True, "true is not a whole number"),
        ("Conversation_no", 1.0, "1.0 is not a whole number"),
        ("Conversation_no", None, "null is not a whole number"),
        ("Conversation_no", "1a", '"1a" is not a whole number'),
        ("Conversation_no", "01", '"01" is not a whole number'),
        ("Conversation_no", "１", '"１" is not a whole number'),  # noqa: RUF001
        ("Conversation_no", "", '"" is not a whole number'),
        ("Conversation_no", -1, "-1 is below 0"),
        ("Conversation_no", "-1", '"-1" is below 0'),
        ("Turn_no", 2**31, "2147483648 is above 2147483647"),
        ("Turn_no", 0, "0 is below 1"),
        ("Turn_no", [1], "a list is not a whole number"),
        ("Truth_rewrite", 3, "3 is not text"),
        ("Truth_answer", None, "null is not text"),
        ("Truth_answer", ["a"], "a list is not text"),
        ("Truth_answer", {"a": 1}, "an object is not text"),
        (
            "Truth_answer",
            "abc\0",
            "character 4 is U+0000, which a database cannot hold",
        ),
        (
            "Truth_answer",
            "\ud800",
            "character 1 is U+D800, which a database cannot hold",
        ),
        ("Truth_passages", "p1", '"p1" is not a list of passage ids'),
        ("Truth_passages", None, "null is not a list of passage ids"),
        ("Truth_passages", ["p1", 3], "3 is not text"),
        ("Truth_passages", [""], '"" is an empty id'),
        ("Truth_passages", [" "], '" " is an empty id'),
        ("Truth_passages", ["p\0"], "character 2 is U+0000, which a database cannot hold"),
        (
            "Truth_passages",
            ["é" * (MOST_ID_BYTES // 2) + "e"],
            f'"{"é" * 60}…" is an id of more than 2000 bytes',
        ),
    ],
)
def test_a_wrong_value_is_named_with_its_record_and_field(tmp_path, field, value, expected):
    path = write_file(tmp_path, [TRUTH | {"Turn_no": 9}, TRUTH | {field: value}])

    assert problem_lines(scai_truth.read, path) == [f"record 2: {field}: {expected}"]


def test_a_turn_that_comes_twice_is_refused_with_both_places(tmp_path):
    path = write_file(tmp_path, [TRUTH, TRUTH | {"Turn_no": 3}, TRUTH | {"Conversation_no": "1"}])

    assert problem_lines(scai_truth.read, path) == ['record 3: turn: "1_2" is already in record 1']


def test_records_without_a_turn_are_not_taken_for_the_same_turn(tmp_path):
    path = write_file(tmp_path, [TRUTH | {"Turn_no": 0}, TRUTH | {"Turn_no": 0}])

    assert problem_lines(scai_truth.read, path) == [
        "record 1: Turn_no: 0 is below 1",
        "record 2: Turn_no: 0 is below 1",
    ]


def test_all_problems_of_a_file_come_together_in_its_order(tmp_path):
    path = write_file(
        tmp_path, [TRUTH | {"Truth_answer": 3, "Truth_rewrite": 4}, 5, TRUTH | {"Turn_no": 0}]
    )

    assert problem_lines(scai_truth.read, path) == [
        "record 1: Truth_rewrite: 4 is not text",
        "record 1: Truth_answer: 3 is not text",
        "record 2: 5 is not an object",
        "record 3: Turn_no: 0 is below 1",
    ]


def test_the_report_calls_the_file_by_the_name_it_is_given(tmp_path):
    path = write_file(tmp_path, [3], name="upload.tmp")

    assert problem_lines(lambda path: scai_truth.read(path, name="truth.json"), path) == [
        "truth.json: record 1: 3 is not an object"
    ]


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5)
truths = st.lists(
    st.fixed_dictionaries(
        {
            "Conversation_no": st.integers(0, 2**31 - 1) | st.integers(0, 2**31 - 1).map(str),
            "Turn_no": st.integers(1, 2**31 - 1),
            "Truth_rewrite": texts,
            "Truth_passages": st.lists(texts.filter(str.strip), max_size=3),
            "Truth_answer": texts,
        }
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda record: (int(record["Conversation_no"]), record["Turn_no"]),
)


@given(truths, st.booleans())
def test_the_sources_written_back_are_the_file_and_read_as_the_same_turns(
    tmp_path_factory, raw, ensure_ascii
):
    folder = tmp_path_factory.mktemp("truth")
    turns = scai_truth.read(write_file(folder, json.dumps(raw, ensure_ascii=ensure_ascii)))

    assert [turn.source for turn in turns] == raw
    assert scai_truth.read(write_file(folder, [turn.source for turn in turns])) == turns


def test_a_questions_file_in_its_place_is_called_that_and_nothing_else(tmp_path):
    path = write_file(tmp_path, [QUESTION, QUESTION | {"Turn_no": 3}])

    assert problem_lines(scai_truth.read, path) == [
        "looks like the questions file: its records have a Question and no Truth_answer."
        " Are the two files swapped?"
    ]
