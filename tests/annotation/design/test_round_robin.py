"""What is promised of the rounds of a tournament: annotation/design/round_robin.py."""

from collections import Counter
from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from annotation.design import round_robin
from tests.cases import all_cases

sizes = st.integers(0, 31)


@given(n=sizes)
def test_every_two_meet_in_exactly_one_round(n):
    met = [tuple(sorted(two)) for held in round_robin.rounds(n) for two in held]

    assert sorted(met) == list(combinations(range(n), 2))


@given(n=st.integers(2, 31))
def test_in_every_round_everybody_meets_equally_many(n):
    for held in round_robin.rounds(n):
        met = Counter(place for two in held for place in two)

        assert met == dict.fromkeys(range(n), round_robin.opponents_in_round(n))


@given(n=st.integers(4, 30).filter(lambda n: n % 2 == 0))
def test_two_rounds_that_follow_each_other_join_all(n):
    there = round_robin.rounds(n)
    for one, other in [*pairwise(there), (there[-1], there[0])]:
        assert len(reached({*one, *other})) == n


@given(n=st.integers(3, 31).filter(lambda n: n % 2 == 1))
def test_the_first_distance_joins_all(n):
    assert len(reached(round_robin.rounds(n)[0])) == n


def reached(meetings) -> set[int]:
    """Whom one comes to from place 0 by way of who met."""
    found: set[int] = set()
    new = {0}
    while new:
        found |= new
        new = {end for two in meetings if found & {*two} for end in two} - found
    return found


def test_four_meet_in_three_rounds_and_five_in_two():
    assert round_robin.rounds(4) == [[(0, 3), (1, 2)], [(1, 3), (2, 0)], [(2, 3), (0, 1)]]
    assert round_robin.rounds(5) == [
        [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)],
        [(0, 2), (1, 3), (2, 4), (3, 0), (4, 1)],
    ]


@all_cases(
    ("n", "opponents", "n_meetings"),
    [
        (6, None, 15),
        (6, 1, 3),
        (6, 4, 12),
        (6, 99, 15),
        (7, 1, 7),  # an odd number of opponents of an odd number: one more, 2
        (7, 2, 7),
        (7, 3, 14),
        (2, 3, 1),
        (1, 3, 0),
        (0, None, 0),
        (1, None, 0),
    ],
)
def test_so_many_meetings_come_of_so_many_opponents(n, opponents, n_meetings):
    assert round_robin.n_meetings(n, opponents) == n_meetings
