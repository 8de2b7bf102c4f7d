"""What is promised of settling a share a second time: annotation/actions/double_adjudication.py."""

import pytest
from django.urls import reverse

from accounts.models import Role
from accounts.permissions import NotAllowedError
from annotation.actions import (
    batches,
    retractions,
    review_plans,
    reviews,
    settlement,
    verdicts,
)
from annotation.actions import (
    double_adjudication as double_adjudication_actions,
)
from annotation.models import Source, Verdict, VerdictState
from annotation.queries import adjudication_access, dispute_queue, double_adjudication
from annotation.review_decisions import Decision, ReviewError
from audit.models import Event
from tests.annotation import judged_batches
from tests.annotation.desk import NOW, judge
from tests.annotation.desk_pages import client_of, text_of
from tests.conftest import member
from tests.factories import BatchFactory, ItemFactory
from tests.parts import part


@part
def judged_batch(study, alice, bob, dora, carol):
    """Settled; carol has adjudicated items 3, 4, 5 and 8 as plausible."""
    judged_batch = judged_batches.create_judged_batch(study, alice, bob, dora)
    settlement.settle(batch=judged_batch.batch, rule="unanimous", by=alice)
    for number in (3, 4, 5, 8):
        reviews.adjudicate(item=judged_batch.item(number), label="plausible", reason="x", by=carol)
    return judged_batch


@pytest.fixture
def erin(study, alice):
    return member(study, "erin", Role.ADJUDICATOR, by=alice)


def draw(judged_batch, alice, share=1.0, seed=1):
    return double_adjudication_actions.draw(
        batch=judged_batch.batch, share=share, seed=seed, by=alice
    )


def settle_again(item, by, label="plausible"):
    return double_adjudication_actions.settle(item=item, label=label, reason="read anew", by=by)


def test_a_share_is_drawn_by_its_seed_from_what_was_adjudicated(judged_batch, alice):
    made_one = draw(judged_batch, alice, share=0.5)

    assert (made_one.n_adjudicated, made_one.asked.count()) == (4, 2)
    assert (made_one.share, made_one.seed, made_one.drawn_by) == (0.5, 1, alice)
    positions = {each.first.item.position for each in made_one.asked.all()}
    assert positions < {3, 4, 5, 8}
    assert Event.objects.get(verb="drew second looks").details["n_items"] == 2


def test_another_draw_takes_of_those_that_are_left(judged_batch, alice):
    draw(judged_batch, alice, share=0.5)

    second = draw(judged_batch, alice)

    assert (second.n_adjudicated, second.asked.count()) == (2, 2)
    with pytest.raises(ReviewError, match="no adjudication is left"):
        draw(judged_batch, alice)


@pytest.mark.parametrize("share", [0, -0.1, 1.01, float("nan")])
def test_what_is_no_share_draws_nothing(judged_batch, alice, share):
    with pytest.raises(ReviewError, match="a share is more than 0"):
        draw(judged_batch, alice, share=share)


def test_only_requesters_draw_and_only_from_a_closed_batch(judged_batch, alice, carol):
    with pytest.raises(NotAllowedError):
        draw(judged_batch, carol)
    batches.reopen(batch=judged_batch.batch, by=alice)
    with pytest.raises(ReviewError, match="close it first"):
        draw(judged_batch, alice)


def test_who_settled_it_first_is_not_asked_and_another_adjudicator_is(
    judged_batch, alice, carol, erin
):
    draw(judged_batch, alice)

    assert not adjudication_access.requests_open_for(carol).exists()
    assert adjudication_access.requests_open_for(erin).count() == 4
    with pytest.raises(ReviewError, match="waits for no second label of yours"):
        settle_again(judged_batch.item(3), carol)


def test_who_was_handed_the_item_is_not_asked(study, judged_batch, alice, bob):
    study.memberships.get(user=bob).grants.create(role=Role.ADJUDICATOR, granted_by=alice)
    draw(judged_batch, alice)

    assert not adjudication_access.requests_open_for(bob).exists()


def test_a_second_label_stands_beside_the_verdict_and_replaces_nothing(judged_batch, alice, erin):
    draw(judged_batch, alice)
    item = judged_batch.item(3)
    verdict = verdicts.current_verdict(item)

    second = settle_again(item, erin, "malformed")

    assert verdicts.current_verdict(item) == verdict
    assert (second.label, second.asked.first.label) == ("malformed", "plausible")
    assert "malformed" not in str(Event.objects.get(verb="settled again").details)
    with pytest.raises(ReviewError, match="waits for no second label"):
        settle_again(item, erin)


def test_requesters_and_annotators_give_no_second_label(judged_batch, alice, bob):
    draw(judged_batch, alice)

    for person in (alice, bob):
        with pytest.raises(NotAllowedError):
            settle_again(judged_batch.item(3), person)


def test_a_label_that_there_is_not_is_refused(judged_batch, alice, erin):
    draw(judged_batch, alice)

    with pytest.raises(ReviewError, match="has no label good"):
        settle_again(judged_batch.item(3), erin, "good")


def test_what_was_taken_back_waits_no_more(judged_batch, alice, carol, erin):
    draw(judged_batch, alice)

    retractions.retract(item=judged_batch.item(3), by=carol)

    assert adjudication_access.requests_open_for(erin).count() == 3


def _retract(item, by):
    retractions.retract(item=item, by=by)


def _exclude(item, by):
    reviews.exclude(item=item, reason="confusing", by=by)


def _adjudicate(item, by):
    reviews.adjudicate(item=item, label="malformed", reason="x", by=by)


def _mark_correct(item, by):
    reviews.mark_correct(judgement=item.assignments.first().judgements.get(), by=by)


def _review(item, by):
    said = {"paid_reason": "fine", "counted_reason": "fine"}
    judgement = item.assignments.first().judgements.get()
    reviews.review(judgement=judgement, is_paid=True, is_counted=True, by=by, **said)


@pytest.mark.parametrize("act", [_retract, _exclude, _adjudicate, _mark_correct, _review])
def test_who_owes_a_second_look_decides_nothing_else_of_the_item(judged_batch, alice, erin, act):
    draw(judged_batch, alice)

    with pytest.raises(ReviewError, match="settle its answer a second time"):
        act(judged_batch.item(3), erin)

    assert adjudication_access.requests_open_for(erin).count() == 4
    settle_again(judged_batch.item(3), erin)
    act(judged_batch.item(3), erin)


def test_a_bulk_act_leaves_out_what_its_maker_owes_a_second_look(judged_batch, alice, bob, erin):
    draw(judged_batch, alice)
    decision = Decision(True, "in good faith", "", True, "good", "")
    decisions = {judged_batch.judgement(number, bob).pk: decision for number in (1, 3)}

    planned = review_plans.plan(batch=judged_batch.batch, decisions=decisions, by=erin)

    assert [step.judgement.assignment.item.position for step in planned.done] == [1]
    assert [step.why_not for step in planned.refused] == [review_plans.SETTLE_FIRST]


@pytest.mark.parametrize("act", [_exclude, _adjudicate, _review])
def test_who_had_a_part_in_the_item_before_is_not_asked(judged_batch, alice, carol, erin, act):
    act(judged_batch.item(3), erin)
    if act is _exclude:
        reviews.readmit(item=judged_batch.item(3), reason="not so", by=carol)
    if act is _adjudicate:
        reviews.adjudicate(item=judged_batch.item(3), label="plausible", reason="x", by=carol)

    draw(judged_batch, alice)

    assert {each.first.item.position for each in adjudication_access.requests_open_for(erin)} == {
        4,
        5,
        8,
    }


def test_who_took_a_settlement_back_is_not_asked_about_the_next_one(
    judged_batch, alice, carol, erin
):
    _retract(judged_batch.item(3), erin)
    reviews.adjudicate(item=judged_batch.item(3), label="plausible", reason="x", by=carol)

    draw(judged_batch, alice)

    assert {each.first.item.position for each in adjudication_access.requests_open_for(erin)} == {
        4,
        5,
        8,
    }


def test_who_settled_an_earlier_label_a_second_time_is_not_asked_about_the_next_one(
    judged_batch, alice, carol, erin
):
    draw(judged_batch, alice)
    settle_again(judged_batch.item(3), erin)
    reviews.adjudicate(item=judged_batch.item(3), label="malformed", reason="y", by=carol)

    draw(judged_batch, alice)

    assert not adjudication_access.requests_open_for(
        erin, first__item=judged_batch.item(3)
    ).exists()


@pytest.fixture
def later_item(judged_batch, alice, bob):
    """Item 3 is asked about again in another batch, as its label was plausible; one vote, in dispute."""
    origin = judged_batch.item(3)
    batch = BatchFactory(pool__dataset=origin.batch.pool.dataset, scheme="faithfulness")
    item = ItemFactory(batch=batch, turn=origin.turn, payload=origin.payload, came_from=origin)
    Verdict.objects.create(
        item=item,
        state=VerdictState.DISPUTED,
        source=Source.CONSENSUS,
        rule="unanimous",
        decided_at=NOW,
        decided_by=alice,
    )
    return item


def waiting_in_queue(study, reader):
    return [
        each.item
        for each in dispute_queue.disputed_items(dispute_queue.dispute_queue(study, reader), reader)
    ]


def test_what_the_answer_led_to_is_kept_from_who_owes_it_a_second_look(
    judged_batch, alice, bob, carol, erin, study, later_item
):
    assert later_item in waiting_in_queue(study, erin)

    draw(judged_batch, alice)

    assert adjudication_access.must_not_see(erin, later_item)
    assert not adjudication_access.must_not_see(carol, later_item)
    assert later_item not in waiting_in_queue(study, erin)
    client, where = client_of(erin), {"study": study.slug}
    page = client.get(reverse("item", kwargs=where | {"item": later_item.public_id}))
    listed = client.get(reverse("batch_items", kwargs=where | {"batch": later_item.batch_id}))
    second = reverse("item_second", kwargs=where | {"item": judged_batch.item(3).public_id})
    judgement = judge(later_item.batch, bob, "faithful")
    work = reverse("review_work", kwargs=where | {"batch": later_item.batch_id})
    assert page.url == second
    assert f'value="{judgement.pk}"' not in text_of(client.get(work))
    assert f'value="{judgement.pk}"' in text_of(client_of(carol).get(work))
    assert str(later_item.public_id) not in text_of(listed)
    assert later_item in waiting_in_queue(study, carol)
    settle_again(judged_batch.item(3), erin)
    assert not adjudication_access.must_not_see(erin, later_item)


def test_who_had_a_part_in_what_the_answer_led_to_is_not_asked(
    judged_batch, alice, erin, later_item
):
    reviews.exclude(item=later_item, reason="confusing", by=erin)

    draw(judged_batch, alice)

    assert {each.first.item.position for each in adjudication_access.requests_open_for(erin)} == {
        4,
        5,
        8,
    }


# What was replaced


def test_a_replaced_first_label_waits_no_more_and_counts_apart(judged_batch, alice, carol, erin):
    draw(judged_batch, alice)
    settle_again(judged_batch.item(3), erin, "malformed")
    settle_again(judged_batch.item(4), erin)
    for number in (3, 5):
        reviews.adjudicate(item=judged_batch.item(number), label="malformed", reason="y", by=carol)

    looks = double_adjudication.summary(judged_batch.batch)

    assert (looks.agreement.n, looks.agreement.n_equal) == (1, 1)
    assert (looks.n_replaced, looks.n_waiting) == (1, 1)
    assert not double_adjudication.disagreements(judged_batch.batch).exists()
    assert {each.first.item.position for each in adjudication_access.requests_open_for(erin)} == {8}


def test_a_first_label_that_was_taken_back_counts_apart(judged_batch, alice, carol, erin):
    draw(judged_batch, alice)
    settle_again(judged_batch.item(3), erin, "malformed")
    retractions.retract(item=judged_batch.item(3), by=carol)

    looks = double_adjudication.summary(judged_batch.batch)

    assert (looks.agreement.n, looks.n_replaced) == (0, 1)


def test_an_item_that_was_excluded_and_taken_in_again_waits_again(judged_batch, alice, carol, erin):
    draw(judged_batch, alice)
    reviews.exclude(item=judged_batch.item(3), reason="x", by=carol)
    assert adjudication_access.requests_open_for(erin).count() == 3

    reviews.readmit(item=judged_batch.item(3), reason="x", by=carol)

    assert adjudication_access.requests_open_for(erin).count() == 4
