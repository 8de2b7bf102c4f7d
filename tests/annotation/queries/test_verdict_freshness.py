"""Whether verdicts still stand: annotation/queries/verdict_freshness.py."""

import pytest

from annotation.actions import batches, reviews, settlement, verdicts
from annotation.models import Batch, Item, Judgement, Source, Verdict
from annotation.queries import verdict_freshness
from annotation.queries.verdict_counts import verdict_counts
from stats.aggregation.consensus import RULES
from tests.annotation.desk import judge
from tests.factories import BatchFactory, ItemFactory
from tests.parts import part


def close(batch: Batch) -> Batch:
    return batches.close(batch=batch, by=batch.created_by)


def settle(batch: Batch, rule: str = "unanimous") -> None:
    settlement.settle(batch=batch, rule=rule, by=batch.created_by)


def reject(judgement: Judgement) -> None:
    reviews.review(
        judgement=judgement,
        is_paid=True,
        paid_reason="done",
        is_counted=False,
        counted_reason="hasty",
        by=judgement.assignment.item.batch.created_by,
    )


@part
def items(study):
    batch = BatchFactory(pool__dataset__study=study, judgements_per_item=2, claim_seconds=600)
    return [ItemFactory(batch=batch, position=position) for position in (1, 2, 3)]


@part
def judged(items, bob, dora):
    """Closed: bob and dora agree on the first item, dispute the second, and bob alone saw the third."""
    batch = items[0].batch
    for label in ("plausible", "plausible", "malformed"):
        judge(batch, bob, label)
    for label in ("plausible", "malformed"):
        judge(batch, dora, label)
    return close(batch)


def outdated(batch: Batch) -> list[Item]:
    """What is outdated, which the quick look of the pages finds as well."""
    found = verdict_freshness.outdated_items(batch)
    assert verdict_freshness.outdated_touched_items(batch) == found
    counts = verdict_counts([batch.pk])
    if counts[batch.pk].n == Item.objects.real().filter(batch=batch).count():
        of_settled = verdict_freshness.outdated_touched_items_of_settled([batch], counts)
        assert of_settled == {batch.pk: found}
    return found


def test_of_a_batch_that_was_never_settled_no_item_has_a_verdict_that_stands(judged, items):
    assert outdated(judged) == items


@pytest.mark.parametrize("rule", RULES)
def test_after_settling_every_verdict_stands(judged, rule):
    settle(judged, rule)

    assert outdated(judged) == []


def test_a_verdict_that_the_votes_no_longer_give_is_outdated_until_it_is_settled_again(
    judged, items
):
    settle(judged)
    reject(Judgement.objects.filter(assignment__item=items[0]).first())

    assert outdated(judged) == [items[0]]
    settle(judged)
    assert outdated(judged) == []


def test_a_verdict_with_the_same_label_and_other_votes_is_outdated(judged, items):
    settle(judged)
    reject(Judgement.objects.get(assignment__item=items[2]))

    assert outdated(judged) == [items[2]]


def test_an_exclusion_stands_and_its_end_does_not(judged, items, alice):
    settle(judged)
    reviews.exclude(item=items[0], reason="confusing", by=alice)
    assert outdated(judged) == []

    reviews.readmit(item=items[0], reason="not so", by=alice)
    assert outdated(judged) == [items[0]]


def test_an_adjudication_stands_whatever_the_votes_are(judged, items, carol):
    settle(judged)
    reviews.adjudicate(item=items[1], label="plausible", reason="look at it", by=carol)
    reject(Judgement.objects.filter(assignment__item=items[1]).first())

    assert outdated(judged) == []


def test_a_dispute_that_was_set_aside_stands_while_it_is_one(judged, items, alice):
    settle(judged)
    settlement.set_aside_disputes(batch=judged, by=alice)
    assert outdated(judged) == []

    reject(Judgement.objects.filter(assignment__item=items[1]).first())
    assert outdated(judged) == [items[1]]


def test_the_rule_is_that_of_the_verdicts_by_consensus(judged, items, alice):
    """What was set aside under another rule keeps that one, also where nothing else is older."""
    settle(judged, "majority")
    settlement.set_aside_disputes(batch=judged, by=alice)
    settle(judged, "unanimous")

    current = Verdict.objects.current().filter(item__batch=judged)

    assert verdicts.current_verdict(items[1]).rule == "majority"
    assert verdict_freshness.last_rule(current) == "unanimous"
    assert outdated(judged) == []


def test_where_nothing_was_by_consensus_the_newest_rule_counts(judged, alice):
    settle(judged, "majority")
    disputed = Verdict.objects.current().filter(item__batch=judged, state="disputed")
    settlement.set_aside_disputes(batch=judged, by=alice)

    decided = Verdict.objects.filter(source=Source.DECISION)

    assert not disputed.exists()
    assert verdict_freshness.last_rule(decided) == "majority"
    assert verdict_freshness.last_rule([]) == ""


def test_the_last_rule_is_that_of_the_newest_consensus_also_beside_later_adjudications(
    judged, items, carol
):
    settle(judged)
    settle(judged, "majority")
    current = Verdict.objects.current().filter(item__batch=judged)
    adjudicated = current.get(item=items[1])
    reviews.adjudicate(item=items[1], label="plausible", reason="it answers", by=carol)
    current.filter(item=items[1]).update(rule="unanimous")
    assert current.get(item=items[1]).pk > adjudicated.pk

    assert verdict_freshness.last_rule(current) == "majority"
    assert verdict_freshness.last_rule_of(current) == "majority"
    (batch,) = {verdict.item.batch_id for verdict in current}
    assert verdict_counts([batch])[batch].last_rule == "majority"
    assert verdict_freshness.last_rule_of(current.none()) == ""
