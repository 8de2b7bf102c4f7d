"""Who may still be handed an item: people in its audience, not paused, below their share, who were not handed it."""

from collections import Counter
from collections.abc import Collection

from django.db.models import Count, F, Q

from annotation.models import Assignment, AssignmentState, Batch, Cursor, Item
from annotation.queries import completion

# Why one more judgement of an item is refused, unless the person says to go on.
NOBODY = (
    "nobody is left to judge it: everybody who annotates in the study was assigned it, is paused, or has had their"
    " share. Adjudicate it, or add annotators"
)

# A statement of PostgreSQL takes 65,535 values.
MOST_KEYS = 10_000


def eligible_people(batch: Batch) -> frozenset[int]:
    """Return the people who may be handed items of the batch now: in its audience, not paused, below their share."""
    cursors = Cursor.objects.filter(batch=batch)
    full = cursors.filter(n_taken__gte=F("batch__most_per_person") + F("n_controls"))
    return completion.people_of(batch) - set(
        (cursors.filter(is_paused=True) | full).values_list("annotator_id", flat=True)
    )


def among(batch: Batch, items: Collection[int] | None) -> Q:
    """Return a condition on rows of items: that theirs is one of these (keys) of the batch; None, or more than
    MOST_KEYS, for all of the batch.
    """
    if items is None or len(items) > MOST_KEYS:
        return Q(item__batch=batch)
    return Q(item__in=items)


def n_handed(
    batch: Batch, people: Collection[int], items: Collection[int] | None = None
) -> dict[int, int]:
    """Return the number of these people who may not be handed an item again, by item; items without any are left out.
    `items` are keys; None, or more than MOST_KEYS, for all of the batch.

    People whose claim expired may get the item again; those who judged, skipped or took back may not, and of written
    answers neither those who were handed the item in another round.
    """
    assignments = Assignment.objects.filter(among(batch, items), annotator__in=people)
    assignments = assignments.exclude(state=AssignmentState.EXPIRED).order_by()
    if not batch.asks_to_write:
        return dict(assignments.values("item").annotate(n=Count("pk")).values_list("item", "n"))
    others = Item.objects.filter(batch=batch).handed_in_other_round()
    handed = {*assignments.values_list("item", "annotator"), *others}  # once, also who had it twice
    return Counter(item for item, person in handed if person in people)


def without_taker(batch: Batch, items: Collection[int]) -> set[int]:
    """Return which of the items (keys) nobody may be handed now; none in a rehearsal, where nobody real is asked."""
    if not items or batch.is_rehearsal:
        return set()
    people = eligible_people(batch)
    handed = n_handed(batch, people, items)
    return {item for item in items if handed.get(item, 0) >= len(people)}
