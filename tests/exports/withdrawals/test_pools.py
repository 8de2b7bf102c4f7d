"""A withdrawn pool, audit sample, pool of evidence or comparison is used for nothing new."""

import pytest
from django.urls import reverse

from accounts.actions.withdrawals import WithdrawalError
from accounts.permissions import NotAllowedError
from annotation.actions import batches, drafts, withdrawn_batches
from annotation.actions.batches import BatchError
from annotation.forms import drafts as draft_forms
from audit.models import Event
from dashboard.progress import study_progress
from exports.withdrawals import actions
from sampling.actions import audit_samples
from sampling.actions.pools import PoolError
from sampling.audit_samples.rule import AuditRule
from sampling.models import PoolWithdrawal
from sampling.pools.selection import State
from tests.annotation.pools import evidence_pool_of
from tests.exports.judged_batches import release
from tests.factories import PoolFactory


def withdraw(pool, by=None):
    return actions.withdraw_pool(pool=pool, reason="too easy", by=by or pool.created_by)


def bring_back(pool):
    return actions.bring_pool_back(pool=pool, reason="no, it is right", by=pool.created_by)


def withdraw_batch(batch):
    return withdrawn_batches.withdraw(batch=batch, reason="r", by=batch.created_by)


def draft_on(pool, **settings):
    scheme = settings.pop("scheme", "plausibility")
    return batches.create(
        study=pool.study, name="draft", scheme=scheme, pool=pool, by=pool.created_by, **settings
    )


def draw_audit(pool, name="audit"):
    return audit_samples.draw(
        pool=pool,
        name=name,
        rule=AuditRule(pool.name, {State.BELOW_THRESHOLD: 1}),
        by=pool.created_by,
    )


def test_each_withdrawal_and_return_is_a_row_with_a_reason_and_an_event(pool):
    withdraw(pool)
    bring_back(pool)

    rows = PoolWithdrawal.objects.filter(pool=pool)
    assert [(row.is_withdrawn, row.reason) for row in rows] == [
        (True, "too easy"),
        (False, "no, it is right"),
    ]
    events = Event.objects.filter(target=f"pool {pool}").order_by("pk")
    assert [each.verb for each in events][-2:] == ["withdrew", "brought back"]


def test_no_batch_is_made_of_a_withdrawn_pool(pool):
    withdrawn = withdraw(pool)

    assert pool not in draft_forms.pools(pool.study)
    with pytest.raises(BatchError, match="the pool pool is withdrawn: bring it back first"):
        draft_on(withdrawn)


def test_a_batch_that_began_before_the_pool_was_withdrawn_is_refused_too(pool):
    withdraw(pool)

    with pytest.raises(BatchError, match="is withdrawn"):
        draft_on(pool)  # as it was read before


def test_no_draft_is_moved_to_a_withdrawn_pool(pool):
    other = PoolFactory(dataset=pool.dataset)
    draft = draft_on(pool)
    withdraw(other)

    with pytest.raises(BatchError, match="is withdrawn"):
        drafts.edit(
            batch=draft,
            name="draft",
            scheme="plausibility",
            pool=other,
            guideline="",
            by=pool.created_by,
        )


def test_a_pool_that_is_brought_back_is_offered_again(pool):
    withdraw(pool)
    bring_back(pool)

    assert draft_on(pool).pool == pool


def test_a_pool_with_batches_that_count_is_not_withdrawn_and_names_them(plausibility):
    draft = draft_on(plausibility.pool)

    with pytest.raises(
        WithdrawalError,
        match="the pool “pool” is in use: discard the draft “draft” and withdraw the batch “plausibility” first",
    ):
        withdraw(plausibility.pool)

    drafts.discard(batch=draft, by=draft.created_by)
    withdraw_batch(plausibility)
    assert withdraw(plausibility.pool).is_withdrawn


def test_a_batch_is_not_brought_back_before_its_pool(plausibility):
    withdraw_batch(plausibility)
    withdraw(plausibility.pool)

    with pytest.raises(WithdrawalError, match="the pool pool is withdrawn: bring it back first"):
        withdrawn_batches.bring_back(batch=plausibility, reason="r", by=plausibility.created_by)

    bring_back(plausibility.pool)
    withdrawn_batches.bring_back(batch=plausibility, reason="r", by=plausibility.created_by)


def test_an_audit_sample_is_withdrawn_before_the_pool_that_it_audits(pool):
    audit = draw_audit(pool)
    with pytest.raises(WithdrawalError, match="withdraw the pool “audit” first"):
        withdraw(pool)

    withdraw(audit)
    withdraw(pool)

    with pytest.raises(WithdrawalError, match="bring back the pool “pool” first"):
        bring_back(audit)
    with pytest.raises(PoolError, match="the pool pool is withdrawn"):
        draw_audit(pool, "another")


def test_a_pool_of_evidence_is_withdrawn_before_the_pool_of_its_answers(pool):
    evidence = evidence_pool_of(pool)
    with pytest.raises(WithdrawalError, match=f"withdraw the pool “{evidence}” first"):
        withdraw(pool)

    withdraw(evidence)
    assert withdraw(pool).is_withdrawn


def test_a_comparison_is_withdrawn_and_its_batches_first(gold, rated):
    with pytest.raises(WithdrawalError, match=f"withdraw the batch “{rated}” first"):
        withdraw(gold)

    withdraw_batch(rated)
    withdrawn = withdraw(gold)

    with pytest.raises(BatchError, match="is withdrawn"):
        draft_on(withdrawn, scheme="rating")


def test_a_pool_that_is_being_built_is_not_withdrawn(pool):
    unbuilt = PoolFactory(dataset=pool.dataset, built_at=None)

    with pytest.raises(WithdrawalError, match="still being built"):
        withdraw(unbuilt)


def test_the_progress_of_the_study_leaves_a_withdrawn_pool_out(pool):
    withdraw(pool)

    assert study_progress(pool.study).pools == []


def test_only_a_requester_withdraws_a_pool(pool, bob):
    with pytest.raises(NotAllowedError):
        withdraw(pool, by=bob)


# Pages


def test_the_page_names_what_rests_on_the_pool_before_it_is_withdrawn(
    plausibility, client, tmp_path
):
    release(plausibility, tmp_path / "release")
    withdraw_batch(plausibility)
    where = [plausibility.study.slug, plausibility.pool_id]

    page = client.get(reverse("pool_withdraw", args=where)).content.decode()

    assert f"Batches on it: {plausibility.name} (withdrawn)." in page
    assert "Releases that contain it, which do not change: 1." in page


def test_the_page_says_what_is_withdrawn_first(plausibility, client):
    where = [plausibility.study.slug, plausibility.pool_id]

    page = client.get(reverse("pool_withdraw", args=where), follow=True).content.decode()

    assert (
        "This pool cannot be withdrawn: the pool “pool” is in use: withdraw the batch “plausibility” first."
        in page
    )
    assert "Nothing was changed" not in page


def test_a_pool_is_withdrawn_and_brought_back_by_its_pages(pool, client):
    where = [pool.study.slug, pool.pk]
    new = f"{reverse('batch_new', args=where[:1])}?pool={pool.pk}"

    client.post(reverse("pool_withdraw", args=where), {"reason": "too <easy>"})
    page = client.get(reverse("pool", args=where)).content.decode()
    assert "Withdrawn by <bdi>alice</bdi> on " in page
    assert "too &lt;easy&gt;" in page
    assert new not in page
    listed = client.get(reverse("pools", args=where[:1]), {"withdrawn": "yes"}).content.decode()
    assert '<span class="tag warn">withdrawn</span>' in listed

    client.post(reverse("pool_bring_back", args=where), {"reason": "r"})
    page = client.get(reverse("pool", args=where)).content.decode()
    assert "Withdrawn by" not in page
    assert new in page
