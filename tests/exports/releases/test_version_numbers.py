"""The least version that a difference allows."""

from dataclasses import replace

import pytest

from exports.releases import version_numbers
from exports.releases.difference import AnswerChange, Difference, Outcome, VerdictChange
from tests.cases import all_cases

NOTHING = Difference((), (), (), (), (), (), (), (), {}, ())
ADDED = AnswerChange("1_1", "1_1:a", "A stone.", "", "silver")
OUTCOME = Outcome("implausible", "rated", "i", "")


def step(**differs) -> str:
    return version_numbers.reasons(replace(NOTHING, **differs))[0]


@all_cases(
    "differs",
    [
        {"turns_gone": ["1_1"]},
        {"turns_changed": ["1_1"]},
        {"answers": [replace(ADDED, before="gold", after="")]},
        {"answers": [replace(ADDED, before="gold", after="silver")]},
        {"answers": [replace(ADDED, before="silver", after="gold")]},
        {"runs_gone": ["alder"]},
        {"answers": [ADDED, replace(ADDED, before="silver", after="")], "turns_added": ["1_2"]},
    ],
)
def test_what_is_taken_away_or_changed_is_major(differs):
    assert step(**differs) == "major"


@pytest.mark.parametrize(
    "differs",
    [
        {"turns_added": ["1_2"]},
        {"answers": [ADDED]},
        {"runs_added": ["birch"]},
        {"verdicts": [VerdictChange("plausibility", "1_1", "1_1:a", "A.", None, OUTCOME)]},
    ],
)
def test_what_is_added_is_minor(differs):
    assert step(**differs) == "minor"


def test_words_only_are_a_patch():
    assert step() == "patch"
    assert step(runs_renamed=[("alder", "elder")]) == "patch"


@pytest.mark.parametrize(
    ("kind", "expected"), [("major", (2, 0, 0)), ("minor", (1, 3, 0)), ("patch", (1, 2, 8))]
)
def test_a_step_begins_the_smaller_numbers_anew(kind, expected):
    assert version_numbers.least((1, 2, 7), kind, [(1, 2, 7)]) == expected


def test_a_version_that_a_withdrawn_release_has_is_not_given_again():
    assert version_numbers.least((1, 0, 0), "minor", [(1, 0, 0), (1, 1, 0)]) == (1, 1, 1)
    assert version_numbers.least((1, 0, 0), "major", [(1, 0, 0), (1, 1, 0)]) == (2, 0, 0)


@all_cases(
    "text",
    ["1", "1.1", "1.1.1.1", "v1.1.0", "1.1.x", "01.1.0", "-1.1.0", "1.1.0 ", "\u0661.1.0", ""],
)
def test_what_is_not_three_whole_numbers_is_no_version(text):
    with pytest.raises(ValueError, match="is no version"):
        version_numbers.number_of(text)


def test_ten_is_more_than_nine():
    assert version_numbers.number_of("1.10.0") > version_numbers.number_of("1.9.0")
