"""Figures that rest on judgements and verdicts are told of every decision, also where the numbers stay."""

import pytest

from annotation.actions import judgements, retractions, reviews, settlement
from annotation.queries.decisions import decisions_by_batch
from annotation.queries.rule_figures import RuleFigures
from exports.agreement.stored_figures import AgreementFigures
from tests.annotation.desk import NOW, claim_one, judge, submit


def kinds(batch):
    found = {**decisions_by_batch([batch])[batch.pk].by_thing[f"batch {batch.pk}"]}
    del found["further judgement per item"]  # it is the number of judgements per item
    return found


@pytest.fixture
def judged(batch, items, bob):
    """The first item's judgement."""
    return judge(batch, bob)


def test_a_withdrawal_and_an_exclusion_are_decisions(batch, items, judged, bob, carol):
    assert kinds(batch) == {}

    judgements.take_back(judgement=judged, by=bob, now=NOW)
    submit(claim_one(batch, bob), "implausible")
    assert kinds(batch) == {"judgement withdrawal": 1}

    reviews.exclude(item=items[2], reason="Broken", by=carol)
    assert kinds(batch) == {"judgement withdrawal": 1, "exclusion": 1}

    reviews.readmit(item=items[2], reason="Mended", by=carol)
    assert kinds(batch) == {"judgement withdrawal": 1, "exclusion": 1, "readmission": 1}


def test_a_label_that_was_changed_makes_figures_due(study, batch, judged, bob):
    before = [figures(study, batch).basis for figures in (AgreementFigures, RuleFigures)]

    judgements.take_back(judgement=judged, by=bob, now=NOW)
    submit(claim_one(batch, bob), "implausible")

    for then, figures in zip(before, (AgreementFigures, RuleFigures), strict=True):
        assert figures(study, batch).basis.counts == then.counts
        words = figures(study, batch).basis.since(then)
        assert words == "Since then 1 judgement withdrawal was recorded."


def test_settling_and_adjudicating_are_named_each(judged_batch, alice, carol):
    batch = judged_batch.batch
    settlement.settle(batch=batch, rule="unanimous", by=alice)
    item = settlement.disputed_items(batch).first()
    before = RuleFigures(batch.study, batch).basis
    n_before = kinds(batch)

    reviews.adjudicate(item=item, label="plausible", reason="It answers.", by=carol)
    words = RuleFigures(batch.study, batch).basis.since(before)
    assert words == "Since then 1 adjudication was recorded."

    retractions.retract(item=item, by=carol)
    n_disputed = settlement.set_aside_disputes(batch=batch, by=alice)
    assert kinds(batch) == {
        "verdict": n_before["verdict"] + 1,
        "adjudication": 1,
        "undone adjudication": 1,
        "unresolved dispute": n_disputed,
    }


def test_the_decisions_on_many_batches_take_one_query(
    judged_batch, batch, django_assert_num_queries
):
    with django_assert_num_queries(1):
        decisions_by_batch([judged_batch.batch, batch])
