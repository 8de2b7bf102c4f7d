"""The contents of the only batch, after a check of its counts (process.py)."""

from annotation import schemes
from annotation.models import Batch, Judgement
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
    items = list(batch.items.all())
    return {
        "judgements": judgements,
        "n_items": len(items),
        "n_full": sum(item.n_counted == item.n_wanted for item in items),
    }
