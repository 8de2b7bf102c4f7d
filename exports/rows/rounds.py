"""Which counted judgements of an item are its first, and which were asked for beyond these.

The first are as many as the batch asks of each item, in the order of submission, and are round 1;
the next one is round 2, and so on (docs/adr/0049).
"""

from collections.abc import Collection

from django.db.models import Min

from annotation.models import Batch, Item, Judgement


def n_first(batch: Batch) -> int:
    """How many judgements were asked of each judged item of the batch, whatever their outcome.

    A higher number that the organisers asked for later is for all items but those decided by then.
    Where such an item has judgements, the number before holds for all.
    """
    judged = Item.objects.real().filter(batch=batch, n_counted__gt=0)
    least = judged.aggregate(least=Min("n_wanted"))["least"]
    return batch.judgements_per_item if least is None else min(batch.judgements_per_item, least)


def rounds(batch: Batch, *, items: Collection[int] | None = None) -> dict[int, int]:
    """The round of each counted judgement by its key; without control items.

    `items` are keys; None for all of the batch.
    """
    counted = Judgement.objects.counted().filter(
        assignment__item__batch=batch, assignment__item__n_wanted__isnull=False
    )
    if items is not None:
        counted = counted.filter(assignment__item__in=items)
    ordered = counted.order_by("assignment__item", "submitted_at", "pk")
    first, found = n_first(batch), dict[int, int]()
    before, place = None, 0
    for item, pk in ordered.values_list("assignment__item", "pk"):
        place = place + 1 if item == before else 1
        before = item
        found[pk] = max(1, place - first + 1)
    return found
