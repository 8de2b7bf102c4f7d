"""Rates weighted by the inverse of the probability that an answer was asked about."""

import pytest

from exports.results.figures import run_figures
from exports.results.latex import table
from exports.results.tables import RATE
from exports.results.weighted import NO_PROBABILITY, weighted_rates
from exports.templatetags.estimates import weighted_rate
from stats.bootstrap_settings import Bootstrap
from tests.exports.rows_for_tests import answer, item

PLAUSIBLE = {"plausibility": "plausible"}
WRONG = {"plausibility": "implausible"}


def rare_and_certain():
    """Ten answers that were certain to be asked about are plausible; of ten asked with the chance 1/4 none is."""
    answers, items = [], []
    for number in range(20):
        turn, is_rare = f"{number}_1", number >= 10
        answers.append(answer(turn=turn, **(WRONG if is_rare else PLAUSIBLE)))
        items.append(item(turn=turn, inclusion_probability=0.25 if is_rare else 1.0))
    return answers, items


def measures(answers, items):
    figures = run_figures(answers=answers, items=items, judgements=[], bootstrap=Bootstrap(1000, 0))
    return figures["measures"]


def test_a_rare_answer_stands_for_those_that_were_not_asked_about():
    (rate,) = measures(*rare_and_certain())["plausible"]["rates"]

    assert rate["value"] == 0.5
    assert rate["weighted"]["value"] == pytest.approx(10 / 50)
    interval = rate["weighted"]["interval"]
    assert 0 < interval["low"] < 0.2 < interval["high"] < 0.5


def test_gold_is_weighted_by_both_steps():
    answers, items = rare_and_certain()
    gold = {"plausibility": "plausible", "faithfulness": "faithful", "tier": "gold"}
    answers[0] = answer(turn="0_1", **gold)
    answers[1] = answer(turn="1_1", plausibility="plausible", faithfulness="unfaithful")

    (rate,) = measures(answers, items)["gold"]["rates"]

    assert rate["weighted"]["value"] == pytest.approx(10 / 50 * 1 / 2)


def test_drawn_equally_there_is_nothing_to_weight():
    answers, items = rare_and_certain()

    (rate,) = measures(answers, items[:10])["plausible"]["rates"]

    assert rate["weighted"] is None
    assert RATE["weighted"](rate) is RATE["weighted_low"](rate) is None


def test_an_answer_without_a_known_probability_leaves_it_undefined():
    answers, _ = rare_and_certain()

    found = weighted_rates(answers, "plausible", {"1_1": 1.0})

    assert (found["r1"].value, found["r1"].reason) == (None, NO_PROBABILITY)


def test_it_stands_in_the_table_for_a_paper_and_in_words():
    found = measures(*rare_and_certain())

    text = table("animals_v1", found, 1000)

    (rate,) = found["plausible"]["rates"]
    assert "weighted 0.200 [" in text
    assert "Weighted: by the inverse of the inclusion probabilities." in text
    assert weighted_rate(rate["weighted"]).startswith("weighted 20 % (8 % to")
    assert RATE["weighted"](rate) == pytest.approx(0.2)
