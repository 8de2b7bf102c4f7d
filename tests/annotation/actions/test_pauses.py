"""What is promised of one person's pause: annotation/actions/pauses.py."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Role
from accounts.permissions import NotAllowedError
from annotation.actions import (
    batches,
    claims,
    desk_submissions,
    desk_sync,
    judgements,
    pauses,
    settlement,
)
from annotation.actions.claims import NothingToClaimError
from annotation.actions.pauses import PauseError
from annotation.models import Assignment, Cursor, Pause, Verdict
from annotation.queries import annotator_progress, why_no_work
from annotation.queries.why_no_work import Reason
from annotation.review_decisions import ReviewError
from audit.models import Event
from tests.annotation.desk import (
    NOW,
    after,
    assert_counts_match,
    claim_one,
    judge,
    submission,
    submit,
)
from tests.annotation.racing import race
from tests.conftest import member
from tests.factories import BatchFactory, ItemFactory


def pause(batch, annotator, by, reason="one key, sixty times"):
    return pauses.pause(batch=batch, annotator=annotator, reason=reason, by=by)


def resume(batch, annotator, by, reason="we talked"):
    return pauses.resume(batch=batch, annotator=annotator, reason=reason, by=by)


def test_a_paused_person_is_handed_nothing_and_others_are(batch, items, bob, dora, alice):
    pause(batch, bob, alice)

    with pytest.raises(NothingToClaimError, match="hand bob nothing of the batch"):
        claims.claim(batch=batch, by=bob, now=NOW)
    assert claim_one(batch, dora).item == items[0]
    assert not Assignment.objects.filter(annotator=bob).exists()


def test_what_a_paused_person_holds_is_theirs_to_submit_and_to_change(batch, items, bob, alice):
    held = claim_one(batch, bob)
    pause(batch, bob, alice)

    assert claims.claim(batch=batch, by=bob, n=3, now=NOW) == [held]
    said = submit(held)
    judgements.take_back(judgement=said, by=bob, now=after(1))
    assert submit(held, "malformed", after(2)).number == 2
    assert_counts_match(batch)


def test_an_expired_claim_of_a_paused_person_is_not_handed_again_but_may_still_be_submitted(
    batch, item, bob, alice
):
    held = claim_one(batch, bob)
    pause(batch, bob, alice)

    with pytest.raises(NothingToClaimError):
        claims.claim(batch=batch, by=bob, now=after(601))
    held.refresh_from_db()
    assert held.state == "expired"
    assert not submit(held, now=after(602)).is_surplus


def test_a_resumed_person_goes_on_where_they_were(batch, items, bob, alice):
    judge(batch, bob)
    pause(batch, bob, alice)

    resume(batch, bob, alice)

    assert claim_one(batch, bob, after(1)).item == items[1]


def test_a_pause_is_of_one_batch(batch, item, bob, alice):
    other = BatchFactory(pool=batch.pool, name="another")
    ItemFactory(batch=other)

    pause(batch, bob, alice)

    assert claim_one(other, bob)


def test_decisions_are_rows_in_a_line_each_with_who_when_and_why(batch, bob, alice):
    first = pause(batch, bob, alice, reason="  too fast ")
    second = resume(batch, bob, alice, reason="we talked")

    rows = Pause.objects.values_list("is_paused", "reason", "paused_by__username", "replaces")
    assert list(rows) == [
        (True, "too fast", "alice", None),
        (False, "we talked", "alice", first.pk),
    ]
    assert (timezone.now() - second.paused_at).total_seconds() < 60
    told = Event.objects.filter(verb__endswith="an annotator of").order_by("pk")
    assert [(each.verb, each.details) for each in told] == [
        ("paused an annotator of", {"annotator": "bob", "reason": "too fast"}),
        ("resumed an annotator of", {"annotator": "bob", "reason": "we talked"}),
    ]


@pytest.mark.database
def test_the_database_keeps_one_first_decision_per_person(batch, bob, alice):
    pause(batch, bob, alice)

    with pytest.raises(IntegrityError), transaction.atomic():
        Pause.objects.create(
            batch=batch, annotator=bob, is_paused=True, reason="again", paused_by=alice
        )


def test_the_same_twice_is_refused_and_writes_nothing(batch, bob, alice):
    with pytest.raises(PauseError, match="bob is not paused"):
        resume(batch, bob, alice)
    pause(batch, bob, alice)
    with pytest.raises(PauseError, match="bob is paused already"):
        pause(batch, bob, alice)

    assert Pause.objects.count() == 1


@pytest.mark.parametrize("reason", ["", "  ", "x" * 1001, "a\0b"])
def test_a_pause_without_words_is_refused(batch, bob, alice, reason):
    with pytest.raises(ReviewError, match="reason"):
        pause(batch, bob, alice, reason=reason)

    assert not Cursor.objects.exists()


def test_only_a_requester_pauses(batch, bob, carol, dora):
    for person in (carol, dora):
        with pytest.raises(NotAllowedError):
            pause(batch, bob, person)


def test_who_is_not_in_the_study_a_draft_and_a_rehearsal_are_refused(batch, bob, mallory, alice):
    with pytest.raises(PauseError, match="mallory is not in the study"):
        pause(batch, mallory, alice)
    with pytest.raises(batches.BatchError, match="is draft"):
        pause(BatchFactory(pool=batch.pool, name="draft", state="draft"), bob, alice)
    with pytest.raises(PauseError, match="is a rehearsal"):
        pause(BatchFactory(pool=batch.pool, name="play", is_rehearsal=True), bob, alice)


def test_what_is_left_for_a_paused_person_is_what_they_hold(batch, items, bob, alice):
    claim_one(batch, bob)
    pause(batch, bob, alice)

    at_desk = annotator_progress.desk_progress(batch, bob, NOW)

    assert (at_desk.n_left, at_desk.is_paused, at_desk.is_more) == (1, True, False)
    assert annotator_progress.progress_by_batch([batch], bob, NOW)[batch.pk] == at_desk


def test_the_end_says_why_nothing_comes(batch, items, bob, alice):
    pause(batch, bob, alice)

    assert why_no_work.why_no_work(batch, bob, NOW).reason == Reason.WAIT
    batches.close(batch=batch, by=alice)
    batch.refresh_from_db()
    assert why_no_work.why_no_work(batch, bob, NOW).reason == Reason.CLOSED


def test_the_feed_stores_what_a_paused_person_sends_and_hands_out_nothing(batch, items, bob, alice):
    held = claim_one(batch, bob, timezone.now())
    pause(batch, bob, alice)
    sent = [desk_submissions.SentJudgement(held.public_id, submission())]

    fed = desk_sync.sync(batch=batch, by=bob, sent=sent, n_more=3)

    assert [each.outcome for each in fed.results] == ["saved"]
    assert (fed.handed_before, fed.new, fed.is_paused) == ([], [], True)


def test_who_is_paused_fetches_nothing_ahead_and_takes_no_share_when_a_batch_runs_dry(
    batch, bob, dora, alice
):
    """Depth 5: of six items one person may fetch five ahead, two people two each."""
    for position in range(1, 7):
        ItemFactory(batch=batch, position=position)
    claims.claim(batch=batch, by=bob, n=1)
    pause(batch, bob, alice)

    fed = desk_sync.sync(batch=batch, by=dora, sent=[], n_more=5)

    assert len(fed.new) == 5


def test_an_item_that_all_but_a_paused_person_skipped_is_not_skipped_by_all(
    batch, item, bob, dora, alice
):
    """Who is paused may go on, and then judge it."""
    pause(batch, bob, alice)
    judgements.skip(assignment=claim_one(batch, dora), reason="", by=dora)
    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="majority", by=alice)

    assert Verdict.objects.get(item=item).set_aside_reason == "too few judgements"


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("has_begun", [True, False])
def test_after_a_pause_in_the_midst_of_claims_nothing_more_is_handed_out(
    study, batch, alice, has_begun
):
    for position in range(1, 41):
        ItemFactory(batch=batch, position=position)
    bob, dora = (member(study, name, Role.ANNOTATOR, by=alice) for name in ("bob", "dora"))
    if has_begun:
        claim_one(batch, bob, timezone.now())
    works = {"task": "work", "batch": batch.pk, "n": 1}
    paused = {"task": "pause", "batch": batch.pk, "by": "alice", "whom": "bob", "after": 0.1}

    _, _, told = race(
        {**works, "by": "bob", "pause": 0.02}, {**works, "by": "dora", "pause": 0.02}, paused
    )

    assert Assignment.objects.filter(annotator=bob).count() == told["n_taken"] < 40
    assert Assignment.objects.filter(annotator=dora).count() == 40
    assert_counts_match(batch)


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_two_that_pause_one_person_at_once_one_is_told_that_it_is_done(batch, bob, alice):
    twice = {"task": "pause", "batch": batch.pk, "by": "alice", "whom": "bob", "after": 0}

    with pytest.raises(RuntimeError, match="bob is paused already"):
        race(twice, twice)

    assert Pause.objects.count() == 1
