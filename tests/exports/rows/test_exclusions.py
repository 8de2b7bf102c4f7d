"""Excluded items taken in again as they were judged."""

import pytest

from exports.results.figures import run_figures
from exports.rows.exclusions import UNSETTLED, answers_without_exclusions
from stats.aggregation import consensus
from stats.bootstrap_settings import Bootstrap
from tests.exports.rows_for_tests import answer, item, judged, judgement, without_verdict

OUT = [answer(plausibility="excluded")]
LEFT_OUT = {"is_excluded": True, **without_verdict("set aside", "excluded")}


def outcome_when_included(labels, *, scheme="plausibility", others=(), counted=True):
    """How the answer of an excluded item ends once it is taken in with these judgements."""
    excluded = item(scheme=scheme, **LEFT_OUT)
    said = [
        judgement(excluded, f"w{number}", label, counted=counted)
        for number, label in enumerate(labels.split())
    ]
    ends = {"plausibility": "excluded"}
    if scheme == "faithfulness":
        ends = {"plausibility": "plausible", "faithfulness": "excluded"}
    (row,) = answers_without_exclusions([answer(**ends)], [excluded, *others], said)
    return row.plausibility, row.faithfulness, row.tier


@pytest.mark.parametrize(
    ("labels", "ended"),
    [
        ("plausible plausible", ("plausible", "not_asked", "silver")),
        ("malformed malformed", ("malformed", "", "")),
        ("plausible malformed", ("disputed", "", "")),
        ("plausible", ("too_few_judgements", "", "")),
        ("", ("too_few_judgements", "", "")),
    ],
)
def test_it_ends_as_it_was_judged(labels, ended):
    assert outcome_when_included(labels) == ended


def test_an_excluded_item_of_faithfulness_ends_as_it_was_judged_too():
    assert outcome_when_included("faithful faithful", scheme="faithfulness") == (
        "plausible",
        "faithful",
        "gold",
    )


def test_judgements_that_are_not_counted_say_nothing():
    assert outcome_when_included("plausible plausible", counted=False)[0] == "too_few_judgements"


def test_the_rule_is_that_of_the_batch():
    others = [item("other", rule="majority"), item("another", rule="majority")]

    assert outcome_when_included("plausible plausible malformed")[0] == "disputed"
    assert outcome_when_included("plausible plausible malformed", others=others)[0] == "plausible"


def test_under_posterior_no_label_that_is_likely_enough_is_a_dispute():
    others = [item("other", rule="posterior")]

    assert outcome_when_included("plausible implausible malformed", others=others)[0] == "disputed"


def test_people_are_weighed_by_what_they_said_of_all_the_batch_excluded_items_too():
    """Alone plausible is .97 likely; beside what all three said elsewhere, with their labels, it is .84."""
    kept = [item(f"a{n}", rule="posterior") for n in range(2)]
    excluded = [item(**LEFT_OUT), item("a2", **LEFT_OUT)]
    said = judged(excluded[0], "plausible", "plausible", "implausible")
    alone = answers_without_exclusions(OUT, [*kept, excluded[0]], said)
    for number, each in enumerate([*kept, excluded[1]]):
        second = "implausible" if number < 2 else "plausible"
        said += judged(each, "implausible", second, "implausible")

    beside = answers_without_exclusions(OUT, [*kept, *excluded], said)

    assert [row.plausibility for row in alone + beside] == ["plausible", "disputed"]


def test_what_is_said_to_another_question_is_no_vote():
    excluded = item(**LEFT_OUT)
    said = [
        *judged(excluded, "plausible", "plausible"),
        judgement(excluded, "w3", "malformed", question="how sure"),
    ]

    assert answers_without_exclusions(OUT, [excluded], said)[0].plausibility == "plausible"


def test_every_reason_of_consensus_is_an_ending():
    reasons = {getattr(consensus, name) for name in ("TOO_FEW", "DISAGREEMENT", "UNCERTAIN")}

    assert reasons == set(UNSETTLED)


def test_what_was_not_excluded_stays_as_it_is():
    rows = [answer(plausibility="plausible", faithfulness="unfaithful"), answer("b", run="r2")]

    assert (
        answers_without_exclusions(rows, [item()], judged(item(), "malformed", "malformed")) == rows
    )


def test_the_rates_stand_side_by_side():
    """Two of three with it left out, two of four with it taken in."""
    excluded = item("c", turn="1_4", **LEFT_OUT)
    ends = ["plausible", "plausible", "implausible", "excluded"]
    rows = [
        answer("c", turn=f"1_{number}", plausibility=end)
        for number, end in enumerate(ends, start=1)
    ]

    found = run_figures(
        answers=rows,
        items=[excluded],
        judgements=judged(excluded, "malformed", "malformed"),
        bootstrap=Bootstrap(1000, 0),
    )

    assert found["measures"]["plausible"]["rates"][0]["value"] == pytest.approx(2 / 3)
    (with_it,) = found["with_excluded"]["rates"]["plausible"]
    assert (with_it["value"], with_it["n_excluded"]) == (0.5, 1)


def test_where_nothing_was_excluded_there_is_nothing_to_compare():
    found = run_figures(answers=[answer()], items=[], judgements=[], bootstrap=Bootstrap(1000, 0))

    assert found["with_excluded"] == {"n_excluded": 0, "rates": {}}
