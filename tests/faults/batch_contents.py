"""The contents of the only batch, after a check of its counts (process.py)."""

from django.db import transaction

from annotation import schemes
from annotation.actions import batches, settlement
from annotation.models import Assignment, Batch, Judgement, Verdict
from tests.annotation.desk import assert_counts_match


def batch_contents() -> dict[str, object]:
    batch = Batch.objects.get()
    assert_counts_match(batch)
    scheme = schemes.get(batch.scheme)
    judgements = [
        (
            each.client_id,
            str(each.assignment.public_id),
            scheme.label(each.response),
            each.is_surplus,
        )
        for each in Judgement.objects.order_by("pk").select_related("assignment")
    ]
    items = list(batch.items.real())
    controls = Assignment.objects.filter(item__n_wanted=None)
    verdicts = _verdicts_if_settled(batch)
    return {
        "judgements": judgements,
        "n_items": len(items),
        "n_full": sum(item.n_counted == item.n_wanted for item in items),
        "controls": [str(each.public_id) for each in controls],
        "n_verdicts": len(verdicts),
        "n_of_controls": sum(each.item.n_wanted is None for each in verdicts),
    }


def _verdicts_if_settled(batch: Batch) -> list[Verdict]:
    """The verdicts that settling the batch now would make; nothing of it stays."""
    with transaction.atomic():
        batches.close(batch=batch, by=batch.created_by)
        settlement.settle(batch=batch, rule="majority", by=batch.created_by, expire_claims=True)
        verdicts = list(Verdict.objects.current().select_related("item"))
        transaction.set_rollback(True)
    return verdicts
