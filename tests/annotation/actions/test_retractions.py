"""What is promised of taking an adjudication back: annotation/actions/retractions.py."""

import re

import pytest

from accounts.models import Role
from accounts.permissions import NotAllowedError
from annotation.actions import batches, retractions, reviews, settlement, verdicts
from annotation.models import Item, SetAside, Source, Verdict, VerdictState
from annotation.queries import verdict_freshness, verdict_provenance
from annotation.review_decisions import ReviewError
from audit.models import Event
from stats.aggregation.consensus import RULES
from tests.annotation import judged_batches
from tests.factories import ItemFactory
from tests.parts import part


@part
def unsettled_batch(study, alice, bob, dora):
    return judged_batches.create_judged_batch(study, alice, bob, dora)


@pytest.fixture
def judged_batch(unsettled_batch, alice):
    """Settled by the strictest rule; item 8 is in dispute."""
    settlement.settle(batch=unsettled_batch.batch, rule="unanimous", by=alice)
    return unsettled_batch


@pytest.fixture
def item(judged_batch):
    return judged_batch.item(8)


def adjudicate(item, by, label="plausible"):
    return reviews.adjudicate(item=item, label=label, reason="It answers.", by=by)


def reject(judgement, by):
    reviews.review(
        judgement=judgement,
        is_paid=True,
        paid_reason="done",
        is_counted=False,
        counted_reason="hasty",
        by=by,
    )


def test_what_is_taken_back_is_in_dispute_again_by_a_row_of_its_own(judged_batch, item, carol):
    disputed = verdicts.current_verdict(item)
    adjudicated = adjudicate(item, carol)

    again = retractions.retract(item=item, by=carol)

    assert (again.state, again.source) == (VerdictState.DISPUTED, Source.CONSENSUS)
    assert (again.rule, again.votes) == (disputed.rule, disputed.votes)
    assert (again.replaces, again.decided_by) == (adjudicated, carol)
    assert item.verdicts.count() == 3
    assert Event.objects.get(verb="took back").details == {"label": "plausible"}
    assert verdict_freshness.outdated_items(judged_batch.batch) == []


def test_an_earlier_adjudication_stands_again(item, carol):
    adjudicate(item, carol, "implausible")
    adjudicate(item, carol, "malformed")

    assert retractions.retract(item=item, by=carol).label == "implausible"
    assert retractions.retract(item=item, by=carol).state == VerdictState.DISPUTED


def told(item):
    """The last line of the item's history, and on what its verdict rests."""
    *_, last = verdict_provenance.item_lines(item)
    facts = verdict_provenance.facts(item, verdicts.current_verdict(item))
    by = next(fact.words for fact in facts if fact.subject == "By")
    return f"{last.who} {last.what}", [re.sub(r", [-\d]+ [:\d]+ UTC$", "", words) for words in by]


def test_the_history_names_who_took_it_back_and_nobody_who_settled_the_batch_then(item, carol):
    adjudicate(item, carol)
    retractions.retract(item=item, by=carol)

    last, by = told(item)

    act = "carol undid the adjudication as plausible"
    votes = "1 implausible, 1 plausible"
    assert last == f"{act}, so the rule unanimous applies: in dispute ({votes})"
    assert by == [
        "the rule unanimous",
        f"since {act}",
        f"votes: {votes}, evaluated by the rule unanimous",
    ]
    lines = [f"{line.who} {line.what}" for line in verdict_provenance.item_lines(item)]
    assert [line for line in lines if "carol settled" in line] == []
    assert len([line for line in lines if act in line]) == 1


def test_the_history_says_which_adjudication_stands_again(item, carol):
    adjudicate(item, carol, "implausible")
    adjudicate(item, carol, "malformed")
    retractions.retract(item=item, by=carol)

    last, by = told(item)

    act = "carol undid the adjudication as malformed"
    assert last == f"{act}, so it is implausible again, as adjudicated by carol"
    assert by[:3] == ["adjudicated by carol", "reason: It answers.", f"since {act}"]


def test_the_history_says_that_what_was_given_up_is_so_again(judged_batch, item, alice, carol):
    settlement.set_aside_disputes(batch=judged_batch.batch, by=alice)
    adjudicate(item, carol)
    retractions.retract(item=item, by=carol)

    last, by = told(item)

    act = "carol undid the adjudication as plausible"
    assert last == f"{act}, so it is set aside again: disagreement"
    assert by[:2] == ["an earlier decision", f"since {act}"]


def test_settling_anew_later_is_told_as_that(judged_batch, item, alice, carol):
    adjudicate(item, carol)
    retractions.retract(item=item, by=carol)
    settlement.settle(batch=judged_batch.batch, rule="majority", by=alice)

    last, _ = told(item)

    assert last.startswith("alice settled the batch by the rule majority: in dispute")


def test_what_was_never_settled_gets_what_the_rule_makes_of_it(unsettled_batch, carol):
    item = unsettled_batch.item(1)
    adjudicate(item, carol, "malformed")

    again = retractions.retract(item=item, by=carol)

    assert (again.label, again.source) == ("plausible", Source.CONSENSUS)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("first", RULES)
def test_by_whatever_rules_it_was_settled_before_and_since_nothing_is_outdated(
    unsettled_batch, alice, carol, first, rule
):
    """Item 6 is judged plausible, plausible, malformed."""
    settlement.settle(batch=unsettled_batch.batch, rule=first, by=alice)
    for number in (6, 8):
        adjudicate(unsettled_batch.item(number), carol, "malformed")
    settlement.settle(batch=unsettled_batch.batch, rule=rule, by=alice)

    for number in (6, 8):
        again = retractions.retract(item=unsettled_batch.item(number), by=carol)
        assert (again.rule, again.source) == (rule, Source.CONSENSUS)

    current = Verdict.objects.current().filter(item__batch=unsettled_batch.batch)
    assert verdict_freshness.last_rule(current) == rule
    assert verdict_freshness.outdated_items(unsettled_batch.batch) == []
    assert settlement.settle(batch=unsettled_batch.batch, rule=rule, by=alice).n_new == 0


@pytest.mark.parametrize("rule", RULES)
def test_taken_back_before_any_settling_since_it_is_as_it_was(unsettled_batch, alice, carol, rule):
    settlement.settle(batch=unsettled_batch.batch, rule=rule, by=alice)
    before = verdicts.current_verdict(unsettled_batch.item(6))
    adjudicate(unsettled_batch.item(6), carol, "malformed")

    again = retractions.retract(item=unsettled_batch.item(6), by=carol)

    for name in ("state", "label", "set_aside_reason", "source", "rule", "votes", "posterior"):
        assert getattr(again, name) == getattr(before, name)


@pytest.mark.parametrize("rule", RULES)
def test_it_ends_by_the_judgements_that_count_now(unsettled_batch, alice, carol, rule):
    settlement.settle(batch=unsettled_batch.batch, rule="unanimous", by=alice)
    adjudicate(unsettled_batch.item(6), carol, "malformed")
    reject(unsettled_batch.judgement(6, unsettled_batch.fay), alice)
    settlement.settle(batch=unsettled_batch.batch, rule=rule, by=alice)

    again = retractions.retract(item=unsettled_batch.item(6), by=carol)

    assert (again.label, again.votes) == ("plausible", {"plausible": 2})
    assert verdict_freshness.outdated_items(unsettled_batch.batch) == []


def test_what_was_given_up_stays_so_while_it_is_in_dispute(judged_batch, item, alice, carol):
    settlement.set_aside_disputes(batch=judged_batch.batch, by=alice)
    adjudicate(item, carol)
    settlement.settle(batch=judged_batch.batch, rule="majority", by=alice)

    again = retractions.retract(item=item, by=carol)

    assert (again.source, again.set_aside_reason) == (Source.DECISION, SetAside.DISAGREEMENT)
    assert verdict_freshness.outdated_items(judged_batch.batch) == []


def test_what_was_given_up_is_settled_where_it_is_in_dispute_no_more(judged_batch, alice, carol):
    item = judged_batch.item(6)
    settlement.set_aside_disputes(batch=judged_batch.batch, by=alice)
    adjudicate(item, carol, "malformed")
    settlement.settle(batch=judged_batch.batch, rule="majority", by=alice)

    assert retractions.retract(item=item, by=carol).label == "plausible"
    assert verdict_freshness.outdated_items(judged_batch.batch) == []


def test_what_was_excluded_and_readmitted_ends_as_it_was_judged(judged_batch, item, alice, carol):
    adjudicate(item, carol)
    reviews.exclude(item=item, reason="confusing", by=alice)
    settlement.settle(batch=judged_batch.batch, rule="posterior", by=alice)
    with pytest.raises(ReviewError, match="is not adjudicated"):
        retractions.retract(item=item, by=carol)
    reviews.readmit(item=item, reason="it is not", by=alice)
    settlement.settle(batch=judged_batch.batch, rule="posterior", by=alice)

    again = retractions.retract(item=judged_batch.item(8), by=carol)

    assert (again.state, again.rule) == (VerdictState.DISPUTED, "posterior")
    assert verdict_freshness.outdated_items(judged_batch.batch) == []


def test_a_control_item_has_nothing_that_stands_instead(judged_batch, carol):
    control = ItemFactory(batch=judged_batch.batch, position=99)
    adjudicate(control, carol)  # as it could be before control items had keys
    Item.objects.filter(pk=control.pk).update(n_wanted=None, n_open=0)

    with pytest.raises(ReviewError, match="is a control item"):
        retractions.retract(item=control, by=carol)


def test_what_was_taken_back_does_not_come_again_with_the_item(item, alice, carol):
    adjudicate(item, carol)
    retractions.retract(item=item, by=carol)
    reviews.exclude(item=item, reason="confusing", by=alice)

    reviews.readmit(item=item, reason="it is not", by=alice)

    assert (
        verdicts.current_verdict(item).set_aside_reason == SetAside.EXCLUDED
    )  # until it is settled again


def test_there_must_be_an_adjudication_and_the_one_that_was_seen(item, carol):
    with pytest.raises(ReviewError, match="is not adjudicated"):
        retractions.retract(item=item, by=carol)
    seen = adjudicate(item, carol)
    adjudicate(item, carol, "malformed")
    with pytest.raises(ReviewError, match="decided again meanwhile"):
        retractions.retract(item=item, by=carol, seen=seen.pk)


def test_an_open_batch_takes_nothing_back(judged_batch, item, alice, carol):
    adjudicate(item, carol)
    batches.reopen(batch=judged_batch.batch, by=alice)

    with pytest.raises(ReviewError, match="is open: close it first"):
        retractions.retract(item=item, by=carol)


def test_it_is_for_adjudicators_who_were_not_handed_the_item(study, item, alice, bob, carol):
    adjudicate(item, carol)

    with pytest.raises(NotAllowedError):
        retractions.retract(item=item, by=alice)
    study.memberships.get(user=bob).grants.create(role=Role.ADJUDICATOR, granted_by=alice)
    with pytest.raises(ReviewError, match="bob was assigned the item"):
        retractions.retract(item=item, by=bob)
