"""What speaks against trusting an interval, carried by the results themselves."""

from dataclasses import replace

import pytest

from bench.coverage.cases import CASES
from stats import interval_coverage
from stats.bootstrap import BootstrapInterval, no_interval
from stats.interval_cautions import caution
from stats.interval_coverage import (
    BOTH,
    LEAST,
    LEFT,
    LENGTH_RATED,
    LONGER,
    MOST,
    OF_ANSWERS,
    PREFERRED_DIFFERENCE,
    RATED_DIFFERENCE,
    STRENGTH,
    WIN_RATE,
)
from stats.pairwise.bradley_terry import bradley_terry
from stats.pairwise.length_bias import preference_by_length
from stats.pairwise.pairwise_tests import preference_tests, rating_tests
from stats.pairwise.position_bias import left_bias
from stats.pairwise.win_rate import win_rates
from stats.ratings import both, rating_scales
from tests.cases import all_cases
from tests.stats.pairwise.preferences import DRAWN, RUNS, at_random, compared, rating

OF_MEANS = (WIN_RATE, BOTH, LEFT, RATED_DIFFERENCE, PREFERRED_DIFFERENCE, LONGER)
DRAWN_ONES = (STRENGTH, LENGTH_RATED, *OF_ANSWERS.values())
GOOD = {30: 95.0, 100: 95.0, 500: 95.0}


def over(n_questions, n_undefined=0):
    return BootstrapInterval(
        0.1, 0.9, n_replicates=1000, n_undefined=n_undefined, n_questions=n_questions, seed=0
    )


def test_many_questions_need_no_caution():
    assert caution([over(100), over(2000)], GOOD, "win-rate") is None
    assert caution([], GOOD, "win-rate") is None
    assert caution([no_interval("nothing", 0)], GOOD, "win-rate") is None


def test_few_questions_are_counted_and_what_was_measured_is_said():
    assert caution([over(29), over(200)], GOOD, "win-rate") == (
        "1 win-rate rests on fewer than 30 questions: do not trust such an interval."
    )
    assert caution([over(60), over(40)], GOOD, "mean") == (
        "2 means rest on fewer than 100 questions; such an interval may cover less than 95 %:"
        " in simulation 95.0 % at 30 questions, 95.0 % at 100."
    )


def test_too_little_covered_at_many_questions_is_said_of_these():
    assert caution([over(120)], {30: 80.0, 100: 90.0, 500: 95.0}, "share") == (
        "1 share rests on few questions; such an interval may cover less than 95 %:"
        " in simulation 90.0 % at 100 questions, 95.0 % at 500."
    )


def test_replicates_without_a_value_are_told():
    assert caution([over(300), over(300, 40)], GOOD, "difference") == (
        "40 of 1,000 replicates have no value and are left out."
    )
    assert caution([over(20, 40)], GOOD, "difference").endswith("left out.")


def test_an_interval_that_is_not_there_needs_no_caution():
    assert caution([replace(over(5), low=None)], GOOD, "share") is None


@all_cases(
    ("measured", "case"),
    [
        *((each, "means") for each in OF_MEANS),
        *((each, "strengths and correlations") for each in DRAWN_ONES),
    ],
)
def test_what_was_measured_is_at_the_sizes_of_the_bench_and_ends_with_true_intervals(
    measured, case
):
    sizes = {each.full.sizes for each in CASES if each.name.startswith(f"{case}, ")}

    assert sizes == {tuple(measured)}
    assert LEAST <= measured[max(measured)] <= MOST


def test_every_result_carries_its_own():
    rows = at_random(1, n_questions=12)
    rated = [rating(f"{n}", n % 4 + 1, 4) for n in range(12)]
    others = [rating(f"{n}", n % 3 + 1, 4, run="B") for n in range(12)]
    lengths = {(each.question, run): ord(run) for each in rows for run in RUNS}
    found = [
        win_rates(rows, runs=RUNS).caution,
        bradley_terry(rows, runs=RUNS, **DRAWN).caution,
        left_bias(rows, seed=0).caution,
        rating_scales(rated, runs=["A"])[0].caution,
        rating_tests([*rated, *others], both, runs=RUNS, seed=0).caution,
        preference_tests(rows, runs=RUNS, seed=0).caution,
        preference_by_length(rows, lengths, seed=0).caution,
    ]

    assert [(each or "").split(" rest")[0] for each in found] == [
        "3 win-rates",
        "3 differences",
        "",
        "2 means",
        "",
        "3 differences",
        "2 figures",
    ]


@pytest.mark.parametrize("n", [30, 100])
def test_a_difference_of_runs_is_cautioned_of_by_what_was_measured_of_its_kind(n):
    rated = [rating(f"{each}", each % 4 + 1, 4, run=run) for each in range(n) for run in "AB"]
    rated[0] = rating("0", 4, 4, run="A")
    preferred_once = compared({f"{each}": {"AB": "AB="[each % 3]} for each in range(n)})

    by = rating_tests(rated, both, runs=("A", "B"), seed=0).caution
    of = preference_tests(preferred_once, runs=("A", "B"), seed=0).caution

    assert by == interval_coverage.caution_of_numbers([n], RATED_DIFFERENCE, "difference")
    assert of == interval_coverage.caution_of_numbers([n], PREFERRED_DIFFERENCE, "difference")


def test_a_strength_that_replicates_lack_says_how_many():
    table = {str(n): {"AB": "AB", "AC": "A", "BC": "B"} for n in range(6)}
    table["0"]["AC"] = "C"

    fit = bradley_terry(compared(table), runs=RUNS, **DRAWN)

    assert f"{fit.n_not_identified} of 1,000 replicates have no value" in fit.caution
