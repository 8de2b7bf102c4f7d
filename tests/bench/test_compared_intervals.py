"""Simulated answers that are rated, have a length and a score: of known truth, as the results tell them."""

import numpy as np
import pytest

from bench import compared_intervals, records
from bench.compared_coverage import PEOPLE, QUESTIONS, simulated, true_values
from bench.preferences import Design, make_population
from stats import ratings
from stats.metric_correlation import answer_correlations
from stats.pairwise import length_bias, pairwise_tests

DRAWN = {"replicates": 1000, "seed": 5}
DESIGN = Design("a", strengths=(0.6, 0.1, -0.7))
# Of 1,000 questions of it, when one run was rated and no answer had a length.
BEFORE = {
    "win-rate, ties 0": 0.534167,
    "win-rate, ties half": 0.6175,
    "F+A": 2.871925,
    "share of the left": 0.557371,
    "Bradley-Terry, difference": 0.216846,
}


def population(design=DESIGN, n=20_000):
    return make_population(np.random.default_rng(0), design, n)


@pytest.mark.parametrize("design", [DESIGN, Design("b", n_people=1, ties=2.0)])
def test_the_true_values_are_what_the_results_say_of_the_whole_population(design):
    every = population(design, 150)
    compared, rated = records.comparisons(every, design), records.ratings(every, design)
    lengths, scored = records.lengths(every, design), records.scores(every, design)
    runs = records.runs_of(design)

    preferred = length_bias.preference_by_length(compared, lengths, seed=5)
    said = {
        compared_intervals.RATED: pairwise_tests.rating_tests(
            rated, ratings.both, runs=runs, seed=5
        )
        .pairs[0]
        .difference,
        compared_intervals.PREFERRED: pairwise_tests.preference_tests(compared, runs=runs, seed=5)
        .pairs[0]
        .difference,
        compared_intervals.LONGER: preferred.longer.value,
        compared_intervals.EXTRA: preferred.extra.value,
        compared_intervals.WITHIN: length_bias.rating_by_length(
            rated, ratings.both, lengths, **DRAWN
        ).value,
    }
    for name, values in (("measure", scored), ("length", lengths)):
        for each in answer_correlations(rated, ratings.both, values, **DRAWN):
            said[compared_intervals.BESIDE[name, each.coefficient]] = each.value

    assert compared_intervals.true_values(every, design) == pytest.approx(said)


def test_every_figure_with_a_true_value_has_an_interval_about_its_own():
    sample = population(n=200)
    true = compared_intervals.true_values(sample, DESIGN)

    found = [
        *compared_intervals.of_judgements(sample, DESIGN, 5),
        *compared_intervals.of_answers(sample, DESIGN, 5),
    ]

    assert [name for name, *_ in found] == list(true)
    for name, low, high, undefined in found:
        assert low < true[name] < high, name
        assert undefined == 0, name


def test_what_was_measured_before_other_runs_were_rated_is_drawn_as_before():
    true = true_values(population(n=1000), DESIGN)

    assert {name: round(true[name], 6) for name in BEFORE} == BEFORE


def test_better_answers_are_longer_and_score_higher_and_a_question_is_hard_for_all_runs():
    every = population()
    true = compared_intervals.true_values(every, DESIGN)
    of_run = every.rated.mean(axis=(1, 3))

    assert true[compared_intervals.LONGER] > 0.55
    assert (
        min(true[name] for name in (compared_intervals.WITHIN, *compared_intervals.BESIDE.values()))
        > 0.1
    )
    assert np.corrcoef(of_run[:, 0], of_run[:, 1])[0, 1] > 0.2
    assert np.corrcoef(every.lengths[:, 0], every.lengths[:, 1])[0, 1] > 0.2


def test_the_stronger_run_is_rated_the_higher():
    means = population(Design("a", strengths=(0.6, 0.1, -0.7, 2.0))).rated.mean(axis=(0, 1, 3))

    assert list(np.argsort(means)) == [2, 1, 0, 3]


def test_people_apart_have_the_answers_of_their_question():
    sample = population(n=40)

    alone = compared_intervals.true_values(sample.as_people(), DESIGN)

    true = compared_intervals.true_values(sample, DESIGN)
    for name in (
        compared_intervals.RATED,
        compared_intervals.PREFERRED,
        compared_intervals.LONGER,
        compared_intervals.EXTRA,
    ):
        assert alone[name] == pytest.approx(true[name]), name


def test_coefficients_of_mean_ratings_are_not_taken_of_people_apart():
    found = simulated(DESIGN, (30,), 1)[30]

    assert set(found[compared_intervals.RATED]) == {QUESTIONS, PEOPLE}
    assert set(found[compared_intervals.WITHIN]) == {QUESTIONS}
    assert all(each[QUESTIONS].n == 1 for each in found.values())
