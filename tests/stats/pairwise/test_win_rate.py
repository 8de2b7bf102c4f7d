"""Win-rates: the worked example, the three policies of ties, their sums, and what must change nothing."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.pairwise.win_rate import NEVER_COMPARED, POLICIES, win_rates
from tests.stats.pairwise.preferences import (
    RUNS,
    WORKED,
    at_random,
    compared,
    comparison,
    mirrored,
    renamed,
    tournaments,
)


def values(rows, policy="zero", runs=RUNS):
    return [each.value for each in win_rates(rows, runs=runs, policy=policy).rates]


@pytest.mark.parametrize(
    ("policy", "rates", "total"),
    [
        ("zero", [8 / 12, 5 / 12, 2 / 12], 1.25),
        ("half", [8.5 / 12, 6.5 / 12, 3 / 12], 1.5),
        ("both", [9 / 12, 8 / 12, 4 / 12], 1.75),
    ],
)
def test_the_worked_example(policy, rates, total):
    found = win_rates(compared(WORKED), runs=RUNS, policy=policy)

    assert [each.value for each in found.rates] == pytest.approx(rates)
    assert found.sum == pytest.approx(total)
    assert (found.n_comparisons, found.n_ties) == (18, 3)
    assert found.tie_share == pytest.approx(1 / 6)
    assert [(each.n_comparisons, each.n_wins, each.n_ties) for each in found.rates] == [
        (12, 8, 1),
        (12, 5, 3),
        (12, 2, 2),
    ]


def test_a_tie_counts_nothing_unless_somebody_says_so():
    rows = compared(WORKED)

    assert win_rates(rows, runs=RUNS) == win_rates(rows, runs=RUNS, policy="zero")


def test_each_question_counts_alike_however_much_of_it_was_judged():
    rows = compared({"1": WORKED["1"], "2": {"AB": "A", "AC": "A", "BC": "B"}})

    assert values(rows)[0] == pytest.approx(10 / 12)


def test_a_run_that_was_never_compared_has_no_rate_and_adds_nothing_to_the_sum():
    found = win_rates(compared({"1": {"AB": "AA"}}), runs=RUNS)

    nobody = found.rates[2]
    assert (nobody.value, nobody.reason, nobody.n_questions) == (None, NEVER_COMPARED, 0)
    assert nobody.interval.reason == NEVER_COMPARED
    assert found.sum == 1


def test_where_nothing_was_compared_nothing_is_said():
    found = win_rates([], runs=RUNS)

    assert (found.sum, found.tie_share, found.n_comparisons) == (None, None, 0)
    assert [each.value for each in found.rates] == [None] * 3


def test_a_single_question_has_no_interval():
    (rate, *_) = win_rates(compared({"1": WORKED["1"]}), runs=RUNS).rates

    assert rate.value == pytest.approx(4 / 6)
    assert rate.interval.reason == "a single question"


def test_the_interval_is_about_the_rate_and_over_questions():
    (rate, *_) = win_rates(at_random(3, n_questions=40), runs=RUNS).rates

    assert rate.interval.n_questions == 40
    assert rate.interval.low < rate.value < rate.interval.high


def test_many_unlike_numbers_of_comparisons_are_no_trouble():
    """Their common denominator would have more digits than a number of 64 bits."""
    rows = [
        comparison(f"q{n}", "A", "B", "A" if i % 3 else "B", f"{i}")
        for n in range(40, 90)
        for i in range(n)
    ]

    rate = win_rates(rows, runs=("A", "B")).rates[0]

    assert rate.value == pytest.approx(2 / 3, abs=0.02)
    assert rate.interval.low < rate.value < rate.interval.high
    assert rate.interval.high - rate.interval.low < 0.01


def test_a_comparison_of_an_unknown_run_or_with_itself_is_refused():
    with pytest.raises(ValueError, match="'C' is not among"):
        win_rates([comparison("1", "A", "C", "A")], runs=("A", "B"))
    with pytest.raises(ValueError, match="compared with itself"):
        win_rates([comparison("1", "A", "A", "=")], runs=("A", "B"))


@given(st.integers(0, 10_000), st.sampled_from([2, 3, 4]))
def test_in_a_complete_design_the_sum_follows_from_the_share_of_ties(seed, n_runs):
    runs = tuple("ABCD"[:n_runs])
    rows = at_random(seed, runs=runs, n_questions=3, n_annotators=2)

    for policy, tie in POLICIES.items():
        found = win_rates(rows, runs=runs, policy=policy)
        assert found.sum == pytest.approx(n_runs / 2 * (1 + (2 * float(tie) - 1) * found.tie_share))
        assert policy != "zero" or found.sum <= n_runs / 2


@given(tournaments())
def test_by_half_the_wins_of_all_runs_are_the_comparisons(rows):
    found = win_rates(rows, runs=RUNS, policy="half")

    assert sum(each.n_wins + each.n_ties / 2 for each in found.rates) == found.n_comparisons


@given(tournaments(), st.sampled_from(sorted(POLICIES)), st.randoms(use_true_random=False))
def test_neither_order_nor_sides_nor_names_change_a_rate(rows, policy, rng: random.Random):
    there = win_rates(rows, runs=RUNS, policy=policy)
    shuffled = rng.sample(rows, len(rows))
    names = dict(zip(RUNS, ("z", "y", "x"), strict=True))

    assert win_rates(shuffled, runs=RUNS, policy=policy) == there
    assert win_rates(mirrored(rows), runs=RUNS, policy=policy) == there
    other = win_rates(renamed(rows, names), runs=("z", "y", "x"), policy=policy)
    assert [(each.value, each.interval) for each in other.rates] == [
        (each.value, each.interval) for each in there.rates
    ]


@given(tournaments())
def test_the_more_a_tie_counts_the_higher_are_all_rates(rows):
    zero, half, both = (values(rows, policy) for policy in ("zero", "half", "both"))

    for low, middle, high in zip(zero, half, both, strict=True):
        assert low is None or (0 <= low <= middle <= high <= 1)
        assert low is None or middle == pytest.approx((low + high) / 2)
