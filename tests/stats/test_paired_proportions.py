"""Pairs of runs on the questions settled for both: differences, p, Holm, and who cannot be told apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.multiplicity import holm
from stats.paired_proportions import (
    NO_COMMON,
    NO_DISCORDANT,
    Pair,
    groups,
    pairs,
    score_p,
)
from stats.proportion_intervals import tango


def outcomes(text, start=0):
    """A run's questions from a text of 1 (accepted), 0 (not) and - (not settled)."""
    return {f"{n}_1": each == "1" for n, each in enumerate(text, start) if each != "-"}


def only_pair(one, other):
    (pair,) = pairs({"one": outcomes(one), "other": outcomes(other)})
    return pair


def test_two_runs_are_compared_on_the_questions_settled_for_both():
    pair = only_pair("1110--0", "10-111-")

    assert (pair.n_questions, pair.n_only_one, pair.n_only_other) == (3, 1, 1)
    assert pair.difference == 0
    assert pair.p == 1


def test_the_difference_is_paired_and_so_is_its_interval():
    """8 alike, 6 for the first, 1 for the second, 5 for neither, as in the docstring."""
    pair = only_pair("1" * 14 + "0" * 6, "1" * 8 + "0" * 6 + "1" + "0" * 5)

    assert pair.difference == pytest.approx(0.25)
    assert pair.p == pytest.approx(0.0588, abs=0.0001)
    assert pair.interval == tango(6, 1, 20)


def test_without_a_common_question_nothing_is_said_of_the_two():
    pair = only_pair("11-", "--1")

    assert (pair.difference, pair.p, pair.interval.low) == (None, None, None)
    assert pair.reason == pair.p_reason == pair.interval.reason == NO_COMMON
    assert not pair.is_told_apart


def test_runs_that_never_differ_have_no_p_and_count_for_no_other():
    found = pairs(
        {
            "a": outcomes("1" * 20),
            "b": outcomes("1" * 20),
            "c": outcomes("0" * 10 + "1" * 10),
        },
    )

    alike, *others = found
    assert (alike.difference, alike.p, alike.p_reason) == (0, None, NO_DISCORDANT)
    assert alike.interval == tango(0, 0, 20)
    # Two that are tested: twice the smaller p, not three times.
    assert [pair.p_holm for pair in others] == pytest.approx([2 * score_p(10, 0)] * 2)


def test_a_single_question_shows_next_to_nothing():
    interval = only_pair("1", "0").interval

    assert interval.low < 0
    assert interval.high == 1


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 300))
def test_p_and_the_interval_never_contradict_each_other(b, c, alike):
    """4 of 8 discordant, all for one: [-.875, -.125] and p = .125 did."""
    if b + c:
        interval = tango(b, c, b + c + alike)

        assert (score_p(b, c) < 0.05) == (not interval.low <= 0 <= interval.high)


@pytest.mark.parametrize("runs", [{}, {"a": outcomes("1")}, {"a": outcomes("1"), "b": {}}])
def test_it_takes_two_runs_with_something_settled(runs):
    assert pairs(runs) == []


def test_p_of_a_published_table():
    """Agresti 2002, table 10.1 (approval of a prime minister), z = 4.17: 150 and 86 discordant."""
    assert score_p(150, 86) == pytest.approx(3.09e-5, rel=0.01)


def test_p_of_as_many_for_either_is_1():
    assert score_p(8000, 8000) == 1
    assert score_p(9000, 7000) < 1e-50


def test_holm_on_the_textbook_s_four():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@given(st.lists(st.none() | st.floats(0, 1), max_size=12))
def test_holm_never_lowers_a_p_and_keeps_their_order(values):
    adjusted = holm(values)

    known = [(p, q) for p, q in zip(values, adjusted, strict=True) if p is not None]
    assert [q is None for q in adjusted] == [p is None for p in values]
    assert all(p <= q <= 1 for p, q in known)
    ordered = [q for _, q in sorted(known)]
    assert ordered == sorted(ordered)


def test_the_order_of_questions_changes_nothing_and_that_of_runs_only_the_sign():
    a, b = outcomes("1101-0110"), outcomes("0111110-0")
    (there,) = pairs({"a": a, "b": b})

    (again,) = pairs({"a": dict(reversed(a.items())), "b": dict(reversed(b.items()))})
    (back,) = pairs({"b": b, "a": a})

    assert there == again
    assert back.difference == -there.difference
    assert back.p == there.p


def apart(one, other):
    nothing = dict.fromkeys(Pair.__dataclass_fields__)
    return Pair(**nothing | {"one": one, "other": other, "is_told_apart": True})


def test_neighbours_that_cannot_be_told_apart_stand_together():
    rates = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.2, "none": None}
    found = [apart("a", "c"), *(apart(each, "d") for each in "abc")]

    assert groups(rates, found) == [["a", "b"], ["b", "c"], ["d"]]


def test_where_nothing_is_told_apart_all_stand_together():
    assert groups({"b": 0.5, "a": 0.5}, []) == [["a", "b"]]
    assert groups({}, []) == []
