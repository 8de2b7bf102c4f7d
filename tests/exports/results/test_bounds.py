"""Bounds of rates and differences for whatever the open answers turn out to be."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.results.bounds import Asked, difference_bounds, rate_bounds
from exports.results.figures import run_figures
from exports.results.rates import asked_answers
from stats.bootstrap_settings import Bootstrap
from tests.exports.rows_for_tests import answer

ENDS = {"1": True, "0": False, "?": None}


def asked(ends, run="a"):
    return {str(place): Asked(f"{place}{run}", ENDS[end]) for place, end in enumerate(ends)}


def test_the_bounds_of_a_rate_are_over_all_that_was_asked_about():
    assert rate_bounds(asked("10?")) == (1, (pytest.approx(1 / 3), pytest.approx(2 / 3)))
    assert rate_bounds(asked("")) == (0, None)


def test_the_bounds_of_a_difference_by_hand():
    found = difference_bounds(asked("10?"), asked("?01", "b"))

    assert found == (2, (pytest.approx(-1 / 3), pytest.approx(1 / 3)))


def test_one_text_of_both_runs_never_differs_however_it_ends():
    assert difference_bounds(asked("???"), asked("???")) == (3, (0, 0))


@given(st.text("10?", max_size=4), st.text("10?", max_size=4))
def test_every_way_that_open_answers_may_end_is_within_the_bounds(first, second):
    n = min(len(first), len(second))
    one, other = first[:n], second[:n]

    _, bounds = difference_bounds(asked(one), asked(other, "b"))

    ways = [(x.count("1") - y.count("1")) / n for x in _endings(one) for y in _endings(other) if n]
    assert bounds == ((min(ways), max(ways)) if n else None)


def _endings(ends):
    return ["".join(each) for each in product(*("10" if end == "?" else end for end in ends))]


@pytest.mark.parametrize(
    ("measure", "n_asked", "n_open"), [("plausible", 5, 1), ("faithful", 3, 1), ("gold", 5, 2)]
)
def test_which_answers_each_measure_asks_about(measure, n_asked, n_open):
    good = {"plausibility": "plausible"}
    rows = [
        answer(turn="1_1", **good, faithfulness="faithful"),
        answer(turn="2_1", **good, faithfulness="not_asked"),
        answer(turn="3_1", **good, faithfulness="unfaithful"),
        answer(turn="4_1", plausibility="implausible"),
        answer(turn="5_1", plausibility="disputed"),
        answer(turn="6_1", sampled="capped"),
    ]

    of_run = asked_answers(rows, measure)["r1"]

    assert (len(of_run), rate_bounds(of_run).n_not_settled) == (n_asked, n_open)


def test_rates_and_pairs_of_a_report_have_what_is_not_settled_and_bounds():
    rows = [answer(turn="1_1", plausibility="plausible"), answer(turn="2_1")]
    rows += [answer("No.", turn=f"{n}_1", run="r2", plausibility="implausible") for n in (1, 2)]

    figures = run_figures(answers=rows, items=[], judgements=[], bootstrap=Bootstrap(1000, 0))

    of_measure = figures["measures"]["plausible"]
    rate, (pair,) = of_measure["rates"][0], of_measure["pairs"]
    assert (rate["n_not_settled"], rate["bounds"]) == (1, [0.5, 1.0])
    assert (pair["n_questions"], pair["n_not_settled"], pair["bounds"]) == (1, 1, [0.5, 1.0])
