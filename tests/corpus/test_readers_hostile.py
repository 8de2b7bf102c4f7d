"""What every reader must refuse in the same words, whatever it reads."""

import codecs
import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.problems import ImportProblems
from corpus.readers import passages, scai_questions, scai_run, scai_truth, scores
from corpus.readers.encoding import CHUNK
from tests.cases import all_cases
from tests.corpus.reader_files import ANSWER, QUESTION, TRUTH, problem_lines, write_file

JSON_READERS = {
    "truth": (scai_truth.read, TRUTH),
    "questions": (scai_questions.read, QUESTION),
    "run": (scai_run.read, ANSWER),
}
ROW = b"turn_id\tpassage_id\tpassage\n1_1\tp1\tgold\n"
LINE = b'{"id": "p1", "text": "gold"}\n'
GOOD = {
    "truth": (scai_truth.read, json.dumps([TRUTH]).encode()),
    "questions": (scai_questions.read, json.dumps([QUESTION]).encode()),
    "run": (scai_run.read, json.dumps([ANSWER]).encode()),
    "passages table": (passages.read, ROW),
    "passages lines": (passages.read, LINE),
    "scores": (scores.read, b"id,run,sas\n1_1,a,0.5\n"),
}

json_readers = pytest.mark.parametrize(("read", "record"), JSON_READERS.values(), ids=JSON_READERS)
all_readers = pytest.mark.parametrize(("read", "good"), GOOD.values(), ids=GOOD)


@all_readers
def test_a_byte_order_mark_and_crlf_change_nothing(tmp_path, read, good):
    plain = read(write_file(tmp_path, good, "plain"))

    marked = read(write_file(tmp_path, codecs.BOM_UTF8 + good.replace(b"\n", b"\r\n"), "marked"))

    assert marked == plain


@all_readers
@all_cases(
    ("encoding", "name"),
    [
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16 without a mark"),
        ("utf-16-be", "UTF-16 without a mark"),
        ("utf-32", "UTF-32"),
    ],
)
def test_another_encoding_is_named(tmp_path, read, good, encoding, name):
    path = write_file(tmp_path, good.decode().encode(encoding))

    assert problem_lines(read, path) == [f"the file is {name}; save it as UTF-8"]


@all_readers
def test_a_byte_that_is_not_utf_8_is_told_by_its_offset_and_line(tmp_path, read, good):
    path = write_file(tmp_path, good + b"\xe9 ")

    line = good.decode().count("\n") + 1
    assert problem_lines(read, path) == [
        f"the file is not UTF-8: the byte at offset {len(good)} (from 0), in line {line},"
        " cannot be read; it may be Latin-1 or Windows-1252: save it as UTF-8"
    ]


@pytest.mark.parametrize("n_before", [CHUNK - 1, CHUNK, CHUNK + 1])
def test_the_offset_is_right_at_the_border_of_what_is_read_at_once(tmp_path, n_before):
    path = write_file(tmp_path, b" " * n_before + b"\xc3(")

    assert f"offset {n_before} (from 0)" in problem_lines(scai_run.read, path)[0]


def test_a_character_across_that_border_is_read(tmp_path):
    before = b'[{"Conversation_no": 1, "Turn_no": 1, "Model_answer": "'
    space = b" " * (CHUNK - 1 - len(before))

    (answer,) = scai_run.read(write_file(tmp_path, space + before + 'é"}]'.encode()))

    assert answer.text == "é"


def test_a_file_that_ends_within_a_character_is_not_utf_8(tmp_path):
    path = write_file(tmp_path, b'["\xe2\x82')

    assert "offset 2 (from 0)" in problem_lines(scai_run.read, path)[0]


@json_readers
@all_cases(
    ("content", "expected"),
    [
        ("", "the file holds nothing, not a list of objects"),
        (" \r\n", "the file holds nothing, not a list of objects"),
        ('{"a": []}', "the file holds an object, not a list of objects"),
        ("3", "the file holds 3, not a list of objects"),
        ("[]", "the list is empty"),
        ("[ ]\n", "the list is empty"),
        ("gold", "not JSON: Expecting value at line 1, column 1"),
        ("[", "not JSON: Expecting value at line 1, column 2"),
        (
            '{"a": 1}\n{"a": 2}\n',
            "the file holds JSON Lines, an object on each line, not a list of objects",
        ),
        ("[] []", "not JSON: Extra data at line 1, column 4"),
        ("[" * 100_000, "record 1: is nested too deeply to be read"),
        ('{"a":' * 100_000, "record 1: is nested too deeply to be read"),
    ],
)
def test_a_file_that_is_no_list_is_told_what_it_is(tmp_path, read, record, content, expected):
    assert problem_lines(read, write_file(tmp_path, content)) == [expected]


@json_readers
@all_cases(
    ("ending", "expected"),
    [
        ("", "Expecting ',' delimiter at line 2, column 1"),
        (",\r\n]", "Expecting value at line 3, column 1"),
        ('{"a": 1}]', "Expecting ',' delimiter at line 2, column 1"),
        ("] gold", "Extra data at line 2, column 3"),
        (',{"a": "b\n"}]', "Invalid control character at line 2, column 10"),
        (",{'a': 1}]", "Expecting property name enclosed in double quotes at line 2, column 3"),
    ],
)
def test_a_break_in_the_json_is_told_by_line_and_column(tmp_path, read, record, ending, expected):
    path = write_file(tmp_path, f"[{json.dumps(record)}\n{ending}")

    assert problem_lines(read, path) == [f"not JSON: {expected}"]


@json_readers
def test_problems_before_a_break_are_told_too(tmp_path, read, record):
    path = write_file(tmp_path, f"[{json.dumps(record | {'Turn_no': 0})}, gold]")

    assert [line.split(":")[0] for line in problem_lines(read, path)] == ["not JSON", "record 1"]


@json_readers
@all_cases(
    ("fragment", "expected"),
    [
        ('"Turn_no": 3', 'the key "Turn_no" is there twice'),
        ('"x": {"y": 1, "y": 1}', 'the key "y" is there twice'),
        ('"x": [NaN]', "NaN is not a number of JSON"),
        ('"x": -Infinity', "-Infinity is not a number of JSON"),
        ('"x": ' + "9" * 101, "a number has 101 digits, more than 100"),
        ('"x": ' + "9" * 5000, "a number has 5000 digits, more than 100"),
    ],
)
def test_json_that_would_be_read_differently_elsewhere_is_refused(
    tmp_path, read, record, fragment, expected
):
    odd = f"{json.dumps(record)[:-1]}, {fragment}}}"
    path = write_file(tmp_path, f"[{odd}, {json.dumps(record | {'Turn_no': 9})}]")

    assert problem_lines(read, path) == [f"record 1: {expected}"]


@json_readers
def test_an_element_that_is_no_object_is_named_and_the_next_ones_are_read(tmp_path, read, record):
    path = write_file(tmp_path, [None, "gold", [], record | {"Turn_no": 0}])

    assert problem_lines(read, path) == [
        "record 1: null is not an object",
        'record 2: "gold" is not an object',
        "record 3: a list is not an object",
        "record 4: Turn_no: 0 is below 1",
    ]


@json_readers
def test_a_file_that_is_not_there_is_an_error_of_the_system(tmp_path, read, record):
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "nowhere.json")


@all_readers
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused_and_never_breaks_the_reader(
    tmp_path_factory, read, good, data
):
    start = data.draw(st.integers(0, len(good)))
    end = data.draw(st.integers(start, len(good)))
    splinter = st.sampled_from([b'"', b"\0", b"\\ud800", b"{}", b"[", b",", b"\t", b"\n", b"1e999"])
    damage = data.draw(st.binary(max_size=3) | splinter)
    path = write_file(tmp_path_factory.mktemp("damaged"), good[:start] + damage + good[end:])

    with contextlib.suppress(ImportProblems):
        read(path)


@all_readers
@all_cases(
    ("beginning", "name"),
    [
        (b"PK\x03\x04\x14\x00", "a ZIP archive"),
        (b"\x1f\x8b\x08\x00", "a gzip file"),
        (b"BZh91AY", "a bzip2 file"),
        (b"\xfd7zXZ\x00", "an xz file"),
    ],
)
def test_a_packed_file_is_named(tmp_path, read, good, beginning, name):
    (problem,) = problem_lines(read, write_file(tmp_path, beginning + good, "packed"))

    assert problem.startswith(f"this is {name}")
    assert problem.endswith("unpack it, and send the text file that is in it")


@json_readers
def test_json_lines_instead_of_a_list_are_named(tmp_path, read, record):
    lines = f"{json.dumps(record)}\n{json.dumps(record)}\n"

    expected = "the file holds JSON Lines, an object on each line, not a list of objects"
    assert problem_lines(read, write_file(tmp_path, lines)) == [expected]
