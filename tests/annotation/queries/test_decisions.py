"""Figures that rest on judgements and verdicts are told of every decision, also where the numbers stay."""

import pytest

from annotation.actions import judgements, reviews
from annotation.queries.decisions import n_decisions
from annotation.queries.rule_figures import RuleFigures
from exports.agreement.stored_figures import AgreementFigures
from tests.annotation.desk import NOW, claim_one, judge, submit

DECIDED = "Since then something was decided, excluded, taken back or renamed."


@pytest.fixture
def judged(batch, items, bob):
    """The first item's judgement."""
    return judge(batch, bob)


def test_a_withdrawal_and_an_exclusion_are_decisions(batch, items, judged, bob, carol):
    assert n_decisions([batch]) == {batch.pk: 0}

    judgements.take_back(judgement=judged, by=bob, now=NOW)
    submit(claim_one(batch, bob), "implausible")
    assert n_decisions([batch]) == {batch.pk: 1}

    reviews.exclude(item=items[2], reason="Broken", by=carol)
    assert n_decisions([batch])[batch.pk] > 1


def test_a_label_that_was_changed_makes_figures_due(study, batch, judged, bob):
    before = [figures(study, batch).basis for figures in (AgreementFigures, RuleFigures)]

    judgements.take_back(judgement=judged, by=bob, now=NOW)
    submit(claim_one(batch, bob), "implausible")

    for then, figures in zip(before, (AgreementFigures, RuleFigures), strict=True):
        assert figures(study, batch).basis.counts == then.counts
        assert figures(study, batch).basis.since(then) == DECIDED
