"""What is promised of submitting, skipping, flagging and taking back: annotation/actions/judgements.py."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Role
from annotation.actions import batches, claims, flags, judgements, reviews
from annotation.actions.judgements import (
    AlreadySubmittedError,
    NotClaimedError,
    NotEditableError,
)
from annotation.models import Assignment, AssignmentState, Flag, Judgement, Withdrawal
from annotation.queries import recent_judgements
from annotation.schemes import ResponseError
from tests.annotation.desk import (
    NOW,
    after,
    assert_counts_match,
    claim_one,
    judge,
    places,
    submission,
    submit,
)
from tests.conftest import member
from tests.factories import ItemFactory

LATE = after(601)


@pytest.fixture
def held(batch, item, bob) -> Assignment:
    return claim_one(batch, bob)


@pytest.fixture
def expired(batch, held) -> Assignment:
    claims.expire_lapsed(batch=batch, now=LATE)
    held.refresh_from_db()
    assert held.state == AssignmentState.EXPIRED
    return held


@pytest.fixture
def claim_without_place(study, batch, expired, alice, dora) -> Assignment:
    """Bob's expired claim, whose item others have meanwhile taken all places of."""
    for person in (dora, member(study, "eve", Role.ANNOTATOR, by=alice)):
        claim_one(batch, person, LATE)
    return expired


def state_of(assignment: Assignment) -> str:
    assignment.refresh_from_db()
    return assignment.state


# Submitting


def test_submit_stores_what_was_said_and_how_it_came_about(batch, item, held, bob):
    said = submission("malformed", client_id="page-1", comment="unreadable")

    judgement = judgements.submit(assignment=held, submission=said, by=bob, now=after(30))

    stored = Judgement.objects.get(pk=judgement.pk)
    assert stored.response == {"plausibility": "malformed"}
    assert (stored.comment, stored.order) == ("unreadable", [1])
    assert (stored.shown_at, stored.submitted_at) == (NOW, after(30))
    assert (stored.active_seconds, stored.client_id, stored.number) == (7.5, "page-1", 1)
    assert stored.payload_sha256 == item.payload_sha256
    assert stored.guideline_sha256 == batch.guideline.sha256
    assert not stored.is_surplus


def test_submit_turns_the_claimed_place_into_a_counted_one(item, held):
    submit(held)

    assert places(item) == (2, 1, 0, 1)
    assert state_of(held) == AssignmentState.SUBMITTED


@pytest.mark.parametrize("response", [{}, {"plausibility": "yes"}, {"faithfulness": "faithful"}])
def test_submit_refuses_what_is_no_answer_and_changes_nothing(item, held, bob, response):
    said = judgements.Submission(client_id="x", response=response, shown_at=NOW, active_seconds=1)

    with pytest.raises(ResponseError):
        judgements.submit(assignment=held, submission=said, by=bob, now=NOW)

    assert places(item) == (2, 1, 1, 0)
    assert not Judgement.objects.exists()


def test_the_same_client_id_again_gives_the_same_judgement(item, held):
    stored = submit(held, "plausible", client_id="page-1")

    again = submit(held, "malformed", after(5), client_id="page-1")

    assert again == stored
    assert Judgement.objects.get().response == {"plausibility": "plausible"}
    assert places(item) == (2, 1, 0, 1)


def test_the_same_client_id_gives_its_answer_after_the_batch_closed_too(batch, held, alice):
    stored = submit(held, client_id="page-1")
    batches.close(batch=batch, by=alice)

    assert submit(held, now=LATE, client_id="page-1") == stored


def test_another_client_id_on_a_submitted_assignment_is_refused_with_what_stands(item, held):
    stored = submit(held, "plausible", client_id="page-1")

    with pytest.raises(AlreadySubmittedError) as refused:
        submit(held, "malformed", client_id="page-2")

    assert refused.value.judgement == stored
    assert Judgement.objects.count() == 1
    assert places(item) == (2, 1, 0, 1)


def test_after_a_take_back_it_is_the_newest_judgement_that_is_named(held, bob):
    judgements.take_back(judgement=submit(held), by=bob, now=NOW)
    newest = submit(held, "malformed")

    with pytest.raises(AlreadySubmittedError) as refused:
        submit(held)

    assert refused.value.judgement == newest


def test_the_same_client_id_may_be_used_for_another_assignment(batch, items, bob):
    first, second = claims.claim(batch=batch, by=bob, n=2, now=NOW)

    assert submit(first, client_id="page-1") != submit(second, client_id="page-1")


def test_nobody_submits_what_was_handed_to_somebody_else(item, held, dora):
    with pytest.raises(NotClaimedError, match="another annotator"):
        judgements.submit(assignment=held, submission=submission(), by=dora, now=NOW)

    assert places(item) == (2, 1, 1, 0)


def test_a_skipped_item_cannot_be_submitted(item, held, bob):
    judgements.skip(assignment=held, reason="", by=bob)

    with pytest.raises(NotClaimedError, match="skipped"):
        submit(held)

    assert places(item) == (2, 2, 0, 0)


def test_submit_counts_in_a_paused_batch(batch, item, held, alice):
    batches.pause(batch=batch, by=alice)

    assert not submit(held).is_surplus
    assert places(item) == (2, 1, 0, 1)


# Submitting late


def test_a_late_submission_counts_while_its_place_is_still_held(item, held):
    assert not submit(held, now=LATE).is_surplus
    assert places(item) == (2, 1, 0, 1)


def test_a_late_submission_counts_while_the_item_has_room(item, expired):
    assert not submit(expired, now=LATE).is_surplus
    assert places(item) == (2, 1, 0, 1)


def test_a_late_submission_without_room_is_saved_as_surplus_and_not_counted(
    item, claim_without_place
):
    judgement = submit(claim_without_place, now=LATE)

    assert judgement.is_surplus
    assert places(item) == (2, 0, 2, 0)
    assert state_of(claim_without_place) == AssignmentState.SUBMITTED
    assert list(Judgement.objects.not_withdrawn()) == [judgement]
    assert list(Judgement.objects.counted()) == []


def test_in_a_closed_batch_a_claim_can_be_submitted_within_its_time(batch, item, held, alice):
    batches.close(batch=batch, by=alice)

    assert not submit(held, now=after(600)).is_surplus
    assert places(item) == (2, 1, 0, 1)


def test_in_a_closed_batch_late_work_is_surplus_although_its_place_is_held(
    batch, item, held, alice
):
    batches.close(batch=batch, by=alice)

    assert submit(held, now=LATE).is_surplus
    assert places(item) == (2, 2, 0, 0)


def test_in_a_closed_batch_late_work_is_surplus_although_there_is_room(batch, item, expired, alice):
    batches.close(batch=batch, by=alice)

    assert submit(expired, now=LATE).is_surplus
    assert places(item) == (2, 2, 0, 0)


def test_a_claim_that_was_expired_to_settle_is_surplus_even_within_its_time(
    batch, item, held, alice
):
    batches.close(batch=batch, by=alice)
    claims.expire_all(batch=batch)

    assert submit(held, now=after(10)).is_surplus


# Skipping and flagging


def test_skip_gives_the_place_back_and_keeps_the_reason(batch, item, held, bob):
    judgements.skip(assignment=held, reason="no idea", by=bob)

    assert places(item) == (2, 2, 0, 0)
    assert (state_of(held), held.skip_reason) == (AssignmentState.SKIPPED, "no idea")
    assert_counts_match(batch)


def test_skip_is_final(held, bob):
    judgements.skip(assignment=held, reason="", by=bob)

    with pytest.raises(NotClaimedError, match="skipped"):
        judgements.skip(assignment=held, reason="", by=bob)


def test_only_a_claim_that_holds_a_place_can_be_skipped(batch, item, bob, dora):
    done, lapsed = claim_one(batch, bob), claim_one(batch, dora)
    submit(done)
    claims.expire_lapsed(batch=batch, now=LATE)

    for assignment, person in ((done, bob), (lapsed, dora)):
        with pytest.raises(NotClaimedError):
            judgements.skip(assignment=assignment, reason="", by=person)

    assert places(item) == (2, 1, 0, 1)


def test_nobody_skips_for_somebody_else(item, held, dora):
    with pytest.raises(NotClaimedError, match="another annotator"):
        judgements.skip(assignment=held, reason="", by=dora)

    assert places(item) == (2, 1, 1, 0)


@pytest.mark.parametrize("is_done", [False, True])
def test_a_flag_changes_nothing_and_waits_for_an_answer(item, held, bob, is_done):
    if is_done:
        submit(held)
    before = (state_of(held), held.expires_at, places(item))

    judgements.flag(assignment=held, message="two answers in one", by=bob, now=after(3))

    flag = Flag.objects.get()
    assert (flag.message, flag.flagged_at) == ("two answers in one", after(3))
    assert not flag.answers.exists()
    assert (state_of(held), held.expires_at, places(item)) == before


def test_the_same_words_again_are_the_same_flag_until_they_are_answered(held, bob, alice):
    first = judgements.flag(assignment=held, message="two answers in one", by=bob)

    again = judgements.flag(assignment=held, message="two answers in one", by=bob)
    other = judgements.flag(assignment=held, message="and no evidence", by=bob)
    flags.answer(flag=first, text="Judge the first one", by=alice)
    after_the_answer = judgements.flag(assignment=held, message="two answers in one", by=bob)

    assert again == first
    assert len({first, other, after_the_answer}) == 3


def test_nobody_flags_what_was_handed_to_somebody_else(held, dora):
    with pytest.raises(NotClaimedError):
        judgements.flag(assignment=held, message="!", by=dora)


# Taking back


def test_take_back_adds_a_withdrawal_and_the_assignment_is_claimed_again(item, held, bob):
    judgement = submit(held)

    assignment = judgements.take_back(judgement=judgement, by=bob, now=after(60))

    withdrawal = Withdrawal.objects.get()
    assert (withdrawal.judgement, withdrawal.withdrawn_at) == (judgement, after(60))
    assert withdrawal.withdrawn_by == bob
    assert (assignment.pk, state_of(held)) == (held.pk, AssignmentState.CLAIMED)
    assert held.expires_at == after(60 + 600)
    assert places(item) == (2, 1, 1, 0)


def test_what_was_taken_back_is_handed_out_as_held(batch, items, bob):
    judgement = judge(batch, bob)

    assignment = judgements.take_back(judgement=judgement, by=bob, now=NOW)

    assert claim_one(batch, bob) == assignment


def test_after_a_take_back_the_newest_judgement_counts_and_the_old_one_is_kept(batch, item, held):
    first = submit(held, "plausible")
    judgements.take_back(judgement=first, by=held.annotator, now=NOW)

    second = submit(held, "malformed")

    assert [first.number, second.number] == [1, 2]
    assert set(Judgement.objects.all()) == {first, second}
    assert list(Judgement.objects.counted()) == [second]
    assert places(item) == (2, 1, 0, 1)
    assert_counts_match(batch)


def test_after_a_take_back_the_withdrawn_client_id_still_gives_what_it_stored(item, held, bob):
    first = submit(held, client_id="page-1")
    judgements.take_back(judgement=first, by=bob, now=NOW)

    assert submit(held, client_id="page-1") == first
    assert state_of(held) == AssignmentState.CLAIMED
    assert places(item) == (2, 1, 1, 0)


def test_a_taken_back_judgement_whose_claim_lapses_gives_its_place_away(batch, item, held, bob):
    judgements.take_back(judgement=submit(held), by=bob, now=NOW)

    claims.expire_lapsed(batch=batch, now=LATE)

    assert places(item) == (2, 2, 0, 0)
    assert not Judgement.objects.not_withdrawn().exists()


def test_taken_back_surplus_takes_no_place_from_anybody(batch, item, claim_without_place, bob):
    judgements.take_back(judgement=submit(claim_without_place, now=LATE), by=bob, now=LATE)

    assert state_of(claim_without_place) == AssignmentState.EXPIRED
    assert places(item) == (2, 0, 2, 0)
    assert_counts_match(batch)


def test_taken_back_surplus_counts_when_it_comes_again_and_there_is_room(
    batch, item, claim_without_place, bob, dora
):
    judgements.take_back(judgement=submit(claim_without_place, now=LATE), by=bob, now=LATE)
    judgements.skip(assignment=item.assignments.get(annotator=dora), reason="", by=dora)

    assert not submit(claim_without_place, now=LATE).is_surplus
    assert places(item) == (2, 0, 1, 1)


def test_nothing_is_taken_back_twice(item, held, bob):
    judgement = submit(held)
    judgements.take_back(judgement=judgement, by=bob, now=NOW)

    with pytest.raises(NotEditableError, match="taken back already"):
        judgements.take_back(judgement=judgement, by=bob, now=NOW)

    assert places(item) == (2, 1, 1, 0)


def test_nobody_takes_back_for_somebody_else(item, held, dora):
    with pytest.raises(NotClaimedError, match="another annotator"):
        judgements.take_back(judgement=submit(held), by=dora, now=NOW)

    assert places(item) == (2, 1, 0, 1)


def test_the_last_ten_judgements_stay_editable_and_no_more(batch, bob):
    for position in range(1, 13):
        ItemFactory(batch=batch, position=position)
    done = [judge(batch, bob, now=after(second)) for second in range(12)]

    assert recent_judgements.editable_judgements(batch, bob) == done[:1:-1]
    with pytest.raises(NotEditableError, match="last 10"):
        judgements.take_back(judgement=done[1], by=bob, now=after(20))
    judgements.take_back(judgement=done[2], by=bob, now=after(20))

    assert_counts_match(batch)


def test_what_others_and_other_batches_say_does_not_push_a_judgement_out_of_the_ten(
    batch, bob, dora
):
    for position in range(1, 13):
        ItemFactory(batch=batch, position=position)
    mine = judge(batch, bob)
    for second in range(12):
        judge(batch, dora, now=after(second))

    assert recent_judgements.editable_judgements(batch, bob) == [mine]


def test_a_reviewed_judgement_is_not_taken_back(item, held, alice, bob):
    judgement = submit(held)
    reviews.review(
        judgement=judgement,
        is_paid=True,
        paid_reason="good",
        is_counted=True,
        counted_reason="good",
        by=alice,
    )

    with pytest.raises(NotEditableError, match="reviewed"):
        judgements.take_back(judgement=judgement, by=bob, now=NOW)

    assert places(item) == (2, 1, 0, 1)


def test_nothing_is_taken_back_in_a_closed_batch(batch, item, held, alice, bob):
    judgement = submit(held)
    batches.close(batch=batch, by=alice)

    with pytest.raises(NotEditableError, match="closed"):
        judgements.take_back(judgement=judgement, by=bob, now=NOW)


def test_in_a_paused_batch_judgements_can_be_taken_back(batch, held, alice, bob):
    judgement = submit(held)
    batches.pause(batch=batch, by=alice)

    assert judgements.take_back(judgement=judgement, by=bob, now=NOW) == held


# How much the database is asked


def n_queries_of_a_submission(held: Assignment) -> int:
    with CaptureQueriesContext(connection) as asked:
        submit(held)
    return len(asked)


def test_a_submission_asks_as_much_after_a_long_day_in_a_large_batch(batch, bob):
    for position in range(1, 60):
        ItemFactory(batch=batch, position=position)
    at_first = n_queries_of_a_submission(claim_one(batch, bob))
    for _ in range(40):
        judge(batch, bob)

    assert n_queries_of_a_submission(claim_one(batch, bob)) == at_first


def test_a_submission_asks_nine_times(held, bob, django_assert_num_queries):
    said = submission()

    # A savepoint and its release; the assignment with its batch and guideline, what was said before, the
    # item, whether the batch is closed, the item's places, the state, the judgement.
    with django_assert_num_queries(9):
        judgements.submit(assignment=held, submission=said, by=bob, now=NOW)


def test_the_time_on_an_item_is_kept_where_the_clock_was_ahead_at_the_claim(batch, item, bob):
    ahead = claim_one(batch, bob, after(3 * 3600))
    sent = submission()

    kept = judgements.with_plausible_times(sent, ahead, after(10))

    assert (kept.shown_at, kept.active_seconds) == (sent.shown_at, sent.active_seconds)


def test_an_item_is_shown_after_its_claim_and_no_longer_than_until_now(batch, item, bob):
    held = claim_one(batch, bob, after(5))

    kept = judgements.with_plausible_times(submission(), held, after(10))

    assert (kept.shown_at, kept.active_seconds) == (after(5), 5.0)
