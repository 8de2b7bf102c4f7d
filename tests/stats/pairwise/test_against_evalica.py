"""Win-rates and strengths against evalica's, with the exact relation where it means something else."""

import evalica
import numpy as np
import pytest
from evalica import Winner
from hypothesis import assume, given
from hypothesis import strategies as st

from stats.pairwise.bradley_terry import bradley_terry
from stats.pairwise.bradley_terry_fit import best_fit
from stats.pairwise.win_rate import win_rates
from tests.stats.pairwise.preferences import DRAWN, RUNS, at_random, tables, tournaments

WINNERS = {"left": Winner.X, "right": Winner.Y, "tie": Winner.Draw}
CLOSE = {"tolerance": 1e-13, "limit": 1_000_000}


def columns(rows):
    return (
        [each.left for each in rows],
        [each.right for each in rows],
        [WINNERS[each.preferred] for each in rows],
    )


def centred(scores, runs=RUNS):
    """Strengths, which evalica gives as π with a geometric mean of 1 or another, as ours are."""
    logs = np.log(scores)
    return [logs[run] - logs.mean() for run in runs]


@given(st.integers(0, 100_000), st.sampled_from([2, 3, 4, 5]), st.floats(0, 0.6))
def test_strengths_are_evalica_s(seed, n_runs, ties):
    runs = tuple("ABCDE"[:n_runs])
    rows = at_random(seed, runs=runs, ties=ties, n_questions=3)
    ours = best_fit(*tables(rows, runs), "half").strengths[0]
    assume(not np.isnan(ours).any())

    theirs = evalica.bradley_terry(*columns(rows), tie_weight=0.5, **CLOSE).scores

    assert ours == pytest.approx(centred(theirs, runs), abs=1e-6)


@given(tournaments(least=8))
def test_strengths_of_unbalanced_tournaments_are_evalica_s(rows):
    ours = best_fit(*tables(rows), "half").strengths[0]
    assume(not np.isnan(ours).any())

    theirs = evalica.bradley_terry(*columns(rows), tie_weight=0.5, **CLOSE).scores

    assert ours == pytest.approx(centred(theirs), abs=1e-6)


@given(st.integers(0, 100_000), st.floats(0.05, 0.5))
def test_davidson_s_ties_are_newman_s_in_evalica_whose_v_is_half_of_ours(seed, ties):
    """Newman 2023 writes P(tie) = 2v√(π_i π_j) / D for the same model."""
    rows = at_random(seed, ties=ties, n_questions=4)
    ours = best_fit(*tables(rows), "davidson")
    assume(ours.tie[0] > 0)
    # Of equal strengths evalica stops at once, before its v has moved: it looks at the strengths alone.
    assume(np.ptp(ours.strengths[0]) > 1e-9)

    newman = evalica.newman(*columns(rows), solver="naive", **CLOSE)
    # Its scores have no fixed scale, and its tolerance is absolute: where they sink towards it, as 2e-13 and 8e-15 at
    # seed 11274 and ties of .0625, it stops at strengths that are less likely than ours.
    assume(newman.scores.min() > 1e-6)

    assert ours.strengths[0] == pytest.approx(centred(newman.scores), abs=1e-5)
    assert ours.tie[0] == pytest.approx(2 * newman.v, rel=1e-5)


@given(st.integers(0, 100_000), st.floats(0, 0.6))
def test_win_rates_by_half_are_evalica_s_in_a_complete_design(seed, ties):
    rows = at_random(seed, ties=ties)

    ours = win_rates(rows, runs=RUNS, policy="half")
    theirs = evalica.average_win_rate(*columns(rows), tie_weight=0.5).scores

    assert [each.value for each in ours.rates] == pytest.approx([theirs[run] for run in RUNS])


@given(tournaments())
def test_in_any_design_each_pair_s_rate_is_evalica_s_by_policy(rows):
    """evalica divides a pair's wins by what it counts of both: 1 a decided comparison, 2·weight a tie. We divide by
    comparisons. So of a pair with a share of ties t, ours = theirs · (1 - t + 2·weight·t); and evalica averages
    over opponents what we average over questions."""
    pair = [each for each in rows if {each.left, each.right} == {"A", "B"}]
    assume(pair)
    single = [each for each in pair if each.question == pair[0].question]
    t = sum(each.preferred == "tie" for each in single) / len(single)

    for policy, weight in (("zero", 0.0), ("half", 0.5), ("both", 1.0)):
        ours = win_rates(single, runs=("A", "B"), policy=policy).rates
        theirs = evalica.average_win_rate(*columns(single), tie_weight=weight).scores
        for each in ours:
            assert each.value == pytest.approx(theirs[each.run] * (1 - t + 2 * weight * t))


def test_intervals_are_as_wide_as_evalica_s_where_each_comparison_is_a_question():
    """Its percentile bootstrap draws comparisons, ours questions; with one comparison each they are one."""
    rows = at_random(11, n_questions=300, n_annotators=1, ties=0.1)
    rows = [each for number, each in enumerate(rows) if number % 3 == number // 3 % 3]

    ours = bradley_terry(rows, runs=RUNS, **DRAWN)
    theirs = evalica.bootstrap(
        evalica.bradley_terry, *columns(rows), bootstrap_method="percentile", random_state=0
    )

    logs = np.log(theirs.distribution)
    logs = logs.sub(logs.mean(axis=1), axis=0)
    for each in ours.strengths:
        low, high = np.percentile(logs[each.run], [2.5, 97.5])
        assert (each.interval.low, each.interval.high) == pytest.approx((low, high), abs=0.06)
