"""Attempts at a qualification by training: each is a training batch for it, in the order in which they were made.

In training people are told what was expected, so a second attempt in the same items would ask what they remember.
docs/adr/0063-trusted-people.md says more.
"""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, QuerySet

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchPurpose,
    BatchState,
    Item,
    Qualification,
)
from annotation.models.batch import BatchQuerySet


def items_of(batch: Batch) -> QuerySet[Item]:
    """Return the items of a training batch that are not taken out, in the order in which everybody judges them."""
    return Item.objects.keyed().filter(batch=batch).order_by("position")


def trainings_for(asked: Qualification) -> BatchQuerySet:
    """Return the training batches for it that were opened, as attempts: in the order in which they were made.

    One of which all items were taken out is no attempt: it asks nothing of anybody.
    """
    items = Item.objects.keyed().filter(batch=OuterRef("pk"))
    opened = Batch.objects.not_withdrawn().exclude(state=BatchState.DRAFT).filter(Exists(items))
    return opened.filter(trains_for=asked, purpose=BatchPurpose.TRAINING).order_by("pk")


def begun_by(person: int, asked: Qualification) -> list[Batch]:
    """Return the trainings in which the person was handed an item."""
    own = Assignment.objects.filter(annotator=person, item__batch=OuterRef("pk"))
    return list(trainings_for(asked).filter(Exists(own)))


def begun_before(batch: Batch, asked: Qualification) -> defaultdict[int, set[int]]:
    """Return the trainings made before this one in which people judged, by person; {} if it does not train for it."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    if batch.trains_for_id != asked.pk:
        return found
    earlier = trainings_for(asked).filter(pk__lt=batch.pk)
    judged = Assignment.objects.filter(item__batch__in=earlier, state=AssignmentState.SUBMITTED)
    for person, each in judged.order_by().values_list("annotator", "item__batch").distinct():
        found[person].add(each)
    return found


@dataclass(frozen=True)
class Counts:
    """How far a training is: its items, the people who were handed one, and those who judged all."""

    n_items: int
    n_begun: int
    n_finished: int


def counts(batch: Batch) -> Counts:
    begun = Assignment.objects.filter(item__batch=batch).order_by().values("annotator").distinct()
    return Counts(items_of(batch).count(), begun.count(), len(finished_by(batch)))


def finished_by(batch: Batch) -> frozenset[int]:
    """Return the people who judged every item of a training batch that is not taken out; nobody if it has none."""
    n_items = items_of(batch).count()
    items = items_of(batch).order_by()
    judged = Assignment.objects.filter(item__in=items, state=AssignmentState.SUBMITTED)
    by_person = judged.order_by().values("annotator").annotate(n=Count("pk"))
    return frozenset(by_person.filter(n=n_items).values_list("annotator", flat=True))
