"""How many items people hold: enough for about ten minutes, and nobody waits for what others do not read."""

import pytest

from annotation.design import items_ahead


@pytest.mark.parametrize(
    ("expected_seconds", "claim_minutes", "depth"),
    [
        (30, 30, 20),  # ten minutes
        (240, 30, 3),
        (5, 30, 40),  # no more, however short an item is
        (30, 5, 5),  # no more than can be judged in half the time of a claim
        (600, 1, 2),
    ],
)
def test_by_default_people_hold_ten_minutes_of_work(expected_seconds, claim_minutes, depth):
    assert items_ahead.default_depth(expected_seconds, claim_minutes * 60) == depth


@pytest.mark.parametrize(
    ("n_open", "n_people", "depth"),
    [(1000, 4, 20), (80, 4, 10), (8, 4, 2), (0, 4, 2), (100, 0, 20)],
)
def test_when_few_are_left_a_person_holds_half_of_an_equal_share(n_open, n_people, depth):
    assert items_ahead.fair_depth(20, n_open, n_people) == depth
