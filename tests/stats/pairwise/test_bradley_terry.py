"""Strengths by preferences: golden values, the equations of a best fit, and when there is none."""

import random
from math import log

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize

from stats.pairwise import bradley_terry_fit as fitting
from stats.pairwise.bradley_terry import TOO_FEW, bradley_terry
from stats.pairwise.bradley_terry_fit import NotConvergedError, best_fit
from stats.pairwise.identifiability import NO_BEST_FIT, is_identified
from stats.pairwise.win_rate import NEVER_COMPARED
from tests.stats.pairwise.preferences import (
    DRAWN,
    RUNS,
    at_random,
    compared,
    comparison,
    mirrored,
    renamed,
    tables,
    tournaments,
)


def found(rows, runs=RUNS, model="half"):
    return bradley_terry(rows, runs=runs, model=model, **DRAWN)


def values(fit):
    return [each.strength for each in fit.strengths]


def test_of_two_runs_the_strengths_are_half_the_logarithm_of_the_odds():
    fit = found(compared({"1": {"AB": "AAAABBAA"}, "2": {"AB": "AB"}}), runs=("A", "B"))

    assert values(fit) == pytest.approx([log(7 / 3) / 2, -log(7 / 3) / 2])
    assert [each.expected for each in fit.strengths] == pytest.approx([0.7, 0.3])
    assert fit.differences[0].value == pytest.approx(log(7 / 3))


def test_a_tie_counts_as_half_a_win_for_each():
    fit = found(compared({"1": {"AB": "AAAABB===="}}), runs=("A", "B"))

    assert values(fit)[0] == pytest.approx(log(6 / 4) / 2)


def test_davidson_s_ties_of_two_runs_have_a_closed_form():
    """a wins, b losses, t ties: π_1/π_2 = a/b and θ = t/√(ab), by the likelihood of three outcomes."""
    fit = found(compared({"1": {"AB": "AAAAAAAAB===="}}), runs=("A", "B"), model="davidson")

    assert fit.differences[0].value == pytest.approx(log(8))
    assert fit.tie == pytest.approx(4 / 8**0.5)


def test_baseball_as_bradley_and_terry_s_model_is_known_to_fit_it():
    """American League 1987 (Agresti 2002, table 10.10): wins of rows over columns; abilities less Baltimore's."""
    teams = ("Milwaukee", "Detroit", "Toronto", "NewYork", "Boston", "Cleveland", "Baltimore")
    wins = np.array(
        [
            [0, 7, 9, 7, 7, 9, 11],
            [6, 0, 7, 5, 11, 9, 9],
            [4, 6, 0, 7, 7, 8, 12],
            [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12],
            [4, 4, 5, 6, 6, 0, 6],
            [2, 4, 1, 3, 1, 7, 0],
        ],
        float,
    )
    fit = best_fit(wins[None], np.zeros((1, 7, 7)), "half")

    abilities = fit.strengths[0] - fit.strengths[0, -1]
    assert dict(zip(teams, abilities.round(3).tolist(), strict=True)) == {
        "Milwaukee": 1.581,
        "Detroit": 1.436,
        "Toronto": 1.294,
        "NewYork": 1.248,
        "Boston": 1.108,
        "Cleveland": 0.684,
        "Baltimore": 0.0,
    }


@given(tournaments(), st.sampled_from(["half", "davidson"]))
def test_the_fit_expects_the_wins_and_ties_that_were_seen(rows, model):
    """What makes it the best one: the score equations, which have no other solution."""
    wins, ties = tables(rows)
    assume(is_identified(wins, ties, model)[0])

    fit = best_fit(wins, ties, model)

    p, theta = np.exp(fit.strengths[0]), fit.tie[0]
    tied = theta * np.sqrt(np.outer(p, p))
    whole = p[:, None] + p[None, :] + tied
    n = (wins + wins.swapaxes(1, 2) + ties)[0]
    expected = (n * (p[:, None] + tied / 2) / whole).sum(axis=1)
    assert expected == pytest.approx((wins.sum(axis=2) + ties.sum(axis=2) / 2)[0], abs=1e-6)
    assert fit.strengths.mean() == pytest.approx(0, abs=1e-9)
    if model == "davidson":
        assert (n * tied / whole).sum() == pytest.approx(ties.sum(), abs=1e-5)


@given(tournaments(questions=3), st.randoms(use_true_random=False))
def test_neither_order_nor_sides_nor_names_change_a_strength(rows, rng: random.Random):
    there = found(rows)
    names = dict(zip(RUNS, ("z", "y", "x"), strict=True))

    assert found(rng.sample(rows, len(rows))) == there
    assert found(mirrored(rows)) == there
    other = found(renamed(rows, names), runs=("z", "y", "x"))
    assert (values(other), other.n_not_identified) == (values(there), there.n_not_identified)


@given(st.integers(0, 1_000))
def test_in_a_complete_design_without_ties_strengths_rank_as_wins_do(seed):
    rows = at_random(seed, ties=0.0, n_questions=3)
    fit = found(rows)
    assume(fit.reason is None)

    wins = [sum(each.winner() == run for each in rows) for run in RUNS]
    for i, j in ((0, 1), (0, 2), (1, 2)):
        difference = fit.strengths[i].strength - fit.strengths[j].strength
        assert np.sign(round(difference, 6)) == np.sign(wins[i] - wins[j])


@given(tournaments())
def test_what_runs_are_expected_to_win_is_a_half_on_average(rows):
    fit = found(rows)
    assume(fit.reason is None and all(each.expected is not None for each in fit.strengths))

    assert sum(each.expected for each in fit.strengths) == pytest.approx(len(RUNS) / 2)


def test_it_allows_for_whom_a_run_was_compared_with():
    """B wins most, and only against C; A wins as often as not, against B."""
    rows = compared({"1": {"AB": "AAAB", "BC": "BBBBBBBC"}})

    fit = found(rows)

    assert values(fit) == sorted(values(fit), reverse=True)
    assert fit.differences[0].value == pytest.approx(log(3))
    assert fit.differences[2].value == pytest.approx(log(7))


@pytest.mark.parametrize(
    ("table", "reason", "groups"),
    [
        ({"AB": "AA", "AC": "AA", "BC": "BC"}, "nobody else ever beat A, or tied", "A BC"),
        ({"AB": "AB", "AC": "AA", "BC": "BB"}, "C never wins, nor ties", "AB C"),
        (
            {"AB": "AB", "CD": "CD"},
            "no comparison links A and B with C and D",
            "AB CD",
        ),
        (
            {"AB": "AB", "CD": "CD", "AC": "A"},
            "nobody else ever beat A or B, or tied",
            "AB CD",
        ),
        (
            {"AC": "A", "BC": "B", "CD": "CD"},
            "nobody else ever beat A, or tied; nobody else ever beat B, or tied",
            "A B CD",
        ),
    ],
)
def test_without_a_best_fit_the_runs_are_named(table, reason, groups):
    fit = found(
        compared({"1": table, "2": table}), runs=("A", "B", "C", "D")[: 3 + ("CD" in table)]
    )

    assert fit.reason == reason
    assert fit.groups == tuple(tuple(group) for group in groups.split())
    assert {each.reason for each in fit.strengths} == {reason}
    assert (fit.differences, fit.n_replicates) == ((), 0)
    assert all(each.strength is None for each in fit.strengths)


def test_a_tie_keeps_a_run_from_always_winning():
    always = {"AB": "AA", "AC": "AA", "BC": "BC"}

    assert found(compared({"1": always})).reason
    assert found(compared({"1": always | {"AB": "A="}})).reason is None


def test_davidson_has_no_best_fit_where_ties_explain_ever_more():
    """5 wins, 2 ties, no loss: with ties as half there is a fit; by Davidson there is none."""
    rows = compared({"1": {"AB": "AAAAA=="}})

    assert found(rows, runs=("A", "B")).reason is None
    assert found(rows, runs=("A", "B"), model="davidson").reason == NO_BEST_FIT
    once_lost = [*rows, comparison("2", "A", "B", "B")]
    assert found(once_lost, runs=("A", "B"), model="davidson").reason is None


@given(tournaments(most=12))
def test_where_davidson_is_said_to_have_no_best_fit_its_likelihood_rises_without_end(rows):
    """Against scipy's maximiser: bounded strengths stop at the bound there, and nowhere else."""
    wins, ties = tables(rows)
    assume({each for row in rows for each in (row.left, row.right)} == set(RUNS))

    n = wins[0] + ties[0] / 2

    def minus(at):
        """Return the value and its derivatives at two strengths beside one of 0, and ln θ."""
        d = np.array([0.0, at[0], at[1]])
        gap, tie = (d[:, None] - d[None, :]) / 2, at[2]
        whole = np.logaddexp(np.logaddexp(gap, -gap), tie)
        value = (wins[0] * (gap - whole)).sum() + (ties[0] * (tie - whole)).sum() / 2
        by_gap = wins[0] - n * (np.exp(gap - whole) - np.exp(-gap - whole))
        by_d = (by_gap.sum(axis=1) - by_gap.sum(axis=0)) / 2
        by_tie = ties.sum() / 2 - (n * np.exp(tie - whole)).sum()
        return -float(value), -np.array([by_d[1], by_d[2], by_tie])

    def least(bound):
        return minimize(minus, [0.0] * 3, jac=True, bounds=[(-bound, bound)] * 3, tol=1e-14)

    best, inner = least(40.0), least(14.0)

    if ties.any() and is_identified(wins, ties, "davidson")[0]:
        fit = best_fit(wins, ties, "davidson")
        d = fit.strengths[0] - fit.strengths[0, 0]
        ours, _ = minus([d[1], d[2], np.log(fit.tie[0])])
        assert ours <= min(best.fun, inner.fun) + 1e-6
    elif ties.any():
        assert np.abs(inner.x).max() > 5


def test_replicates_without_a_best_fit_are_counted_in_every_interval():
    """C's only win is on one question of six: it is not drawn in (5/6)^6 of replicates, about a third."""
    table = {str(n): {"AB": "AB", "AC": "A", "BC": "B"} for n in range(6)}
    table["0"]["AC"] = "C"

    fit = found(compared(table))

    assert fit.n_not_identified == pytest.approx(1000 * (5 / 6) ** 6, abs=50)
    intervals = [each.interval for each in (*fit.strengths, *fit.differences)]
    assert {each.n_undefined for each in intervals} == {fit.n_not_identified}
    assert fit.n_replicates == 1000


def test_a_run_that_was_never_compared_is_left_out_and_said_so():
    fit = found(compared({"1": {"AB": "AB"}, "2": {"AB": "AAB"}}))

    assert fit.strengths[2].reason == NEVER_COMPARED
    assert fit.strengths[0].strength is not None
    assert len(fit.differences) == 1


def test_of_nothing_there_is_nothing_to_say():
    assert found([]).reason == TOO_FEW
    assert [each.reason for each in found([]).strengths] == [NEVER_COMPARED] * 3


def test_an_interval_holds_its_strength_and_takes_more_than_one_question():
    fit = found(at_random(5, n_questions=40))
    single = found(at_random(5, n_questions=1, n_annotators=30))

    assert all(each.interval.low < each.strength < each.interval.high for each in fit.strengths)
    assert {each.interval.reason for each in single.strengths} == {"a single question"}


def test_a_fit_that_is_not_reached_is_an_error_and_not_a_number(monkeypatch):
    monkeypatch.setattr(fitting, "MOST_STEPS", 3)

    with pytest.raises(NotConvergedError, match="after 3 steps"):
        found(at_random(1))


def test_runs_that_are_hardly_linked_are_fitted_too():
    """Two pairs that meet in two comparisons of two thousand."""
    wins = np.zeros((1, 4, 4))
    wins[0, 0, 1], wins[0, 1, 0], wins[0, 2, 3], wins[0, 3, 2] = 700, 300, 600, 400
    wins[0, 1, 2] = wins[0, 2, 1] = 1

    fit = best_fit(wins, np.zeros((1, 4, 4)), "half")

    assert fit.strengths[0, 0] - fit.strengths[0, 1] == pytest.approx(log(7 / 3))
    assert fit.strengths[0, 1] == pytest.approx(fit.strengths[0, 2], abs=1e-6)
