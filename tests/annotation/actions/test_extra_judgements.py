"""What is promised of asking for more of what did not settle: annotation/actions/extra_judgements.py."""

import uuid

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Role
from accounts.permissions import NotAllowedError
from annotation.actions import (
    batches,
    claims,
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
from tests.annotation import campaign as campaigns
from tests.annotation.desk import assert_counts_match, claim_one, places, submit
from tests.conftest import member
from tests.parts import part

# Items 3, 4, 5, 7 and 8 of the campaign are one against one; 6 is two against one.
SPLIT = [3, 4, 5, 7, 8]


@part
def gus(study, alice):
    """May annotate and has seen nothing."""
    return member(study, "gus", Role.ANNOTATOR, by=alice)


@part
def campaign(study, alice, bob, dora, gus):
    """Closed and settled by majority, every item's places full."""
    campaign = campaigns.build(study, alice, bob, dora, closed=False)
    for item in campaign.batch.items.all():
        item.n_wanted, item.n_open = item.n_counted, 0
        item.save()
    batches.close(batch=campaign.batch, by=alice)
    settlement.settle(batch=campaign.batch, rule="majority", by=alice)
    return campaign


def plan(campaign, rule="majority", cap=1, **more):
    return extra_judgements.plan(batch=campaign.batch, rule=rule, cap=cap, **more)


def ask_more(campaign, alice, rule="majority", cap=1, **more):
    return extra_judgements.ask_more(batch=campaign.batch, rule=rule, cap=cap, by=alice, **more)


def judge_all(campaign, who, label):
    """All that there is for this person."""
    batch, judged = Batch.objects.get(pk=campaign.batch.pk), []
    while True:
        try:
            assignment = claim_one(batch, who)
        except (NothingToClaimError, ValueError):  # the batch is not open, or has nothing left
            return judged
        judged.append(submit(assignment, label).assignment.item.position)


def close_and_settle(campaign, alice, rule="majority"):
    batches.close(batch=campaign.batch, by=alice)
    return settlement.settle(batch=campaign.batch, rule=rule, by=alice, expire_claims=True)


# What is planned


def test_of_items_that_settled_nothing_is_asked_and_the_others_are_named_by_reason(campaign):
    planned = plan(campaign)

    assert [item.position for item in planned.items] == SPLIT
    assert planned.unsettled == {"disagreement": 5}
    assert 0 < planned.by_next == planned.by_cap < 5
    assert planned.n_judgements == pytest.approx(5)
    assert ExtraRound.objects.count() == 0


def test_by_unanimity_a_conflict_is_in_vain_and_no_item_is_asked_for_it(campaign, alice):
    planned = plan(campaign, "unanimous", 3)

    assert (planned.items, planned.n_in_vain, planned.n_unsettled) == ((), 6, 6)
    with pytest.raises(ReviewError, match="6 cannot settle by unanimous within the cap"):
        ask_more(campaign, alice, "unanimous", 3)


def test_an_item_is_unsettled_by_posterior_until_its_level_is_reached(campaign):
    planned = plan(campaign, "posterior", 2)

    assert {item.position for item in planned.items} >= set(SPLIT)
    assert planned.unsettled["disagreement"] == 5


def test_what_everybody_has_seen_is_counted_and_not_asked_for_in_vain(campaign, gus):
    # Who could still be asked of most: they are gone
    for who in (gus, campaign.fay):
        who.is_active = False
        who.save()

    planned = plan(campaign)

    # item 7 was seen by bob and fay: dora is left
    assert [item.position for item in planned.items] == [7]
    assert planned.n_nobody == 4
    assert planned.n_people == 2


def test_adjudicated_and_excluded_items_are_left_alone(campaign, alice, carol):
    reviews.adjudicate(item=campaign.item(3), label="plausible", reason="x", by=carol)
    reviews.exclude(item=campaign.item(4), reason="x", by=carol)

    assert [item.position for item in plan(campaign).items] == [5, 7, 8]


def test_some_items_can_be_named(campaign):
    chosen = {campaign.item(5).pk, campaign.item(1).pk}

    assert [item.position for item in plan(campaign, items=chosen).items] == [5]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"rule": "hearsay"}, "there is no rule hearsay"),
        ({"cap": 0}, "1 to 3 times more, not 0"),
        ({"cap": 4}, "1 to 3 times more, not 4"),
    ],
)
def test_a_rule_that_there_is_not_and_a_cap_beyond_three_are_refused(campaign, alice, options, why):
    with pytest.raises(ReviewError, match=why):
        ask_more(campaign, alice, **options)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"is_rehearsal": True}, "nobody real is asked"),
        ({"state": "draft", "closed_at": None, "closed_by": None}, "nobody was asked yet"),
    ],
)
def test_rehearsals_and_drafts_are_refused(campaign, alice, change, why):
    Batch.objects.filter(pk=campaign.batch.pk).update(**change)

    with pytest.raises(ReviewError, match=why):
        ask_more(campaign, alice)


# What is asked


def test_one_place_opens_on_each_and_the_closed_batch_with_them_in_one_event(campaign, alice):
    round_made = ask_more(campaign, alice)

    assert [each.item.position for each in round_made.asked.all()] == SPLIT
    assert all(places(campaign.item(n)) == (3, 1, 0, 2) for n in SPLIT)
    assert places(campaign.item(1)) == (2, 0, 0, 2)
    assert Batch.objects.get(pk=campaign.batch.pk).state == BatchState.OPEN
    event = Event.objects.get(verb="asked for more")
    assert event.details == {"rule": "majority", "cap": 1, "n_items": 5}
    assert (round_made.n_unsettled, round_made.asked_by) == (5, alice)


def test_the_round_keeps_what_was_expected_and_what_a_judgement_paid(campaign, alice):
    Batch.objects.filter(pk=campaign.batch.pk).update(reward="0.06", currency="USD")
    planned = plan(campaign, cap=2)

    found = ExtraRound.objects.get(pk=ask_more(campaign, alice, cap=2).pk)

    assert (found.expected_by_next, found.expected_by_cap) == (planned.by_next, planned.by_cap)
    assert str(found.price) == "$0.06"


def test_only_a_requester_asks(campaign, carol):
    with pytest.raises(NotAllowedError):
        ask_more(campaign, carol)


def test_an_item_tells_that_one_more_was_asked_of_it(campaign, alice):
    ask_more(campaign, alice)

    what = "asked for one more judgement of what did not settle"
    assert [
        line.who for line in verdict_provenance.item_lines(campaign.item(3)) if line.what == what
    ] == ["alice"]
    assert what not in [line.what for line in verdict_provenance.item_lines(campaign.item(1))]


def test_asked_twice_nothing_is_asked_twice(campaign, alice):
    ask_more(campaign, alice)

    with pytest.raises(ReviewError, match="5 wait for a judgement that was asked for already"):
        ask_more(campaign, alice, cap=3)


def test_nobody_gets_an_item_again_that_they_have_seen(campaign, alice, bob, dora, gus):
    ask_more(campaign, alice)

    # Item 7 was not dora's, and all but 6 and 7 of the campaign were not fay's.
    assert judge_all(campaign, bob, "plausible") == []
    assert judge_all(campaign, dora, "plausible") == [7]
    assert judge_all(campaign, gus, "plausible") == [3, 4, 5, 8]
    again = Assignment.objects.get(annotator=bob, item=campaign.item(3))
    again.pk, again.public_id = None, uuid.uuid4()
    with pytest.raises(IntegrityError), transaction.atomic():
        again.save(force_insert=True)
    assert_counts_match(campaign.batch)


def test_the_third_judgement_settles_what_was_one_against_one(campaign, alice, gus):
    ask_more(campaign, alice)
    judge_all(campaign, gus, "plausible")

    settled = close_and_settle(campaign, alice)

    assert settled.n_disputed == 0
    assert verdicts.current_verdict(campaign.item(3)).label == "plausible"
    assert verdicts.current_verdict(campaign.item(3)).state == VerdictState.DECIDED


def test_the_next_round_asks_of_those_still_unsettled_until_the_cap(campaign, alice, gus):
    ask_more(campaign, alice)
    judge_all(campaign, gus, "malformed")
    close_and_settle(campaign, alice)

    # 1:1:1 (item 7 says malformed twice by now): at a cap of 1 nothing more, at 3 two more
    assert plan(campaign).n_at_cap == 4
    with pytest.raises(ReviewError, match="4 had 1 more already"):
        ask_more(campaign, alice)
    further = plan(campaign, cap=3)
    # Only fay has not seen them: one judgement more settles no 1:1:1
    assert (further.items, further.n_in_vain) == ((), 4)


def test_a_second_round_counts_the_first_against_the_cap(campaign, study, alice, gus):
    ask_more(campaign, alice)
    judge_all(campaign, gus, "malformed")
    close_and_settle(campaign, alice)
    member(study, "hal", Role.ANNOTATOR, by=alice)

    assert plan(campaign, cap=2).n_in_vain == 4
    second = ask_more(campaign, alice, cap=3)

    assert second.asked.count() == 4
    assert ExtraAsked.objects.filter(item=campaign.item(3)).count() == 2


def test_what_was_decided_since_it_was_shown_refuses_and_changes_nothing(campaign, alice, carol):
    seen = plan(campaign).seal
    reviews.adjudicate(item=campaign.item(3), label="plausible", reason="x", by=carol)

    with pytest.raises(ReviewError, match=MEANWHILE):
        ask_more(campaign, alice, seal=seen)
    assert ExtraRound.objects.count() == 0


def test_what_is_decided_while_it_is_written_refuses_too(campaign, alice, carol, monkeypatch):
    stale = plan(campaign)
    reviews.exclude(item=campaign.item(3), reason="x", by=carol)
    monkeypatch.setattr(extra_judgements, "plan", lambda **_: stale)

    with pytest.raises(ReviewError, match=MEANWHILE):
        ask_more(campaign, alice)
    assert ExtraRound.objects.count() == 0
    assert Batch.objects.get(pk=campaign.batch.pk).state == BatchState.CLOSED


def test_many_items_are_asked_in_pieces_that_end_as_one_act(campaign, alice, monkeypatch):
    monkeypatch.setattr("jobs.transactions.PIECE_SIZE", 2)

    round_made = ask_more(campaign, alice)

    assert round_made.asked.count() == 5
    assert Event.objects.filter(verb="asked for more").count() == 1
    assert Event.objects.filter(verb="reopened").count() == 1


@pytest.mark.parametrize("why", ["paused", "share"])
def test_who_is_handed_nothing_now_is_not_counted_on(campaign, bob, why):
    before = plan(campaign).n_people
    if why == "share":
        Batch.objects.filter(pk=campaign.batch.pk).update(most_per_person=8)
    else:
        cursor = claims.Cursor.objects.get(batch=campaign.batch, annotator=bob)
        cursor.is_paused = True
        cursor.save()

    # bob was handed all eight; dora seven, fay two
    assert plan(campaign).n_people == before - 1
