import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.readers import scores
from corpus.records import ScoreRecord
from tests.cases import all_cases
from tests.corpus.reader_files import problem_lines, write_file

HEADER = "id,run,sas\n"


def table(folder, *rows, header=HEADER):
    return write_file(folder, header + "".join(f"{row}\n" for row in rows), "sas.csv")


def test_a_row_is_a_score_of_a_run_for_a_turn(tmp_path):
    assert scores.read(table(tmp_path, "1_2,gpt3,0.88")) == (ScoreRecord("1_2", "gpt3", 0.88),)


def test_the_metric_names_its_column_and_the_header_has_any_order(tmp_path):
    path = table(tmp_path, "0.5,gpt3,x,1_2", header="f1,run,note,id\n")

    assert scores.read(path, metric="f1") == (ScoreRecord("1_2", "gpt3", 0.5),)


def test_a_mark_crlf_and_quotes_are_accepted(tmp_path):
    path = write_file(tmp_path, '\ufeffid,run,sas\r\n1_2,"a,b", 1 \r\n', "sas.csv")

    assert scores.read(path) == (ScoreRecord("1_2", "a,b", 1.0),)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", 1.0), ("-.5", -0.5), ("+3.", 3.0), ("1e-3", 0.001), ("2.5E+1", 25.0)],
)
def test_numbers_are_read_as_they_are_written(tmp_path, text, value):
    assert scores.read(table(tmp_path, f"1_1,a,{text}"))[0].value == value


@all_cases("text", ["", "nan", "inf", "-Infinity", "1_0", "0x1", "high", '"0,5"', "٣", "."])
def test_what_is_not_a_number_is_refused(tmp_path, text):
    shown = text if text.startswith('"') else f'"{text}"'

    assert problem_lines(scores.read, table(tmp_path, f"1_1,a,{text}")) == [
        f"row 2: sas: {shown} is not a number"
    ]


def test_a_number_beyond_every_float_is_refused(tmp_path):
    assert problem_lines(scores.read, table(tmp_path, "1_1,a,1e999")) == [
        "row 2: sas: Infinity is not a finite number"
    ]


@pytest.mark.parametrize("text", ["1e308", "-1e308", "1.1e15"])
def test_a_number_that_no_measure_gives_is_refused(tmp_path, text):
    """Two of them have no sum, and no histogram reaches from one to the other."""
    assert problem_lines(scores.read, table(tmp_path, f"1_1,a,{text}")) == [
        f'row 2: sas: "{text}" is beyond ±1e+15'
    ]


def test_the_same_score_again_counts_once(tmp_path):
    assert len(scores.read(table(tmp_path, "1_1,a,0.8", "1_1,a,0.80"))) == 1


def test_a_score_knows_its_row(tmp_path):
    path = table(tmp_path, "1_2,a,0.5", "1_2,a,0.5", "", "1_2,b,0.5")

    assert [(each.run, each.index) for each in scores.read(path)] == [("a", 2), ("b", 5)]


def test_another_score_of_the_same_answer_is_refused_with_both_rows(tmp_path):
    path = table(tmp_path, "1_1,a,0.8", "1_1,b,0.9", "1_1,a,0.9")

    assert problem_lines(scores.read, path) == ['row 4: sas: "0.9" is not the value in row 2']


def test_rows_with_a_problem_are_not_compared_with_others(tmp_path):
    path = table(tmp_path, "1_1,a,high", "1_1,a,0.9", "1_1,a,0.9")

    assert problem_lines(scores.read, path) == ['row 2: sas: "high" is not a number']


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (",a,1", ['id: "" is an empty id', 'id: "" is not a turn id (<conversation>_<turn>)']),
        ("gpt3,1_1,1", ['id: "gpt3" is not a turn id (<conversation>_<turn>)']),
        ("1_1, ,1", ['run: " " is an empty id']),
        ("1_1,a", ['has 2 columns, the header 3; it begins at line 2, id "1_1"']),
    ],
)
def test_a_wrong_row_is_named(tmp_path, row, expected):
    assert problem_lines(scores.read, table(tmp_path, row)) == [
        f"row 2: {each}" for each in expected
    ]


@pytest.mark.parametrize(("mark", "named"), [("\t", "tabs"), (";", "semicolons")])
def test_a_csv_without_commas_is_told_so_and_nothing_else(tmp_path, mark, named):
    path = write_file(tmp_path, f"{HEADER}1_1,a,1\n".replace(",", mark), "sas.csv")

    assert problem_lines(scores.read, path) == [
        f"row 1: no comma in the header: is the file separated by {named}?"
    ]


def test_a_missing_metric_is_named(tmp_path):
    path = table(tmp_path, "1_1,a,1")

    assert problem_lines(lambda path: scores.read(path, metric="f1"), path) == [
        'row 1: column "f1" is not in the header'
    ]


@given(st.floats(-scores.GREATEST, scores.GREATEST))
def test_every_float_is_read_back_exactly(tmp_path_factory, value):
    path = table(tmp_path_factory.mktemp("scores"), f"1_1,a,{value!r}")

    assert scores.read(path)[0].value == value
