"""A pause in the whole study: nothing more is handed out there, and what the person held goes to others."""

import pytest

from accounts.actions import members
from accounts.models import Role
from accounts.permissions import NotAllowedError
from annotation.actions import batches, claims, pauses, study_pauses
from annotation.actions.claims import NothingToClaimError
from annotation.actions.pauses import PauseError
from annotation.models import Assignment, Pause
from annotation.review_decisions import ReviewError
from audit.models import Event
from tests.annotation.desk import assert_counts_match, claim_one, judge, submit
from tests.annotation.pools import launched
from tests.factories import BatchFactory, ItemFactory
from tests.sampling.scored_dataset import create_scored_dataset, draw_pool


@pytest.fixture
def others(batch):
    """A second open batch and a closed one of the study."""
    made = [BatchFactory(pool=batch.pool, name=name) for name in ("another", "over")]
    for each in made:
        ItemFactory(batch=each)
    return made


def pause(study, annotator, by, reason="one key, sixty times"):
    return study_pauses.pause(study=study, annotator=annotator, reason=reason, by=by)


def resume(study, annotator, by, reason="we talked"):
    return study_pauses.resume(study=study, annotator=annotator, reason=reason, by=by)


def test_no_batch_of_the_study_hands_a_paused_person_anything(
    study, batch, items, others, bob, alice
):
    pause(study, bob, alice)

    for each in (batch, *others):
        with pytest.raises(NothingToClaimError):
            claim_one(each, bob)


def test_what_the_person_held_is_given_back_and_goes_to_others(
    study, batch, items, bob, dora, alice
):
    held = claims.claim(batch=batch, by=bob, n=3)

    pause(study, bob, alice)

    states = Assignment.objects.filter(annotator=bob).values_list("state", flat=True)
    assert set(states) == {"expired"}
    assert_counts_match(batch)
    assert {each.item for each in claims.claim(batch=batch, by=dora, n=3)} == {
        each.item for each in held
    }


def test_what_a_paused_person_still_submits_is_kept_but_not_counted(
    study, batch, items, bob, alice
):
    held = claim_one(batch, bob)
    pause(study, bob, alice)

    assert submit(held).is_surplus
    assert_counts_match(batch)


def test_a_batch_that_opens_later_hands_them_nothing(study, tmp_path, bob, dora, alice):
    pool = draw_pool(create_scored_dataset(study, tmp_path))
    launched(pool, name="first")
    pause(study, bob, alice)

    later = launched(pool, name="later", scheme="plausibility")

    with pytest.raises(NothingToClaimError, match="hand bob nothing"):
        claim_one(later, bob)
    assert claim_one(later, dora)


def test_a_batch_that_is_opened_again_hands_them_nothing(study, batch, items, bob, alice):
    batches.close(batch=batch, by=alice)
    pause(study, bob, alice)
    batches.reopen(batch=batch, by=alice)

    with pytest.raises(NothingToClaimError):
        claim_one(batch, bob)


def test_a_resumed_person_goes_on_in_every_batch_first_with_what_was_given_back(
    study, batch, items, others, bob, alice
):
    held = claim_one(batch, bob)
    pauses.pause(batch=others[0], annotator=bob, reason="one key", by=alice)
    pause(study, bob, alice)

    resume(study, bob, alice)

    assert claim_one(batch, bob).item == held.item
    assert claim_one(others[0], bob)


def test_other_studies_are_left_alone(study, batch, item, bob, alice):
    elsewhere = BatchFactory()
    ItemFactory(batch=elsewhere)
    there = elsewhere.study
    members.add(study=there, user=bob, roles=[Role.ANNOTATOR], by=there.created_by)

    pause(study, bob, alice)

    assert claim_one(elsewhere, bob)


def test_each_batch_has_a_row_and_the_history_one_line(study, batch, others, bob, alice):
    rows = pause(study, bob, alice, reason="  too fast ")

    assert {row.batch for row in rows} == {batch, *others}
    assert {(row.is_paused, row.is_of_study, row.reason) for row in rows} == {
        (True, True, "too fast")
    }
    (event,) = Event.objects.filter(verb="paused an annotator of")
    assert (event.target, event.details["annotator"]) == (f"study {study}", "bob")


def test_one_batch_is_not_resumed_alone_while_the_study_is_paused(study, batch, bob, alice):
    pause(study, bob, alice)

    with pytest.raises(PauseError, match="bob is paused in the whole study"):
        pauses.resume(batch=batch, annotator=bob, reason="we talked", by=alice)


def test_the_same_twice_is_refused_and_writes_nothing(study, batch, bob, alice):
    with pytest.raises(PauseError, match="bob is not paused in the whole study"):
        resume(study, bob, alice)
    pause(study, bob, alice)
    with pytest.raises(PauseError, match="bob is paused already in the whole study"):
        pause(study, bob, alice)

    assert Pause.objects.count() == 1


def test_it_takes_a_requester_a_reason_a_member_and_a_batch(
    study, batch, bob, carol, alice, mallory
):
    with pytest.raises(NotAllowedError):
        pause(study, bob, carol)
    with pytest.raises(ReviewError, match="reason"):
        pause(study, bob, alice, reason=" ")
    with pytest.raises(PauseError, match="mallory is not in the study"):
        pause(study, mallory, alice)
    assert not Pause.objects.exists()


def test_drafts_and_rehearsals_have_no_row(study, batch, bob, alice):
    BatchFactory(pool=batch.pool, name="draft", state="draft")
    BatchFactory(pool=batch.pool, name="play", is_rehearsal=True)

    assert [row.batch for row in pause(study, bob, alice)] == [batch]


def test_what_they_judged_before_stays_counted(study, batch, items, bob, alice):
    judge(batch, bob)

    pause(study, bob, alice)

    assert_counts_match(batch)
    assert batch.items.filter(n_counted=1).count() == 1
