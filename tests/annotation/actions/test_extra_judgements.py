"""What is promised of asking for more of what did not settle: annotation/actions/extra_judgements.py."""

import uuid

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Role
from accounts.permissions import NotAllowedError
from annotation.actions import (
    batches,
    claims,
    extra_judgement_plans,
    extra_judgements,
    reviews,
    settlement,
    verdicts,
)
from annotation.actions.claims import NothingToClaimError
from annotation.actions.extra_judgements import MEANWHILE
from annotation.models import Assignment, Batch, BatchState, ExtraAsked, ExtraRound, VerdictState
from annotation.queries import verdict_provenance
from annotation.review_decisions import ReviewError
from audit.models import Event
from tests.annotation import judged_batches
from tests.annotation.desk import assert_counts_match, claim_one, places, submit
from tests.conftest import member
from tests.parts import part

# Items 3, 4, 5, 7 and 8 of the batch are one against one; 6 is two against one.
SPLIT = [3, 4, 5, 7, 8]


@part
def gus(study, alice):
    """May annotate and has seen nothing."""
    return member(study, "gus", Role.ANNOTATOR, by=alice)


@part
def judged_batch(study, alice, bob, dora, gus):
    """Closed and settled by majority, every item's places full."""
    judged_batch = judged_batches.create_judged_batch(study, alice, bob, dora, closed=False)
    for item in judged_batch.batch.items.all():
        item.n_wanted, item.n_open = item.n_counted, 0
        item.save()
    batches.close(batch=judged_batch.batch, by=alice)
    settlement.settle(batch=judged_batch.batch, rule="majority", by=alice)
    return judged_batch


def plan(judged_batch, rule="majority", cap=1, **more):
    return extra_judgement_plans.plan(batch=judged_batch.batch, rule=rule, cap=cap, **more)


def ask_more(judged_batch, alice, rule="majority", cap=1, **more):
    return extra_judgements.ask_more(batch=judged_batch.batch, rule=rule, cap=cap, by=alice, **more)


def judge_all(judged_batch, who, label):
    """All that there is for this person."""
    batch, judged = Batch.objects.get(pk=judged_batch.batch.pk), []
    while True:
        try:
            assignment = claim_one(batch, who)
        except (NothingToClaimError, ValueError):  # the batch is not open, or has nothing left
            return judged
        judged.append(submit(assignment, label).assignment.item.position)


def close_and_settle(judged_batch, alice, rule="majority"):
    batches.close(batch=judged_batch.batch, by=alice)
    return settlement.settle(batch=judged_batch.batch, rule=rule, by=alice, expire_claims=True)


# What is planned


def test_of_items_that_settled_nothing_is_asked_and_the_others_are_named_by_reason(judged_batch):
    planned = plan(judged_batch)

    assert [item.position for item in planned.items] == SPLIT
    assert planned.unsettled == {"disagreement": 5}
    assert 0 < planned.by_next == planned.by_cap < 5
    assert planned.n_judgements == pytest.approx(5)
    assert ExtraRound.objects.count() == 0


def test_by_unanimity_a_conflict_is_in_vain_and_no_item_is_asked_for_it(judged_batch, alice):
    planned = plan(judged_batch, "unanimous", 3)

    assert (planned.items, planned.n_in_vain, planned.n_unsettled) == ((), 6, 6)
    with pytest.raises(ReviewError, match="6 cannot settle by unanimous within the cap"):
        ask_more(judged_batch, alice, "unanimous", 3)


def test_an_item_is_unsettled_by_posterior_until_its_level_is_reached(judged_batch):
    planned = plan(judged_batch, "posterior", 2)

    assert {item.position for item in planned.items} >= set(SPLIT)
    assert planned.unsettled["disagreement"] == 5


def test_what_everybody_has_seen_is_counted_and_not_asked_for_in_vain(judged_batch, gus):
    # Who could still be asked of most: they are gone
    for who in (gus, judged_batch.fay):
        who.is_active = False
        who.save()

    planned = plan(judged_batch)

    # item 7 was seen by bob and fay: dora is left
    assert [item.position for item in planned.items] == [7]
    assert planned.n_nobody == 4
    assert planned.n_people == 2


def test_adjudicated_and_excluded_items_are_left_alone(judged_batch, alice, carol):
    reviews.adjudicate(item=judged_batch.item(3), label="plausible", reason="x", by=carol)
    reviews.exclude(item=judged_batch.item(4), reason="x", by=carol)

    assert [item.position for item in plan(judged_batch).items] == [5, 7, 8]


def test_some_items_can_be_named(judged_batch):
    chosen = {judged_batch.item(5).pk, judged_batch.item(1).pk}

    assert [item.position for item in plan(judged_batch, items=chosen).items] == [5]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"rule": "hearsay"}, "there is no rule hearsay"),
        ({"cap": 0}, "1 to 3 times more, not 0"),
        ({"cap": 4}, "1 to 3 times more, not 4"),
    ],
)
def test_a_rule_that_there_is_not_and_a_cap_beyond_three_are_refused(
    judged_batch, alice, options, why
):
    with pytest.raises(ReviewError, match=why):
        ask_more(judged_batch, alice, **options)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"is_rehearsal": True}, "nobody real is asked"),
        ({"state": "draft", "closed_at": None, "closed_by": None}, "nobody was asked yet"),
    ],
)
def test_rehearsals_and_drafts_are_refused(judged_batch, alice, change, why):
    Batch.objects.filter(pk=judged_batch.batch.pk).update(**change)

    with pytest.raises(ReviewError, match=why):
        ask_more(judged_batch, alice)


# What is asked


def test_one_place_opens_on_each_and_the_closed_batch_with_them_in_one_event(judged_batch, alice):
    round_made = ask_more(judged_batch, alice)

    assert [each.item.position for each in round_made.asked.all()] == SPLIT
    assert all(places(judged_batch.item(n)) == (3, 1, 0, 2) for n in SPLIT)
    assert places(judged_batch.item(1)) == (2, 0, 0, 2)
    assert Batch.objects.get(pk=judged_batch.batch.pk).state == BatchState.OPEN
    event = Event.objects.get(verb="asked for more")
    assert event.details == {"rule": "majority", "cap": 1, "n_items": 5}
    assert (round_made.n_unsettled, round_made.asked_by) == (5, alice)


def test_the_round_keeps_what_was_expected_and_what_a_judgement_paid(judged_batch, alice):
    Batch.objects.filter(pk=judged_batch.batch.pk).update(reward="0.06", currency="USD")
    planned = plan(judged_batch, cap=2)

    found = ExtraRound.objects.get(pk=ask_more(judged_batch, alice, cap=2).pk)

    assert (found.expected_by_next, found.expected_by_cap) == (planned.by_next, planned.by_cap)
    assert str(found.price) == "$0.06"


def test_only_a_requester_asks(judged_batch, carol):
    with pytest.raises(NotAllowedError):
        ask_more(judged_batch, carol)


def test_an_item_tells_that_one_more_was_asked_of_it(judged_batch, alice):
    ask_more(judged_batch, alice)

    what = "asked for one more judgement of what did not settle"
    assert [
        line.who
        for line in verdict_provenance.item_lines(judged_batch.item(3))
        if line.what == what
    ] == ["alice"]
    assert what not in [line.what for line in verdict_provenance.item_lines(judged_batch.item(1))]


def test_asked_twice_nothing_is_asked_twice(judged_batch, alice):
    ask_more(judged_batch, alice)

    with pytest.raises(ReviewError, match="5 wait for a judgement that was asked for already"):
        ask_more(judged_batch, alice, cap=3)


def test_nobody_gets_an_item_again_that_they_have_seen(judged_batch, alice, bob, dora, gus):
    ask_more(judged_batch, alice)

    # Item 7 was not dora's, and all but 6 and 7 of the batch were not fay's.
    assert judge_all(judged_batch, bob, "plausible") == []
    assert judge_all(judged_batch, dora, "plausible") == [7]
    assert judge_all(judged_batch, gus, "plausible") == [3, 4, 5, 8]
    again = Assignment.objects.get(annotator=bob, item=judged_batch.item(3))
    again.pk, again.public_id = None, uuid.uuid4()
    with pytest.raises(IntegrityError), transaction.atomic():
        again.save(force_insert=True)
    assert_counts_match(judged_batch.batch)


def test_the_third_judgement_settles_what_was_one_against_one(judged_batch, alice, gus):
    ask_more(judged_batch, alice)
    judge_all(judged_batch, gus, "plausible")

    settled = close_and_settle(judged_batch, alice)

    assert settled.n_disputed == 0
    assert verdicts.current_verdict(judged_batch.item(3)).label == "plausible"
    assert verdicts.current_verdict(judged_batch.item(3)).state == VerdictState.DECIDED


def test_the_next_round_asks_of_those_still_unsettled_until_the_cap(judged_batch, alice, gus):
    ask_more(judged_batch, alice)
    judge_all(judged_batch, gus, "malformed")
    close_and_settle(judged_batch, alice)

    # 1:1:1 (item 7 says malformed twice by now): at a cap of 1 nothing more, at 3 two more
    assert plan(judged_batch).n_at_cap == 4
    with pytest.raises(ReviewError, match="4 had 1 more already"):
        ask_more(judged_batch, alice)
    further = plan(judged_batch, cap=3)
    # Only fay has not seen them: one judgement more settles no 1:1:1
    assert (further.items, further.n_in_vain) == ((), 4)


def test_a_second_round_counts_the_first_against_the_cap(judged_batch, study, alice, gus):
    ask_more(judged_batch, alice)
    judge_all(judged_batch, gus, "malformed")
    close_and_settle(judged_batch, alice)
    member(study, "hal", Role.ANNOTATOR, by=alice)

    assert plan(judged_batch, cap=2).n_in_vain == 4
    second = ask_more(judged_batch, alice, cap=3)

    assert second.asked.count() == 4
    assert ExtraAsked.objects.filter(item=judged_batch.item(3)).count() == 2


def test_what_was_decided_since_it_was_shown_refuses_and_changes_nothing(
    judged_batch, alice, carol
):
    seen = plan(judged_batch).seal
    reviews.adjudicate(item=judged_batch.item(3), label="plausible", reason="x", by=carol)

    with pytest.raises(ReviewError, match=MEANWHILE):
        ask_more(judged_batch, alice, seal=seen)
    assert ExtraRound.objects.count() == 0


def test_what_is_decided_while_it_is_written_refuses_too(judged_batch, alice, carol, monkeypatch):
    stale = plan(judged_batch)
    reviews.exclude(item=judged_batch.item(3), reason="x", by=carol)
    monkeypatch.setattr(extra_judgement_plans, "plan", lambda **_: stale)

    with pytest.raises(ReviewError, match=MEANWHILE):
        ask_more(judged_batch, alice)
    assert ExtraRound.objects.count() == 0
    assert Batch.objects.get(pk=judged_batch.batch.pk).state == BatchState.CLOSED


def test_many_items_are_asked_in_pieces_that_end_as_one_act(judged_batch, alice, monkeypatch):
    monkeypatch.setattr("jobs.transactions.PIECE_SIZE", 2)

    round_made = ask_more(judged_batch, alice)

    assert round_made.asked.count() == 5
    assert Event.objects.filter(verb="asked for more").count() == 1
    assert Event.objects.filter(verb="reopened").count() == 1


@pytest.mark.parametrize("why", ["paused", "share"])
def test_who_is_handed_nothing_now_is_not_counted_on(judged_batch, bob, why):
    before = plan(judged_batch).n_people
    if why == "share":
        Batch.objects.filter(pk=judged_batch.batch.pk).update(most_per_person=8)
    else:
        cursor = claims.Cursor.objects.get(batch=judged_batch.batch, annotator=bob)
        cursor.is_paused = True
        cursor.save()

    # bob was handed all eight; dora seven, fay two
    assert plan(judged_batch).n_people == before - 1
