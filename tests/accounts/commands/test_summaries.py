"""A command's summary as people read it."""

import pytest

from accounts.commands import summaries
from tests.cases import all_cases


def summary_lines(summary):
    return list(summaries.lines(summary))


def test_what_belongs_to_something_stands_indented_under_it():
    assert summary_lines({"n": 2, "counts": {"a": 1, "votes": {"yes": 2}}, "after": "x"}) == [
        "n: 2",
        "counts:",
        "  a: 1",
        "  votes:",
        "    yes: 2",
        "after: x",
    ]


def test_a_list_is_written_item_by_item():
    assert summary_lines({"roles": ["adjudicator", "annotator"]}) == [
        "roles:",
        "  - adjudicator",
        "  - annotator",
    ]


@pytest.mark.parametrize("nothing", [None, [], (), {}, ""])
def test_what_is_empty_is_none(nothing):
    assert summary_lines({"comments": nothing}) == ["comments: none"]
    assert summary_lines({"rows": [{"comments": nothing}]}) == ["rows:", "  - comments: none"]


def test_a_short_row_of_plain_values_stands_on_one_line():
    assert summary_lines({"metrics": [{"metric": "em", "n_scored": 2}, {"metric": "f1"}]}) == [
        "metrics:",
        "  - metric: em, n_scored: 2",
        "  - metric: f1",
    ]


def test_a_row_that_is_long_or_holds_more_than_plain_values_is_a_block():
    rows = [{"item": "7", "votes": {"plausible": 1}}, {"item": "8", "question": "why " * 25}]

    assert summary_lines({"disputes": rows}) == [
        "disputes:",
        "  - item: 7",
        "    votes:",
        "      plausible: 1",
        "  - item: 8",
        f"    question: {'why ' * 25}".rstrip(),
    ]


def test_a_list_in_a_list_keeps_its_shape():
    assert summary_lines({"pairs": [["a", "b"], ["c"]]}) == [
        "pairs:",
        "  - - a",
        "    - b",
        "  - - c",
    ]


def test_a_text_of_several_lines_stays_under_its_name():
    assert summary_lines({"message": "one\ntwo"}) == ["message: one", "  two"]
    assert summary_lines({"all": ["one\ntwo"]}) == ["all:", "  - one", "    two"]


@all_cases(
    ("value", "text"),
    [
        (True, "yes"),
        (False, "no"),
        (7, "7"),
        (2 / 3, "0.667"),
        (12.5, "12.5"),
        (1.0, "1.0"),
        (0.0, "0.0"),
        (0.00012345, "0.00012"),
        (-0.00012345, "-0.00012"),
        (1234567.891, "1234567.891"),
    ],
)
def test_values_are_short(value, text):
    assert summary_lines({"value": value}) == [f"value: {text}"]


def test_that_nothing_was_left_to_score_does_not_look_like_a_failure():
    assert summary_lines({"n_scored": 0}) == [
        "n_scored: 0 (no score was missing: metrics of the same texts are computed together)"
    ]
    assert summary_lines({"n_scored": 10}) == ["n_scored: 10"]


def test_what_was_not_created_is_explained():
    assert summary_lines({"created": True}) == ["created: yes"]
    assert summary_lines({"created": False}) == [
        "created: no (the same is there already: nothing was changed)"
    ]
