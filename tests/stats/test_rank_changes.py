"""Places of runs, and how one ranking differs from another."""

import random
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.rank_changes import places, tau_ap


def row(*numbers):
    return np.array([numbers], dtype=float)


def by_definition(order, reference):
    """τ_AP of two orders without ties, each a list of runs, first place first."""
    shares = [
        sum(reference.index(above) < reference.index(run) for above in order[:i]) / i
        for i, run in enumerate(order)
        if i
    ]
    return 2 * sum(shares) / (len(order) - 1) - 1


def orders(scores):
    """Every order of the runs that has none before one of higher score."""
    return [
        order
        for order in permutations(range(len(scores)))
        if all(scores[one] >= scores[other] for one, other in pairwise(order))
    ]


@pytest.mark.parametrize(("order", "value"), [("BACDE", 0.5), ("ABCED", 0.875), ("ABCDE", 1)])
def test_a_change_at_the_top_counts_most(order, value):
    scores = row(*(-order.index(run) for run in "ABCDE"))

    assert tau_ap(scores, row(5, 4, 3, 2, 1))[0] == pytest.approx(value)


def test_the_reverse_order_is_minus_one():
    assert tau_ap(row(1, 2, 3), row(3, 2, 1))[0] == -1


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=5))
def test_ties_count_as_the_mean_of_their_orders(both):
    scores, reference = zip(*both, strict=True)
    values = [by_definition(one, other) for one in orders(scores) for other in orders(reference)]

    found = tau_ap(row(*scores), row(*reference))[0]

    if len(set(scores)) == 1 or len(set(reference)) == 1:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(np.mean(values))


def test_every_replicate_is_by_itself():
    rng = random.Random(3)
    scores, reference = (
        np.array([[rng.randrange(6) for _ in range(7)] for _ in range(20)], float) for _ in "ab"
    )

    together = tau_ap(scores, reference)

    alone = [tau_ap(scores[[i]], reference[[i]])[0] for i in range(20)]
    assert together.tolist() == pytest.approx(alone)


@pytest.mark.parametrize(
    "scores",
    [(1.0,), (1, np.nan, 2), (1, 1, 1)],
    ids=["one run", "a run without a score", "only ties"],
)
def test_undefined_is_said(scores):
    assert np.isnan(tau_ap(row(*scores), row(*range(len(scores)))))


def test_tied_runs_share_the_mean_of_their_places():
    assert places(row(0.1, 0.7, 0.7, 0.9)).tolist() == [[4, 2.5, 2.5, 1]]


def test_a_run_without_a_score_takes_no_place():
    assert places(row(0.1, np.nan, 0.7)).tolist()[0][::2] == [2, 1]
