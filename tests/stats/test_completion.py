"""Whether people can give all judgements: against every way to hand items out, and a flow over single items."""

from itertools import product
from random import Random
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from stats import completion
from stats.completion import Group, n_missing
from tests.cases import all_cases

NO_LIMIT = 99


def group(n_items, n_wanted, *people):
    return Group(n_items, n_wanted, frozenset(people))


def single_items(groups):
    return [group(1, each.n_wanted, *each.people) for each in groups for _ in range(each.n_items)]


def missing_by_brute_force(groups, limits):
    """Of every choice of takers for each item, the one that leaves the fewest judgements missing."""
    items = single_items(groups)
    choices = [
        [
            takers
            for takers in product((0, 1), repeat=len(item.people))
            if sum(takers) <= item.n_wanted
        ]
        for item in items
    ]
    people = [sorted(item.people) for item in items]
    best = 0
    for chosen in product(*choices):
        n_taken = {}
        for takers, names in zip(chosen, people, strict=True):
            for takes, name in zip(takers, names, strict=True):
                n_taken[name] = n_taken.get(name, 0) + takes
        if all(n <= limits.get(name, NO_LIMIT) for name, n in n_taken.items()):
            best = max(best, sum(n_taken.values()))
    return sum(item.n_wanted for item in items) - best


def missing_by_single_items(groups, limits):
    """By the maximum flow of scipy from people to items, one node an item."""
    items = single_items(groups)
    names = sorted({name for item in items for name in item.people})
    source, first_item, sink = 0, 1 + len(names), 1 + len(names) + len(items)
    capacities = np.zeros((sink + 1, sink + 1), dtype=np.int32)
    for row, name in enumerate(names, start=1):
        capacities[source, row] = limits.get(name, len(items))
    for column, item in enumerate(items, start=first_item):
        capacities[column, sink] = item.n_wanted
        for name in item.people:
            capacities[1 + names.index(name), column] = 1
    if not items:
        return 0
    flow = maximum_flow(csr_array(capacities), source, sink).flow_value
    return sum(item.n_wanted for item in items) - flow


def worlds(most_groups, most_items, most_people):
    people = st.frozensets(st.integers(1, most_people))
    groups = st.builds(Group, st.integers(1, most_items), st.integers(0, 3), people)
    limits = st.dictionaries(st.integers(1, most_people), st.integers(0, 2 * most_items))
    return st.tuples(st.lists(groups, max_size=most_groups), limits)


@given(worlds(most_groups=2, most_items=2, most_people=3))
def test_it_is_what_the_best_of_all_ways_to_hand_items_out_leaves_missing(world):
    groups, limits = world
    assert n_missing(groups, limits) == missing_by_brute_force(groups, limits)


@given(worlds(most_groups=7, most_items=6, most_people=7))
def test_it_is_what_a_flow_over_single_items_leaves_missing(world):
    groups, limits = world
    assert n_missing(groups, limits) == missing_by_single_items(groups, limits)


@pytest.mark.parametrize("most_asked", [0, 1, 3])
@given(worlds(most_groups=7, most_items=6, most_people=7))
def test_however_few_people_are_asked_before_others_give_something_up(most_asked, world):
    groups, limits = world
    with mock.patch.object(completion, "MOST_ASKED", most_asked):
        assert n_missing(groups, limits) == missing_by_single_items(groups, limits)


@all_cases("seed", range(3))
@all_cases("share", [0.02, 0.5, 0.98])
def test_of_a_hundred_people_with_uneven_limits_it_is_what_the_flow_leaves_missing(share, seed):
    """About as much as is wanted may be taken, so that who takes what matters."""
    random = Random(seed)
    groups = [
        group(1, 2, *(person for person in range(100) if random.random() < share))
        for _ in range(300)
    ]
    limits = {person: random.randrange(13) for person in range(100)}
    assert n_missing(groups, limits) == missing_by_single_items(groups, limits)


@given(worlds(most_groups=5, most_items=4, most_people=5))
def test_the_order_of_the_groups_and_how_they_are_split_change_nothing(world):
    groups, limits = world
    assert n_missing(single_items(groups)[::-1], limits) == n_missing(groups, limits)


@all_cases(
    ("groups", "limits", "expected"),
    [
        ([], {}, 0),
        ([group(70, 2, 1, 2)], {}, 0),
        # Two people, two judgements of each of 35 items, at most 21 items each: 42 of 70.
        ([group(35, 2, 1, 2)], {1: 21, 2: 21}, 28),
        ([group(35, 2, 1, 2, 3)], {1: 21, 2: 21, 3: 21}, 7),
        ([group(35, 2, 1, 2, 3, 4)], {1: 21, 2: 21, 3: 21, 4: 21}, 0),
        # Who has no limit takes each item once and no more.
        ([group(35, 2, 1, 2)], {2: 21}, 14),
        ([group(3, 2, 1)], {}, 3),
        ([group(3, 2)], {}, 6),
        # The first to take what both could must leave it to who can take nothing else.
        ([group(2, 1, 1, 2), group(2, 1, 1)], {1: 2, 2: 2}, 0),
        ([group(2, 1, 1, 2), group(2, 1, 1), group(1, 1, 2, 3)], {1: 2, 2: 2, 3: 1}, 0),
    ],
)
def test_known_cases(groups, limits, expected):
    assert n_missing(groups, limits) == expected


def test_sixty_people_with_a_limit_who_touched_thousands_of_items_are_few_groups_of_pairs():
    """A batch of 16,451 items, each touched by two of sixty people: 1,770 groups at the most."""
    pairs = [(a, b) for a in range(60) for b in range(a)]
    everybody = frozenset(range(60))
    groups = [Group(9, 1, everybody - set(pair)) for pair in pairs]
    n_wanted = 9 * len(pairs)
    each = n_wanted // 60
    exact = dict.fromkeys(range(60), each)

    assert n_missing(groups, exact | {0: each + n_wanted % 60}) == 0
    assert n_missing(groups, exact | {0: each + n_wanted % 60 - 1}) == 1
