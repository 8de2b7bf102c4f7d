"""Conversations are drawn whole, and with one turn each nothing changes."""

import json
from dataclasses import replace
from random import Random

import pytest

from exports.releases.report import report
from tests.exports.rows_for_tests import answer, item, judged

LABELS = ["plausible", "plausible", "implausible", "malformed"]


def study(n_turns, name):
    """Two runs and seven people on turns whose ids are made by `name`."""
    chance = Random(5)
    rows = {"answers": [], "items": [], "judgements": []}
    for number in range(n_turns):
        for run in ("r1", "r2"):
            text, turn = f"{run} {number}", name(number)
            label = chance.choice(LABELS)
            known = chance.choice(["faithful", "faithful", "unfaithful", "not_asked"])
            ends = {"plausibility": label, "faithfulness": known if label == "plausible" else ""}
            rows["answers"].append(answer(text, turn=turn, run=run, **ends))
            rows["items"].append(item(text, turn=turn, verdict=label))
            said = judged(rows["items"][-1], *chance.choices(LABELS, k=3))
            people = chance.sample([f"w{each}" for each in range(7)], 3)
            rows["judgements"] += [
                replace(each, annotator=who) for each, who in zip(said, people, strict=True)
            ]
    return rows


def as_text(rows):
    return json.dumps(report(**rows), sort_keys=True)


def test_with_one_turn_each_every_figure_is_that_of_turns_of_no_conversation():
    of_conversations = as_text(study(40, lambda number: f"c{number:02}_1"))

    of_turns = as_text(study(40, lambda number: f"c{number:02}-1"))

    assert of_conversations == of_turns.replace("-1", "_1")


@pytest.mark.parametrize("key", ["raw", "alpha", "ac1"])
def test_agreement_draws_conversations_whole(key):
    """Ten turns four times, in conversations of four: as wide as ten turns, not as forty."""
    ten = study(10, lambda number: f"{number:02}_1")
    forty = {
        "answers": [],
        "items": [
            replace(each, turn_id=each.turn_id[:-1] + turn, item_id=each.item_id + turn)
            for each in ten["items"]
            for turn in "1234"
        ],
        "judgements": [
            replace(each, turn_id=each.turn_id[:-1] + turn, item_id=each.item_id + turn)
            for each in ten["judgements"]
            for turn in "1234"
        ],
    }

    [[one], [many]] = (
        report(**rows)["batches"][0]["agreement"].values()
        for rows in (ten | {"answers": []}, forty)
    )

    for figures in (one, many):
        assert (figures[key]["n_conversations"], figures[key]["interval"]["n_questions"]) == (
            10,
            10,
        )
    assert (one[key]["n_questions"], many[key]["n_questions"]) == (10, 40)
    if key != "alpha":  # which depends on how many judgements there are, a little
        assert many[key]["interval"]["low"] == pytest.approx(one[key]["interval"]["low"])
    assert many[key]["interval"]["low"] == pytest.approx(one[key]["interval"]["low"], abs=0.02)
