"""Who is to decide between written answers, now or later, is not shown how the work of those who wrote was reviewed."""

import pytest

from accounts.actions import members
from accounts.models import Role
from annotation.actions import batches, bulk_reviews, withdrawn_batches, written_decisions
from annotation.models import Batch, Item, Judgement, Review
from annotation.queries import before_decision
from annotation.review_decisions import Decision
from tests.annotation.differing import CHANGED, KEPT, item, second_round_said
from tests.parts import part

GOOD = Decision(True, "in good faith", "", True, "good", "")


@part
def batch(study, folder, bob, dora):
    return second_round_said(study, folder, bob, dora, CHANGED, KEPT)


def is_hidden(person, asked):
    return before_decision.hidden_from(person, asked, None).reviews


def test_reviews_are_hidden_until_it_is_decided_also_while_the_batch_is_open(batch, alice, carol):
    assert is_hidden(carol, item(batch))
    batches.reopen(batch=batch, by=alice)
    assert is_hidden(carol, item(batch))
    batches.close(batch=batch, by=alice)
    written_decisions.decide(item=item(batch), label="first", reason="so", by=carol)
    assert not is_hidden(carol, item(batch))


def test_reviews_are_shown_where_there_is_nothing_for_this_person_to_decide(
    batch, study, alice, bob, carol
):
    members.add(study=study, user=bob, roles=[Role.ADJUDICATOR], by=alice)
    assert not is_hidden(carol, item(batch, 2))
    assert not is_hidden(alice, item(batch))
    assert not is_hidden(bob, item(batch))


def test_of_the_first_round_they_are_hidden_as_of_the_second(batch, alice, carol):
    first = batch.first_round
    assert is_hidden(carol, item(first))
    assert not is_hidden(carol, item(first, 2))
    assert not is_hidden(alice, item(first))
    written_decisions.decide(item=item(batch), label="first", reason="so", by=carol)
    assert not is_hidden(carol, item(first))


def test_lists_of_reviews_leave_out_those_of_both_rounds(batch, study, carol):
    for each in (batch, batch.first_round):
        items = Item.objects.filter(batch=each)
        assert before_decision.without_reviews(carol, study, items) == {item(each).pk}
        written = Judgement.objects.filter(assignment__item__in=items)
        bulk_reviews.decide(
            batch=each,
            decisions=dict.fromkeys((one.pk for one in written), GOOD),
            by=study.created_by,
        )
        hidden = before_decision.hidden_reviews(carol, study, items)
        shown = Review.objects.filter(judgement__in=written).exclude(hidden)
        assert {one.judgement.assignment.item for one in shown} == {item(each, 2)}


@pytest.mark.parametrize("of_round", ["first", "second"])
def test_where_a_round_is_withdrawn_nothing_is_to_decide_and_no_review_is_hidden(
    batch, study, alice, carol, of_round
):
    first = batch.first_round
    withdrawn = first if of_round == "first" else batch

    withdrawn_batches.withdraw(batch=withdrawn, reason="by mistake", by=alice)

    for each in (batch, first):
        asked = item(Batch.objects.get(pk=each.pk))
        assert not is_hidden(carol, asked)
        items = Item.objects.filter(batch=each)
        assert before_decision.without_reviews(carol, study, items) == set()
