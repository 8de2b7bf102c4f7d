"""The course of somebody's work, and its picture."""

import itertools

import pytest

from exports.annotators import charts as annotator_charts
from stats.annotators.peers import Crowd
from stats.annotators.work_timeline import MOST_PIECES, work_timeline
from tests.stats.annotators.simulated_people import entry, work


def pieces(n, **of):
    own = work("p0001", ["a"] * n, **of)
    return work_timeline(own, Crowd([*own, *work("p0002", ["a", "b"] * n, **of)]))


@pytest.mark.parametrize("n", [1, 60, 61, 500])
def test_the_whole_work_is_in_at_most_so_many_pieces(n):
    found = pieces(n)

    assert len(found) <= MOST_PIECES
    assert [found[0].first, found[-1].last] == [1, n]
    assert all(a.last + 1 == b.first for a, b in itertools.pairwise(found))


def test_a_piece_is_of_one_session_and_has_medians_and_shares():
    own = [
        entry(item=f"i{at}", submitted_at=at + 9000 * (at >= 3), active_seconds=3.0 * (at + 1))
        for at in range(5)
    ]

    found = work_timeline(own, Crowd(own))

    assert [each.session for each in found] == [0, 0, 0, 1, 1]
    assert [each.per_word for each in found] == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5])
    assert {each.agrees for each in found} == {None}


def test_a_picture_runs_across_the_box_and_breaks_between_sessions():
    rows = [
        {"first": 1, "last": 1, "session": 0, "per_word": 1.0, "agrees": 1.0},
        {"first": 2, "last": 2, "session": 0, "per_word": 4.0, "agrees": 0.5},
        {"first": 3, "last": 4, "session": 1, "per_word": 2.0, "agrees": None},
    ]

    drawn = annotator_charts.speed_picture(rows)

    assert (drawn.low, drawn.high) == (1.0, 4.0)
    assert drawn.lines == ["90.0,160.0 270.0,0.0"]
    assert drawn.dots == [("540.0", "80.0")]
    assert drawn.ends == ["360.0"]
    assert annotator_charts.agreement_picture(rows).lines == ["90.0,0.0 270.0,80.0"]


def test_a_picture_of_one_speed_lies_in_the_middle():
    rows = [{"first": 1, "last": 9, "session": 0, "per_word": 1.0, "agrees": None}]

    assert annotator_charts.speed_picture(rows).dots == [("360.0", "80.0")]
    assert annotator_charts.agreement_picture(rows) is None


def test_of_nothing_there_is_no_picture():
    assert annotator_charts.speed_picture([]) is None
    assert annotator_charts.agreement_picture([]) is None
