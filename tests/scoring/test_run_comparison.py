"""Figures of runs, and how alike two scorers rank them: put together from scorers worked on apart."""

from array import array
from math import nan

import numpy as np
import pytest

from scoring import presenter as scoring_presenter
from scoring import run_comparison
from scoring.figures import Figure, Layout, RunValues, as_lists
from scoring.run_comparison import column, scorer_correlations
from stats.correlation import measure_correlations
from stats.means import Row, means_by_setup

CLUSTERS = [str(turn // 2) for turn in range(20)]
RNG = np.random.default_rng(3)
VALUES = {
    measure: {run: RNG.random(20) ** power for power, run in enumerate(("a", "b", "c"), start=1)}
    for measure in (1, 2)
}


def values(numbers, **counts):
    counts = {"n_not_given": 0, "n_not_scored": 0, "reason": "why not", **counts}
    return RunValues(array("d", numbers), **counts)


@pytest.fixture(scope="module")
def columns():
    return {
        measure: column([values(each) for each in runs.values()], CLUSTERS)
        for measure, runs in VALUES.items()
    }


@pytest.fixture(scope="module")
def table():
    """The same by stats.means, of all measures at once."""
    rows = [
        Row(
            run,
            "",
            str(turn).zfill(2),
            CLUSTERS[turn],
            {str(m): VALUES[m][run][turn] for m in VALUES},
        )
        for run in ("a", "b", "c")
        for turn in range(20)
    ]
    return means_by_setup(rows, measures=["1", "2"], seed=run_comparison.SEED)[""]


def test_scorers_worked_on_apart_give_what_they_give_together(columns, table):
    for measure, found in columns.items():
        for run, figure in zip(("a", "b", "c"), found.figures, strict=True):
            expected = table.figure(run, str(measure))
            assert (figure.value, figure.reason) == (expected.value, "")
            assert (figure.low, figure.high) == (expected.interval.low, expected.interval.high)


def test_the_correlations_are_those_of_scoring_rankings(columns, table):
    found = list(scorer_correlations(columns, Layout({"": [0, 1, 2]}, [])))

    assert [(each.one, each.other, each.coefficient) for each in found] == [
        (1, 2, "kendall_tau_b"),
        (1, 2, "pearson"),
    ]
    for each, expected in zip(found, measure_correlations(table), strict=True):
        assert (each.value, each.n_runs) == (expected.value, expected.n_runs)


def test_setups_are_apart_and_one_run_is_not_ranked(columns):
    found = list(scorer_correlations(columns, Layout({"original": [0, 1], "rewritten": [2]}, [])))

    assert {(each.setup, each.n_runs) for each in found} == {("original", 2)}


def test_between_setups_a_scorer_is_held_against_itself_by_system(columns):
    found = list(scorer_correlations(columns, Layout({}, [(0, 1), (2, 2)])))

    assert [(each.one, each.other, each.n_runs) for each in found] == [
        (1, 1, 2),
        (1, 1, 2),
        (2, 2, 2),
        (2, 2, 2),
    ]


def test_what_has_no_value_is_undefined_with_its_own_reason():
    (figure,) = column([values([nan] * 20, n_not_scored=7)], CLUSTERS).figures

    assert (figure.value, figure.reason, figure.n_not_scored) == (None, "why not", 7)
    assert (figure.low, figure.interval_reason) == (None, "no replicate has a value")


def test_a_correlation_that_is_undefined_has_a_reason():
    tie = [values([0.0, 1.0] * 10), values([1.0, 0.0] * 10)]
    columns = {one: column(tie, [str(turn) for turn in range(20)]) for one in (1, 2)}

    for found in scorer_correlations(columns, Layout({"": [0, 1]}, [])):
        assert (found.value, found.reason) == (None, "all runs have the same value")


def test_what_is_kept_as_lists_is_read_back(columns):
    figures = columns[1].figures

    assert tuple(Figure(*row) for row in as_lists(figures)) == figures


def test_the_files_say_how_the_intervals_were_drawn():
    assert f"{run_comparison.REPLICATES:,} replicates" in scoring_presenter.BOOTSTRAP
