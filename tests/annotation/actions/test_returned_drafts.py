"""What is promised of an opened batch that becomes a draft again: annotation/actions/returned_drafts.py."""

import pytest

from accounts.permissions import NotAllowedError
from annotation.actions import (
    batches,
    claims,
    drafts,
    guideline_versions,
    judgements,
    pauses,
    returned_drafts,
    reviews,
    withdrawn_batches,
)
from annotation.actions.batches import BatchError
from annotation.actions.returned_drafts import HeldItemsError
from annotation.models import Assignment, Batch, BatchState, Cursor, GuidelineVersion, Item, Verdict
from audit.models import Event
from tests.annotation.desk import NOW, claim_one, judge
from tests.annotation.pools import evidence_pool_of, launched, pool_of


@pytest.fixture
def opened(study, alice):
    return launched(pool_of(study))


def back(batch, by, **more):
    return returned_drafts.return_to_draft(batch=batch, by=by, **more)


def test_an_empty_batch_becomes_a_draft_and_opens_as_it_did_before(opened, alice):
    contents = list(opened.items.values_list("position", "payload"))

    draft = back(opened, alice)

    assert (draft.state, draft.most_per_person) == (BatchState.DRAFT, None)
    assert not Item.objects.filter(batch=draft).exists()
    event = Event.objects.get(verb="returned to draft")
    assert event.details == {"n_items": len(contents), "n_claims": 0}
    again = batches.launch(batch=draft, by=alice)
    assert list(again.items.values_list("position", "payload")) == contents


def test_a_closed_batch_without_judgements_becomes_a_draft_too(opened, alice):
    draft = back(batches.close(batch=opened, by=alice), alice)

    assert (draft.state, draft.closed_at) == (BatchState.DRAFT, None)


def test_everything_about_the_draft_can_be_changed_and_it_can_be_discarded(opened, alice):
    guideline_versions.change(batch=opened, text="Another one.", by=alice)
    draft = back(opened, alice)

    assert draft.guideline_since is None
    assert not GuidelineVersion.objects.exists()
    drafts.discard(batch=draft, by=alice)
    assert not Batch.objects.filter(pk=draft.pk).exists()


def test_who_holds_an_item_is_waited_for_or_the_claims_are_ended(opened, alice, bob):
    (held,) = claims.claim(batch=opened, by=bob)

    with pytest.raises(HeldItemsError, match="1 item is assigned"):
        back(opened, alice)
    assert Assignment.objects.filter(pk=held.pk).exists()

    back(opened, alice, expire_claims=True)
    assert not Assignment.objects.exists()
    assert not Cursor.objects.exists()


def test_a_claim_whose_time_is_over_holds_nothing(opened, alice, bob):
    claim_one(opened, bob, NOW)  # months ago

    assert back(opened, alice).state == BatchState.DRAFT


def test_what_anybody_did_keeps_the_batch_as_it_is(opened, alice, bob, dora):
    held = claim_one(opened, bob)
    judgements.skip(assignment=held, reason="not my language", by=bob)
    with pytest.raises(BatchError, match="skipped or flagged"):
        back(opened, alice)

    judge(opened, dora)
    with pytest.raises(BatchError, match="has judgements: withdraw it"):
        back(opened, alice)


def test_a_flag_or_a_decision_keeps_the_batch_as_it_is(opened, alice, bob):
    item = opened.items.first()
    reviews.exclude(item=item, reason="broken", by=alice)
    reviews.readmit(item=item, reason="whole", by=alice)

    with pytest.raises(BatchError, match="decided something in it"):
        back(opened, alice)


def test_a_flag_keeps_the_batch_as_it_is(opened, alice, bob):
    held = claim_one(opened, bob)
    judgements.flag(assignment=held, message="What is this?", by=bob)

    with pytest.raises(BatchError, match="skipped or flagged"):
        back(opened, alice, expire_claims=True)


def test_a_withdrawn_batch_is_brought_back_first(opened, alice):
    withdrawn = withdrawn_batches.withdraw(batch=opened, reason="by mistake", by=alice)

    with pytest.raises(BatchError, match="is withdrawn: bring it back first"):
        back(withdrawn, alice)


def test_who_is_paused_stays_paused_and_such_a_draft_is_kept(opened, alice, bob):
    pauses.pause(batch=opened, annotator=bob, reason="ill", by=alice)

    draft = back(opened, alice)

    assert Cursor.objects.get(batch=draft, annotator=bob).is_paused
    with pytest.raises(BatchError, match="leave it as it is"):
        drafts.discard(batch=draft, by=alice)


def test_items_set_aside_without_evidence_go_with_the_others(study, alice):
    opened = launched(evidence_pool_of(pool_of(study), without=1), scheme="faithfulness")
    assert Verdict.objects.exists()

    back(opened, alice)

    assert not Verdict.objects.exists()


def test_only_a_requester_does_it_and_not_to_a_draft(opened, alice, carol):
    with pytest.raises(NotAllowedError):
        back(opened, carol)
    draft = back(opened, alice)

    with pytest.raises(BatchError, match="is draft, not open"):
        back(draft, alice)
