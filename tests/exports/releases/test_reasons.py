"""Why an answer changes its tier: each cause has its own words."""

import pytest

from exports.releases.reasons import NOWHERE, Accepted, Circumstances, Decided, reason

PLAUSIBLE = Decided("plausible", "first", is_adjudicated=False)
FAITHFUL = Decided("faithful", "evidence", is_adjudicated=False)
SILVER = Accepted("silver", PLAUSIBLE, None, ("a", "b"))
GOLD = Accepted("gold", PLAUSIBLE, FAITHFUL, ("a", "b"))
NOTHING = Circumstances({}, ())


def decided(outcome, batch="first", *, is_adjudicated=False):
    return Decided(outcome, batch, is_adjudicated)


def why(before, plausible, faithful=None, *, batches=None, runs=()):
    is_plausible = plausible is not None and plausible.outcome == "plausible"
    circumstances = Circumstances(batches or {}, runs)
    return reason(before, plausible, faithful, circumstances, is_plausible=is_plausible)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("was withdrawn", "“first” was withdrawn"),
        ("is left out", "“first” is left out"),
        ("is open again", "“first” is open again"),
    ],
)
def test_what_happened_to_the_batch_that_decided_is_the_reason(what, words):
    assert why(SILVER, None, batches={"first": what}) == words


def test_an_answer_whose_runs_were_withdrawn_names_them():
    assert why(SILVER, None, runs=("a", "b", "c")) == "every run that gave it was withdrawn: a, b"


def test_an_answer_that_nothing_asks_about_says_so():
    assert why(SILVER, None) == NOWHERE


def test_a_later_batch_says_instead_of_which_one_it_decides():
    now = decided("implausible", "second")

    assert why(SILVER, now) == "implausible in “second”, which decides instead of “first”"


def test_a_batch_that_decides_because_another_is_away_says_why():
    now = decided("malformed", "second")

    found = why(SILVER, now, batches={"first": "was withdrawn"})

    assert found == "malformed in “second”, because “first” was withdrawn"


def test_an_adjudication_is_named_as_one():
    now = decided("implausible", is_adjudicated=True)

    assert why(SILVER, now) == "implausible in “first”, adjudicated"


def test_a_batch_that_ended_otherwise_says_how():
    assert why(SILVER, decided("disputed")) == "disputed in “first”"
    assert why(SILVER, decided("too_few_judgements")) == "too few judgements in “first”"


def test_what_did_not_change_is_no_reason():
    assert why(SILVER, PLAUSIBLE, FAITHFUL) == "faithful in “evidence”"


def test_a_new_answer_has_both_its_verdicts():
    assert why(None, PLAUSIBLE, FAITHFUL) == "plausible in “first”; faithful in “evidence”"


def test_gold_falls_to_silver_where_the_faithfulness_batch_is_away():
    assert why(GOLD, PLAUSIBLE, batches={"evidence": "is left out"}) == "“evidence” is left out"


def test_gold_falls_to_silver_where_its_faithfulness_rests_on_a_changed_verdict():
    found = why(GOLD, decided("plausible", "second"))

    assert found == (
        "plausible in “second”, which decides instead of “first”;"
        " “evidence” judged it by a verdict that has changed since"
    )


def test_the_faithfulness_of_what_is_not_plausible_is_no_reason():
    found = why(GOLD, decided("implausible", is_adjudicated=True), FAITHFUL)

    assert found == "implausible in “first”, adjudicated"
