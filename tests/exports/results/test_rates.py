"""Rates of runs over what is settled."""

import pytest

from exports.results.rates import MEASURES, NOTHING_SETTLED, rates, settled_questions
from tests.exports.rows_for_tests import answer, study

DRAWN = {"replicates": 1000, "seed": 0}
PLAUSIBLE, FAITHFUL, GOLD = MEASURES
GOOD = {"plausibility": "plausible", "faithfulness": "faithful", "tier": "gold"}


def rates_by_run(rows, measure):
    return {rate.run: rate for rate in rates(settled_questions(rows, measure), measure, **DRAWN)}


def test_the_rates_of_a_small_study():
    """By hand from the table in rows_for_tests.study."""
    rows = study()["answers"]

    told = {
        measure.name: {
            run: (rate.n_accepted, rate.n_questions)
            for run, rate in rates_by_run(rows, measure).items()
        }
        for measure in MEASURES
    }

    assert told == {
        "plausible": {"r1": (2, 3), "r2": (1, 1), "r3": (1, 1), "b": (2, 2)},
        "faithful": {"r1": (1, 2), "r2": (1, 1), "r3": (0, 0), "b": (0, 1)},
        "gold": {"r1": (1, 3), "r2": (1, 1), "r3": (0, 0), "b": (0, 1)},
    }


def test_what_has_not_ended_is_never_wrong():
    rows = [
        answer(turn="1_1", **GOOD),
        answer(turn="1_2"),
        answer(turn="1_3", sampled="capped"),
        answer(turn="1_4", plausibility="disputed"),
        answer(turn="1_5", plausibility="plausible", faithfulness="not_asked", tier="silver"),
        answer(turn="1_6", plausibility="plausible", faithfulness="disputed"),
    ]

    assert rates_by_run(rows, PLAUSIBLE)["r1"].value == 1
    assert rates_by_run(rows, GOLD)["r1"].n_questions == 1
    assert rates_by_run(rows, GOLD)["r1"].value == 1


@pytest.mark.parametrize(
    "ending",
    [
        {"plausibility": "implausible"},
        {"plausibility": "malformed"},
        {"plausibility": "plausible", "faithfulness": "unfaithful"},
    ],
)
def test_what_ended_otherwise_is_not_gold(ending):
    rows = [answer(turn="1_1", **GOOD), answer(turn="1_2", **ending)]

    assert rates_by_run(rows, GOLD)["r1"].value == 0.5


@pytest.mark.parametrize(
    ("measure", "reason"),
    [(PLAUSIBLE, NOTHING_SETTLED), (FAITHFUL, NOTHING_SETTLED), (GOLD, NOTHING_SETTLED)],
)
def test_where_nothing_is_settled_there_is_no_rate(measure, reason):
    rate = rates_by_run([answer()], measure)["r1"]

    assert (rate.value, rate.reason, rate.interval.reason) == (None, reason, reason)


def test_a_run_of_which_nothing_was_drawn_has_no_rate():
    assert rates_by_run([answer(sampled="capped")], GOLD)["r1"].reason == NOTHING_SETTLED


def test_answers_that_all_ended_alike_give_no_width():
    rows = [answer(turn=f"{n}_1", **GOOD) for n in range(5)]

    rate = rates_by_run(rows, PLAUSIBLE)["r1"]

    assert (rate.value, rate.interval.reason) == (1, "all replicates are equal")


def test_the_interval_is_about_that_of_independent_questions():
    """90 of 100: 1.96 √(.9·.1/100) = .059 on each side."""
    rows = [answer(turn=f"{n}_1", plausibility="plausible") for n in range(90)]
    rows += [answer(turn=f"{n}_2", plausibility="implausible") for n in range(10)]

    interval = rates_by_run(rows, PLAUSIBLE)["r1"].interval

    assert interval.low == pytest.approx(0.9 - 0.059, abs=0.012)
    assert interval.high == pytest.approx(0.9 + 0.059, abs=0.012)


def test_two_answers_of_a_run_to_a_question_are_refused():
    rows = [answer("a", plausibility="plausible"), answer("b", plausibility="plausible")]

    with pytest.raises(ValueError, match="two answers"):
        settled_questions(rows, PLAUSIBLE)
