"""The books of the one batch that there is: looked through, and what is in them (process.py)."""

from annotation import schemes
from annotation.models import Batch, Judgement
from tests.annotation.desk import assert_books_balance


def books() -> dict[str, object]:
    batch = Batch.objects.get()
    assert_books_balance(batch)
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
