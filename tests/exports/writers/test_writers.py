import csv
import io
import json
from dataclasses import astuple, dataclass, fields, replace

import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from exports.rows.columns import AnswerRow, ItemRow, JudgementRow
from exports.writers import csv_table, json_file
from tests.cases import all_cases
from tests.exports.rows_for_tests import answer, study

HOSTILE = [
    "a, b",
    'she said "no"',
    '"',
    "two\nlines",
    "mac\rline",
    "dos\r\nline",
    '=cmd|" /C calc"!A0',
    "+1",
    "-1",
    "@sum",
    "\tbegins with a tab",
    " outer white space ",
    "إيمو\u200f, نعم",
    "🐦👩\u200d👩\u200d👧",
    "NA",
    "null",
    "nan",
    "\u2028and\x85too",
    "\ufeff",
    "\\n, \\",
]


@dataclass(frozen=True)
class Row:
    text: str
    number: int | float | None
    held: bool = True


def written_bytes(tmp_path, row_type, rows):
    path = tmp_path / "table.csv"
    csv_table.write(path, row_type, rows)
    return path


def as_read(row):
    """What a reader of texts sees of a row."""

    def cell(value):
        if isinstance(value, bool):
            return "true" if value else "false"
        return "" if value is None else str(value)

    return {field.name: cell(getattr(row, field.name)) for field in fields(row)}


def test_a_table_worked_by_hand(tmp_path):
    rows = [
        Row("plain", 12),
        Row("", None, held=False),
        Row('a "b", c', 0.1),
        Row("x\ny", 1e-7),
        Row("=1+1", -3.0),
    ]

    path = written_bytes(tmp_path, Row, rows)

    assert path.read_bytes() == (
        b"text,number,held\n"
        b"plain,12,true\n"
        b",,false\n"
        b'"a ""b"", c",0.1,true\n'
        b'"x\ny",1e-07,true\n'
        b"=1+1,-3.0,true\n"
    )


@pytest.mark.parametrize("row_type", [JudgementRow, ItemRow, AnswerRow])
def test_a_table_without_rows_has_its_header(tmp_path, row_type):
    path = written_bytes(tmp_path, row_type, [])

    names = [field.name for field in fields(row_type)]
    assert path.read_text(encoding="utf-8") == ",".join(names) + "\n"


@all_cases("text", HOSTILE)
def test_hostile_texts_are_read_back_as_they_were(tmp_path, text):
    rows = [answer(text), answer(text, run=text, team=text)]

    path = written_bytes(tmp_path, AnswerRow, rows)

    with path.open(encoding="utf-8", newline="") as file:
        assert list(csv.DictReader(file, strict=True)) == [as_read(row) for row in rows]
    frame = pd.read_csv(path, dtype=str, keep_default_na=False, na_filter=False)
    assert frame.to_dict("records") == [as_read(row) for row in rows]


# An example costs next to nothing, and the signs that a text may hold are many.
@settings(max_examples=2 * settings.default.max_examples)
@given(
    st.lists(st.builds(Row, st.text(), st.none() | st.integers() | st.floats(-9, 9), st.booleans()))
)
@example([Row("\r", None)])
def test_every_table_is_read_back_as_it_was(rows):
    file = io.StringIO("".join(csv_table.lines(Row, rows)), newline="")

    header, *found = csv.reader(file, strict=True)

    assert header == ["text", "number", "held"]
    assert found == [list(as_read(row).values()) for row in rows]


def test_numbers_are_read_back_to_the_last_bit(tmp_path):
    numbers = [0.1 + 0.2, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0, 2**70]

    path = written_bytes(tmp_path, Row, [Row("x", number) for number in numbers])

    with path.open(encoding="utf-8", newline="") as file:
        found = [float(row["number"]) for row in csv.DictReader(file)]
    assert [number.hex() for number in found] == [float(number).hex() for number in numbers]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_is_refused_by_both_writers(number):
    with pytest.raises(ValueError, match=r"nan|inf"):
        list(csv_table.lines(Row, [Row("x", number)]))
    with pytest.raises(ValueError, match=r"nan|inf"):
        json_file.text({"value": number})


def test_a_cell_of_another_kind_is_refused():
    with pytest.raises(TypeError, match=r"not \['x'\]"):
        list(csv_table.lines(Row, [Row("x", ["x"])]))


def test_a_row_of_another_table_is_refused():
    with pytest.raises(TypeError, match="a row of a Row table is a AnswerRow"):
        list(csv_table.lines(Row, [answer()]))


def test_the_rows_come_out_in_the_order_given(tmp_path):
    rows = study()["answers"]

    first = written_bytes(tmp_path, AnswerRow, rows).read_bytes()

    assert written_bytes(tmp_path, AnswerRow, rows).read_bytes() == first
    assert written_bytes(tmp_path, AnswerRow, rows[::-1]).read_bytes() != first


def test_json_keys_go_by_code_point_and_texts_are_not_escaped(tmp_path):
    path = tmp_path / "file.json"

    json_file.write(path, [{"é": "🐦", "b": [], "Z": None, "a": {"10": 1, "9": 0.1}}])

    assert path.read_text(encoding="utf-8") == (
        '[\n {\n  "Z": null,\n  "a": {\n   "10": 1,\n   "9": 0.1\n  },\n'
        '  "b": [],\n  "é": "🐦"\n }\n]\n'
    )


@all_cases("text", HOSTILE)
def test_json_holds_hostile_texts_as_they_were(tmp_path, text):
    path = tmp_path / "file.json"

    json_file.write(path, {text: [text]})

    assert json.loads(path.read_bytes()) == {text: [text]}
    assert path.read_bytes().endswith(b"}\n")


def test_the_order_of_keys_changes_no_byte():
    assert json_file.text({"a": 1, "b": {"c": 2, "d": 3}}) == json_file.text(
        {"b": {"d": 3, "c": 2}, "a": 1}
    )


@pytest.mark.parametrize("value", [{1: "x"}, [{"a": {None: 1}}], {"a": ({2.0: 1},)}])
def test_json_refuses_keys_that_are_no_texts(value):
    with pytest.raises(TypeError, match="is not a text"):
        json_file.text(value)


@pytest.mark.parametrize("value", [{"a": float("nan")}, {"a": "\ud800"}])
def test_json_that_cannot_be_written_leaves_what_was_there(tmp_path, value):
    path = tmp_path / "file.json"
    path.write_text("before", encoding="utf-8")

    with pytest.raises(ValueError, match=r"nan|surrogates"):
        json_file.write(path, value)

    assert path.read_text(encoding="utf-8") == "before"


def test_a_row_survives_with_every_field_in_its_column(tmp_path):
    row = replace(answer(), team="team", system="system", setup="setup", represented_by="x")

    path = written_bytes(tmp_path, AnswerRow, [row])

    with path.open(encoding="utf-8", newline="") as file:
        [found] = csv.DictReader(file)
    assert list(found.values()) == [
        "true" if value is True else str(value) for value in astuple(row)
    ]


LONG = "x" * 200_000  # the csv module stops at 131,072 unless told otherwise


def test_a_cell_of_any_length_is_read_again():
    limit = csv.field_size_limit(131_072)
    try:
        (row,) = csv_table.rows(csv_table.contents(Row, [Row(LONG, 1)]))
    finally:
        csv.field_size_limit(limit)

    assert list(row.values()) == [LONG, "1", "true"]


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (b'a,b\n"1,2\n', "line 2: unexpected end of data"),
        (b"a,b\n1,2\n3\n", "line 3: 1 cells, 2 columns"),
        (b"a,b\n\xff,2\n", "utf-8"),
    ],
)
def test_a_table_that_cannot_be_read_is_named_by_its_line(contents, message):
    with pytest.raises(ValueError, match=message):
        list(csv_table.rows(contents))
