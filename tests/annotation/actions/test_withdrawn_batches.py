"""What is promised of a withdrawn batch: annotation/actions/withdrawn_batches.py."""

import pytest
from django.db import IntegrityError, transaction

from accounts.actions.withdrawals import WithdrawalError
from accounts.permissions import NotAllowedError
from annotation.actions import (
    batches,
    claims,
    double_adjudication,
    extra_judgement_plans,
    review_plans,
    reviews,
    settlement,
    withdrawn_batches,
)
from annotation.actions.batches import BatchError
from annotation.actions.claims import NothingToClaimError
from annotation.actions.settlement import SettleError
from annotation.models import Batch, BatchState, BatchWithdrawal, Judgement
from annotation.queries import dispute_queue
from annotation.review_decisions import ReviewError
from audit.models import Event
from tests.annotation.desk import NOW, claim_one, judge, submit
from tests.factories import BatchFactory


def withdraw(batch, by, reason="opened by mistake"):
    return withdrawn_batches.withdraw(batch=batch, reason=reason, by=by)


def bring_back(batch, by, reason="it was right after all"):
    return withdrawn_batches.bring_back(batch=batch, reason=reason, by=by)


@pytest.fixture
def disputed(judged_batch, alice):
    settlement.settle(batch=judged_batch.batch, rule="unanimous", by=alice)
    return judged_batch


def test_a_withdrawn_batch_counts_no_more_until_it_is_brought_back(batch, alice):
    assert batch in Batch.objects.counting()

    withdraw(batch, alice)
    assert batch not in Batch.objects.counting()

    bring_back(batch, alice)
    assert batch in Batch.objects.counting()


def test_each_withdrawal_and_each_return_is_a_row_that_stays(batch, alice):
    withdraw(batch, alice, " opened by mistake ")
    bring_back(batch, alice, "no mistake")
    withdrawn = withdraw(batch, alice, "it was one")

    rows = BatchWithdrawal.objects.values_list("is_withdrawn", "reason", "withdrawn_by__username")
    assert list(rows) == [
        (True, "opened by mistake", "alice"),
        (False, "no mistake", "alice"),
        (True, "it was one", "alice"),
    ]
    assert withdrawn.withdrawal.reason == "it was one"
    events = Event.objects.filter(verb__in=["withdrew", "brought back"]).order_by("pk")
    assert [(each.verb, each.target, each.details) for each in events][:2] == [
        ("withdrew", f"batch {batch}", {"reason": "opened by mistake"}),
        ("brought back", f"batch {batch}", {"reason": "no mistake"}),
    ]


@pytest.mark.parametrize("reason", ["", "  ", "a\0b", "x" * 1001])
def test_a_withdrawal_without_a_usable_reason_changes_nothing(batch, alice, reason):
    with pytest.raises(WithdrawalError, match=r"^the reason "):
        withdraw(batch, alice, reason)

    batch.refresh_from_db()
    assert (batch.state, batch.is_withdrawn) == (BatchState.OPEN, False)


def test_only_a_requester_withdraws_and_brings_back(batch, carol):
    with pytest.raises(NotAllowedError):
        withdraw(batch, carol)
    with pytest.raises(NotAllowedError):
        bring_back(batch, carol)


def test_what_is_withdrawn_is_not_withdrawn_again_and_what_is_not_is_not_brought_back(batch, alice):
    with pytest.raises(WithdrawalError, match=r"is not withdrawn$"):
        bring_back(batch, alice)
    withdraw(batch, alice)
    with pytest.raises(WithdrawalError, match=r"is withdrawn already$"):
        withdraw(batch, alice)


def test_a_draft_is_discarded_and_not_withdrawn(study, alice):
    draft = BatchFactory(pool__dataset__study=study, state=BatchState.DRAFT)

    with pytest.raises(WithdrawalError, match="is a draft: discard it"):
        withdraw(draft, alice)


def test_a_batch_at_work_is_closed_and_hands_out_nothing_more(batch, items, alice, bob):
    withdraw(batch, alice)

    batch.refresh_from_db()
    assert (batch.state, batch.closed_by) == (BatchState.CLOSED, alice)
    with pytest.raises(NothingToClaimError):
        claims.claim(batch=batch, by=bob, now=NOW)


def test_what_somebody_held_can_still_be_submitted_and_what_was_judged_stays(
    batch, items, alice, bob
):
    judge(batch, bob)
    held = claim_one(batch, bob)

    withdraw(batch, alice)
    submit(held, "plausible")

    assert Judgement.objects.counted().count() == 2


def test_the_database_keeps_a_withdrawn_batch_closed(batch, alice):
    withdraw(batch, alice)

    with pytest.raises(IntegrityError), transaction.atomic():
        Batch.objects.filter(pk=batch.pk).update(
            state=BatchState.OPEN, closed_at=None, closed_by=None
        )


def test_nothing_more_is_decided_in_a_withdrawn_batch(disputed, alice, bob, carol):
    batch, item = disputed.batch, disputed.item(4)
    withdraw(batch, alice)
    refused = "is withdrawn: bring it back first"

    with pytest.raises(BatchError, match=refused):
        batches.reopen(batch=batch, by=alice)
    with pytest.raises(SettleError, match=refused):
        settlement.settle(batch=batch, rule="majority", by=alice)
    with pytest.raises(ReviewError, match=refused):
        reviews.adjudicate(item=item, label="plausible", reason="r", by=carol)
    with pytest.raises(ReviewError, match=refused):
        reviews.ask_again(item=item, by=alice)
    with pytest.raises(ReviewError, match=refused):
        extra_judgement_plans.plan(batch=batch, rule="majority", cap=1)
    with pytest.raises(ReviewError, match=refused):
        double_adjudication.draw(batch=batch, share=0.5, seed=1, by=alice)
    with pytest.raises(ReviewError, match=refused):
        review_plans.plan(batch=batch, decisions={}, by=alice, ask_again=True)


def test_disputes_of_a_withdrawn_batch_wait_for_nobody(disputed, study, alice, carol):
    assert dispute_queue.dispute_queue(study, carol)

    withdraw(disputed.batch, alice)

    assert dispute_queue.dispute_queue(study, carol) == []
    assert dispute_queue.dispute_progress(study).n_left == 0
