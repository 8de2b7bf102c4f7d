"""Why people skipped items of a batch."""

from collections.abc import Collection

from django.db.models import Count, QuerySet

from annotation.models import Assignment, AssignmentState, Batch, Cursor


def skipped(batch: Batch) -> QuerySet[Assignment]:
    """The assignments of the batch that were skipped.

    Found by the people who were handed something: by assignments SQLite scans all items.
    """
    people = Cursor.objects.filter(batch=batch).values("annotator")
    return Assignment.objects.filter(
        annotator__in=people, state=AssignmentState.SKIPPED, item__batch=batch
    )


def skips_by_reason(batch: Batch, people: Collection[int]) -> list[tuple[str, int]]:
    """How often items were skipped for each reason, the most frequent first; "" stands for words alone.

    `people` are the keys of those who skipped any.
    """
    by_them = skipped(batch).filter(annotator__in=people)
    counted = by_them.order_by().values_list("skip_choice").annotate(n=Count("pk"))
    return sorted(counted, key=lambda each: (-each[1], each[0]))
