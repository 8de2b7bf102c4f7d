"""What is promised of the rule that draws control items: annotation/design/control_draws.py."""

from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.design.control_draws import Draws, Place, is_due, is_halved, n_ahead
from tests.cases import all_cases

GROUPED = Place(0, None, 0, is_grouped=True)
SHUFFLED = Place(0, None, 0, is_grouped=False)


def stream(draws: Draws, place: Place, turns: list[int]) -> tuple[list[int | None], list[int]]:
    """What is handed out, None for a control item, and the count of control items ahead before each of them."""
    handed: list[int | None] = []
    ahead = []
    left = list(turns)
    while left:
        ahead.append(len(left) + n_ahead(place, left, {draws: 10**6}))
        if is_due(draws, place, left[0]):
            place = place.after_hidden(None)
            handed.append(None)
        else:
            place = place.after(left[0])
            handed.append(left.pop(0))
    return handed, ahead


@pytest.mark.parametrize("every", [2, 5, 20])
def test_one_item_in_so_many_is_a_control_item(every):
    drawn = [
        Draws(seed, "b", person, every).is_drawn(k)
        for seed in range(5)
        for person in range(20)
        for k in range(1, 201)
    ]
    assert mean(drawn) == pytest.approx(1 / every, rel=0.06)


def test_people_are_drawn_for_apart_and_each_always_the_same():
    one, other = (Draws(1, "b", person, 4) for person in (7, 8))
    of_one = [one.is_drawn(k) for k in range(1, 60)]
    assert of_one == [Draws(1, "b", 7, 4).is_drawn(k) for k in range(1, 60)]
    assert of_one != [other.is_drawn(k) for k in range(1, 60)]


def test_the_halved_rate_is_half_after_fifty_claims_and_full_before():
    draws = [Draws(seed, "b", 1, 4) for seed in range(200)]
    first = [
        (each.is_drawn(k), each.is_drawn(k, halved=True)) for each in draws for k in range(1, 51)
    ]
    later = [
        (each.is_drawn(k), each.is_drawn(k, halved=True)) for each in draws for k in range(51, 151)
    ]
    assert all(full == halved for full, halved in first)
    assert mean(halved for _, halved in later) == pytest.approx(1 / 8, rel=0.06)
    assert not any(halved and not full for full, halved in later)


@all_cases(
    ("answers", "expected"),
    [
        ([], False),
        ([True] * 8, False),
        ([True] * 9, True),
        ([True] * 30 + [False], False),
        ([True] * 30 + [False] + [True] * 8, False),
        ([False] + [True] * 9, True),
    ],
)
def test_the_rate_is_halved_while_enough_is_right_since_the_last_error(answers, expected):
    assert is_halved(answers) is expected


@given(st.integers(0, 500), st.lists(st.integers(1, 5), min_size=1, max_size=30))
def test_where_items_of_a_question_come_in_a_row_none_stands_among_them(seed, sizes):
    turns = [turn for turn, size in enumerate(sizes) for _ in range(size)]

    handed, _ = stream(Draws(seed, "b", 1, 3), GROUPED, turns)

    assert [turn for turn in handed if turn is not None] == turns
    for before, control, after in zip(handed, handed[1:], handed[2:], strict=False):
        if control is None and before is not None:
            assert before != after


@given(
    st.integers(0, 500),
    st.lists(st.integers(1, 5), max_size=40),
    st.sampled_from([GROUPED, SHUFFLED]),
)
def test_how_many_are_ahead_falls_by_one_with_each_item_whatever_it_is(seed, turns, place):
    handed, ahead = stream(Draws(seed, "b", 1, 3), place, turns)

    assert ahead == list(range(len(handed), 0, -1))


def test_no_more_are_ahead_than_there_are():
    assert n_ahead(SHUFFLED, range(100), {Draws(1, "b", 1, 2): 3}) == 3


def test_of_two_kinds_both_are_ahead():
    controls, repeats = Draws(1, "b", 1, 5), Draws(1, "b", 1, 5, "repeat", 30)

    alone = [n_ahead(SHUFFLED, range(300), {each: 10**6}) for each in (controls, repeats)]
    together = n_ahead(SHUFFLED, range(300), {controls: 10**6, repeats: 10**6})

    assert max(alone) < together


def test_repeats_are_drawn_apart_from_control_items_and_none_among_the_first_claims():
    controls, repeats = Draws(1, "b", 1, 4), Draws(1, "b", 1, 4, "repeat", 55)

    drawn = [k for k in range(1, 400) if repeats.is_drawn(k)]

    assert min(drawn) > 55
    assert drawn != [k for k in range(56, 400) if controls.is_drawn(k)]
    assert len(drawn) == pytest.approx(344 / 4, rel=0.25)
