import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.problems import ImportProblems, Problem, Report, json_excerpt
from tests.cases import all_cases


def problem(index: int | None, message: str = "is missing") -> Problem:
    return Problem("truth.json", "record", index, "Truth_answer", "", message)


def test_a_problem_prints_file_place_field_value_and_what_is_wrong():
    found = Problem("truth.json", "record", 12, "Truth_answer", json_excerpt(3), "is not text")

    assert str(found) == "truth.json: record 12: Truth_answer: 3 is not text"


def test_a_problem_of_the_whole_file_prints_no_place():
    assert str(Problem("a.csv", "row", None, "", "", "is empty")) == "a.csv: is empty"


@given(st.text(), st.text(), st.text())
def test_a_problem_is_one_printable_line(file, field, message):
    line = str(Problem(file, "record", 1, field, json_excerpt(message), message))

    assert line.isprintable()
    line.encode()


def test_problems_come_in_the_order_of_the_file_with_those_of_the_whole_file_first():
    found = ImportProblems([problem(12), problem(2), problem(None), problem(2, "second")])

    assert [each.index for each in found.problems] == [None, 2, 2, 12]
    assert found.problems[2].message == "second"


def test_problems_of_several_files_stand_file_after_file():
    of_passages = [Problem("passages.tsv", "row", index, "", "", "is odd") for index in (3, 2)]
    found = ImportProblems([problem(12), *of_passages, problem(2)])

    places = [(each.file, each.index) for each in found.problems]
    assert places == [
        ("truth.json", 2),
        ("truth.json", 12),
        ("passages.tsv", 2),
        ("passages.tsv", 3),
    ]


def test_fifty_problems_are_all_printed():
    assert str(ImportProblems(problem(n) for n in range(1, 51))).count("\n") == 49


def test_more_than_fifty_problems_are_all_kept_and_the_rest_is_counted_when_printed():
    found = ImportProblems(problem(n) for n in range(1, 54))

    printed = str(found).splitlines()
    assert len(found.problems) == 53
    assert len(printed) == 51
    assert printed[-2:] == ["truth.json: record 50: Truth_answer: is missing", "and 3 more"]


def test_problems_survive_the_way_between_processes():
    found = ImportProblems([problem(1)])

    assert pickle.loads(pickle.dumps(found)).problems == found.problems


def test_a_report_without_a_problem_raises_nothing():
    Report("truth.json", "record").finish()


def test_a_report_raises_all_its_problems_together():
    report = Report("truth.json", "record")
    report.add("is missing", index=2, field="Turn_no")
    report.add("the list is empty")

    with pytest.raises(ImportProblems) as caught:
        report.finish()

    assert (
        str(caught.value)
        == "truth.json: the list is empty\ntruth.json: record 2: Turn_no: is missing"
    )


@all_cases(
    ("value", "expected"),
    [
        (None, "null"),
        (True, "true"),
        (1.0, "1.0"),
        ("3", '"3"'),
        ("a\nb", r'"a\nb"'),
        ("x" * 61, '"' + "x" * 60 + '…"'),
        ([1, 2], "a list"),
        ({"a": 1}, "an object"),
    ],
)
def test_a_value_is_shown_as_json_and_short(value, expected):
    assert json_excerpt(value) == expected


def test_of_a_file_that_is_all_wrong_the_first_thousand_are_kept_and_all_counted():
    report = Report("truth.json", "record")
    for n in range(1, 2_501):
        report.add("is missing", index=n)

    with pytest.raises(ImportProblems) as caught:
        report.finish()

    assert (len(caught.value.problems), caught.value.n) == (1_000, 2_500)
    assert caught.value.problems[-1].index == 1_000
    assert str(caught.value).endswith("\nand 2450 more")
    assert pickle.loads(pickle.dumps(caught.value)).n == 2_500


def test_problems_of_several_files_are_counted_together():
    found = ImportProblems.of_files(
        [ImportProblems([problem(1)], 2_000), ImportProblems([problem(2)])]
    )

    assert (found.n, [each.index for each in found.problems]) == (2_001, [1, 2])
