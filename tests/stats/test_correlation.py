"""How alike two measures rank the runs: Kendall's tau-b and Pearson's r, with intervals."""

import random
from itertools import combinations

import numpy as np
import pytest

from stats.correlation import (
    correlations,
    kendall_tau_b,
    measure_correlations,
    pairwise_correlations,
    pearson,
)
from stats.means import Row, means_by_setup

stats = pytest.importorskip("scipy.stats")


def columns(seed, *, n_replicates=200, n_runs=12, values=6):
    """Two columns that hang together, with many ties."""
    rng = np.random.default_rng(seed)
    one = rng.integers(values, size=(n_replicates, n_runs)).astype(float)
    return one, np.round(one + rng.normal(size=one.shape), 0)


def one_row(*numbers):
    return np.array([numbers], dtype=float)


@pytest.mark.parametrize("values", [2, 6, 10**6])
@pytest.mark.parametrize("n_runs", [2, 3, 12, 29])
def test_every_replicate_has_the_value_of_scipy(values, n_runs):
    one, other = columns(1, n_runs=n_runs, values=values)
    varies = (np.ptp(one, axis=1) > 0) & (np.ptp(other, axis=1) > 0)

    taus, rs = kendall_tau_b(one, other), pearson(one, other)

    assert varies.any()
    assert (np.isnan(taus) == ~varies).all()
    assert (np.isnan(rs) == ~varies).all()
    expected = [
        (stats.kendalltau(x, y).statistic, stats.pearsonr(x, y).statistic)
        for x, y in zip(one[varies], other[varies], strict=True)
    ]
    assert pytest.approx(np.array(expected), abs=1e-12) == np.array([taus[varies], rs[varies]]).T


def test_tau_counts_pairs_in_order_against_pairs_that_are_not():
    # Of six pairs one is the other way round: (5 - 1) / 6.
    assert kendall_tau_b(one_row(1, 2, 3, 4), one_row(1, 2, 4, 3)) == pytest.approx([4 / 6])


def test_tau_b_corrects_for_ties():
    # Pairs: 1-2 tie in the second; two are in order. 2 / sqrt(3 · 2).
    assert kendall_tau_b(one_row(1, 2, 3), one_row(1, 1, 2)) == pytest.approx([2 / 6**0.5])


def test_anscombes_quartet_has_its_correlation():
    # Anscombe 1973, the first of the four.
    x = one_row(10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5)
    y = one_row(8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68)

    assert pearson(x, y) == pytest.approx([0.81642], abs=1e-5)


@pytest.mark.parametrize("coefficient", [kendall_tau_b, pearson])
def test_the_same_ranking_is_1_and_the_reverse_is_minus_1(coefficient):
    one = one_row(1, 2, 3, 5)

    assert coefficient(one, one * 3 + 1) == pytest.approx([1])
    assert coefficient(one, -one) == pytest.approx([-1])


@pytest.mark.parametrize("coefficient", [kendall_tau_b, pearson])
def test_a_column_of_one_value_leaves_it_undefined(coefficient):
    constant = np.full((1, 3), 0.1)  # whose mean is not exactly .1

    assert np.isnan(coefficient(constant, one_row(1, 2, 3))).all()
    assert np.isnan(coefficient(one_row(1, 2, 3), constant)).all()


def test_very_small_and_very_large_values_have_a_correlation():
    assert pearson(one_row(1, 2, 3) * 1e-120, one_row(1, 2, 4) * 1e120) == pytest.approx(
        pearson(one_row(1, 2, 3), one_row(1, 2, 4))
    )


# Over a table of means


def rows(*, runs=8, turns=60, seed=1):
    rng = random.Random(seed)
    for turn in range(turns):
        for run in range(runs):
            right = rng.random() < (run + 1) / (runs + 1)
            values = {
                "em": float(right),
                "f1": right * 0.5 + rng.random() / 2,
                "noise": rng.random(),
            }
            yield Row(f"run-{run}", "original", str(turn), str(turn // 2), values)


def table(given, *measures):
    return means_by_setup(given, measures=measures, seed=1)["original"]


def test_every_two_measures_are_compared_by_both_coefficients():
    found = measure_correlations(table(rows(), "em", "f1", "noise"))

    assert [(each.one, each.other, each.coefficient) for each in found] == [
        (one, other, coefficient)
        for one, other in (("em", "f1"), ("em", "noise"), ("f1", "noise"))
        for coefficient in ("kendall_tau_b", "pearson")
    ]
    assert {each.n_runs for each in found} == {8}


def test_measures_that_see_the_same_agree_and_noise_does_not():
    found = {
        (each.one, each.other): each
        for each in measure_correlations(table(rows(), "em", "f1", "noise"))
        if each.coefficient == "kendall_tau_b"
    }

    assert found["em", "f1"].value > 0.8
    assert abs(found["em", "noise"].value) < 0.8


def test_the_values_are_those_of_scipy():
    means = table(rows(), "em", "f1")

    tau, r = measure_correlations(means)

    assert tau.value == pytest.approx(stats.kendalltau(*means.values.T).statistic)
    assert r.value == pytest.approx(stats.pearsonr(*means.values.T).statistic)


def test_a_run_without_a_value_in_one_measure_is_left_out():
    given = [
        Row(each.run, each.setup, each.turn, each.cluster, {**each.values, "f1": None})
        if each.run == "run-0"
        else each
        for each in rows()
    ]

    tau, _ = measure_correlations(table(given, "em", "f1"))

    assert tau.n_runs == 7
    assert tau.value is not None


@pytest.mark.parametrize(
    ("n_runs", "reason"),
    [(0, "fewer than two runs have both"), (1, "fewer than two runs have both")],
)
def test_too_few_runs_give_no_value_but_a_reason(n_runs, reason):
    for found in correlations(("em", "f1"), np.ones((n_runs, 2))):
        assert (found.value, found.reason, found.n_runs) == (None, reason, n_runs)


def test_runs_that_all_tie_give_no_value_but_a_reason():
    for found in correlations(("em", "f1"), np.ones((4, 2))):
        assert (found.value, found.reason) == (None, "all runs have the same value")


def test_a_measure_on_original_and_on_rewritten_questions_is_compared_by_system():
    original = list(rows(seed=1))
    rewritten = [
        Row(each.run, "rewritten", each.turn, each.cluster, each.values) for each in rows(seed=2)
    ]
    tables = means_by_setup([*original, *rewritten], measures=["em"], seed=1)
    one, other = tables["original"], tables["rewritten"]

    tau, r = correlations(
        ("original", "rewritten"),
        np.stack([one.values[:, 0], other.values[:, 0]], axis=1),
    )

    assert (tau.n_runs, r.n_runs) == (8, 8)
    assert tau.value > 0.8
    assert r.value > 0.8


def test_every_two_columns_are_compared_and_leave_out_their_own_runs():
    values = np.random.default_rng(4).integers(4, size=(9, 4)).astype(float)
    values[0, 1] = values[3, 2] = np.nan
    names = [str(column) for column in range(4)]

    found = list(pairwise_correlations(names, values))

    assert found == [
        each
        for i, j in combinations(range(4), 2)
        for each in correlations((names[i], names[j]), values[:, [i, j]])
    ]
    assert [each.n_runs for each in found[::2]] == [8, 8, 9, 7, 8, 8]


def test_of_one_column_or_none_there_are_no_two():
    assert list(pairwise_correlations([], np.ones((3, 0)))) == []
    assert list(pairwise_correlations(["em"], np.ones((3, 1)))) == []


def test_columns_that_share_no_run_have_no_value_but_a_reason():
    values = np.array([[1.0, np.nan], [np.nan, 1.0]])

    for found in pairwise_correlations(["em", "f1"], values):
        assert (found.value, found.reason) == (None, "fewer than two runs have both")
        assert found.n_runs == 0
