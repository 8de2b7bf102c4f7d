"""Rates of runs over what is settled."""

import pytest

from exports.results.rates import MEASURES, Share, rates, settled_questions
from stats.bootstrap_settings import Bootstrap
from stats.proportion_intervals import wilson
from stats.two_step_rates import NOTHING_SETTLED
from tests.exports.rows_for_tests import answer, study

PLAUSIBLE, FAITHFUL, GOLD = MEASURES
GOOD = {"plausibility": "plausible", "faithfulness": "faithful", "tier": "gold"}


def rates_by_run(rows, measure):
    return {rate.run: rate for rate in rates(rows, measure, Bootstrap(1000, 0))}


def test_the_rates_of_a_small_study():
    """By hand from the table in rows_for_tests.study."""
    rows = study()["answers"]

    told = {
        measure: {
            run: (rate.n_accepted, rate.n_questions)
            for run, rate in rates_by_run(rows, measure).items()
        }
        for measure in MEASURES
    }

    assert told == {
        "plausible": {"r1": (2, 3), "r2": (1, 1), "r3": (1, 1), "b": (2, 2)},
        "faithful": {"r1": (1, 2), "r2": (1, 1), "r3": (0, 0), "b": (0, 1)},
        "gold": {"r1": (1, 3), "r2": (1, 1), "r3": (0, 1), "b": (0, 2)},
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
    assert rates_by_run(rows, GOLD)["r1"].shares == (Share(3, 3), Share(1, 1))
    assert rates_by_run(rows, GOLD)["r1"].value == 1


def test_gold_is_not_lowered_by_plausible_answers_whose_faithfulness_is_not_asked():
    """4 implausible, 8 plausible and faithful, 8 plausible and not asked: .80, not 8/12."""
    rows = [answer(turn=f"{n}_1", plausibility="implausible") for n in range(4)]
    rows += [answer(turn=f"{n}_2", **GOOD) for n in range(8)]
    asked = {"plausibility": "plausible", "faithfulness": "not_asked", "tier": "silver"}
    rows += [answer(turn=f"{n}_3", **asked) for n in range(8)]

    rate = rates_by_run(rows, GOLD)["r1"]

    assert rate.value == pytest.approx(0.8)
    assert (rate.n_accepted, rate.n_questions) == (8, 20)
    assert rate.shares == (Share(16, 20), Share(8, 8))
    assert rate.interval.low < 0.8 < rate.interval.high


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


def test_thirty_of_thirty_have_an_interval():
    rows = [answer(turn=f"{n}_1", **GOOD) for n in range(30)]

    for measure in MEASURES:
        rate = rates_by_run(rows, measure)["r1"]
        assert (rate.value, rate.interval) == (1, wilson(30, 30))


def test_two_answers_of_a_run_to_a_question_are_refused():
    rows = [answer("a", plausibility="plausible"), answer("b", plausibility="plausible")]

    with pytest.raises(ValueError, match="two answers"):
        settled_questions(rows, PLAUSIBLE)
