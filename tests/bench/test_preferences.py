"""Preferences of known truth, and that the bench computes what the results do."""

import numpy as np
import pytest

from bench import compared_intervals, records
from bench.compared_coverage import DESIGNS, intervals, means, rows, true_values
from bench.preferences import Design, make_population
from stats.pairwise.bradley_terry import bradley_terry
from stats.pairwise.position_bias import left_bias
from stats.pairwise.win_rate import win_rates
from stats.ratings import rating_scales

DRAWN = {"replicates": 1000, "seed": 5}
DESIGN = Design("a", strengths=(0.6, 0.1, -0.7))


def population(design=DESIGN, n=20_000):
    return make_population(np.random.default_rng(0), design, n)


@pytest.mark.parametrize("design", [DESIGN, DESIGNS[3], DESIGNS[4]])
def test_the_bench_computes_what_the_results_say(design):
    sample = population(design, 200).draw(np.random.default_rng(1), 25)
    compared, rated = records.comparisons(sample, design), records.ratings(sample, design)
    runs = records.runs_of(design)

    found = {name: (low, high) for name, low, high, _ in intervals(sample, design, 5)}
    zero, half = (
        win_rates(compared, runs=runs, policy=policy).rates[0].interval
        for policy in ("zero", "half")
    )
    fit = bradley_terry(compared, runs=runs, **DRAWN)
    of_results = {
        "win-rate, ties 0": zero,
        "win-rate, ties half": half,
        "F+A": rating_scales(rated, runs=runs)[0].both.interval,
        "share of the left": left_bias(compared, seed=5).share.interval,
        "Bradley-Terry, difference": fit.differences[0].interval,
    }

    by_its_functions = {name for name, *_ in compared_intervals.of_judgements(sample, design, 5)}
    assert found.keys() == of_results.keys() | by_its_functions
    for name, interval in of_results.items():
        assert found[name] == pytest.approx((interval.low, interval.high)), name


def test_where_questions_and_people_are_alike_the_strengths_are_those_of_the_design():
    design = Design("a", strengths=(0.6, 0.1, -0.7), unlike=0.0, left=0.0, ties=0.0)

    true = true_values(population(design), design)

    assert true["Bradley-Terry, difference"] == pytest.approx(0.5, abs=0.03)
    assert true["share of the left"] == pytest.approx(0.5, abs=0.01)


def test_the_left_gains_as_much_as_said():
    design = Design("a", strengths=(0.0, 0.0), unlike=0.0, left=1.0, ties=0.0)

    share = true_values(population(design), design)["share of the left"]

    assert share == pytest.approx(1 / (1 + np.exp(-1.0)), abs=0.01)


def test_people_say_more_alike_of_one_question_than_of_two():
    won = population().won[:, :, 0]

    within = (won[:, 0] == won[:, 1]).mean()
    between = (won[1:, 0] == won[:-1, 1]).mean()
    assert within > between + 0.05


def test_people_apart_are_as_many_questions_as_judgements_and_the_same_figures():
    sample = population(n=50)
    apart = sample.as_people()

    assert len(apart) == 150
    for (name, one), (_, other) in zip(means(sample, DESIGN), means(apart, DESIGN), strict=True):
        together = [float(value) for each in one.values() for value in each]
        alone = [float(value) for each in other.values() for value in each]
        assert np.mean(together) == pytest.approx(np.mean(alone)), name
    assert (rows(sample, DESIGN).sum(axis=0) == rows(apart, DESIGN).sum(axis=0)).all()
