"""Whose work looks unusual and was not reviewed yet, for pages where something is decided on it."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import template
from django.db.models import Exists, OuterRef, Value

from accounts.models import Study, User
from annotation.models import Batch, BatchState, Judgement, Review, Verdict, VerdictState
from corpus.models import Dataset
from exports.annotators.stored_figures import AnnotatorsFigures
from jobs.stored_figures import read_together

register = template.Library()


@register.inclusion_tag("exports/annotators/_look_first.html")
def look_first(batch: Batch) -> dict[str, Any]:
    """A line that says how many people of the batch look unusual; nothing if nobody does."""
    return {"lines": _lines(batch.study, [batch]), "study": batch.study.slug, "is_one": True}


@register.inclusion_tag("exports/annotators/_look_first.html")
def look_first_in_dataset(dataset: Dataset) -> dict[str, Any]:
    """A line for each closed batch on the data set in which people look unusual."""
    batches = Batch.objects.counting().filter(pool__dataset=dataset, is_rehearsal=False)
    closed = list(batches.filter(state=BatchState.CLOSED).order_by("created_at", "pk"))
    return {"lines": _lines(dataset.study, closed), "study": dataset.study.slug, "is_one": False}


@register.inclusion_tag("exports/annotators/_unusual_disputes.html")
def unusual_disputes(study: Study, batches: Sequence[Batch]) -> dict[str, Any]:
    """A line for each batch that says how many of its disputes an unusual annotator has a part in. Names nobody."""
    people = unusual_people(study, batches)
    lines = []
    for batch in batches:
        if not people.get(batch.pk):
            continue
        disputed = Verdict.objects.current().filter(item__batch=batch, state=VerdictState.DISPUTED)
        theirs = Judgement.objects.counted().filter(
            assignment__item=OuterRef("item"), assignment__annotator__in=people[batch.pk]
        )
        if n := disputed.filter(Exists(theirs)).count():
            lines.append((batch, n, disputed.count()))
    return {"lines": lines, "study": study.slug}


def _lines(study: Study, batches: Sequence[Batch]) -> list[tuple[Batch, int]]:
    people = unusual_people(study, batches)
    return [(batch, len(people[batch.pk])) for batch in batches if people.get(batch.pk)]


def unusual_people(study: Study, batches: Sequence[Batch]) -> dict[int, set[int]]:
    """The people by batch whose figures name a reason to check them, and who have work without a review there."""
    figures = [AnnotatorsFigures(study, batch) for batch in batches if not batch.is_rehearsal]
    read_together(figures)
    named = {
        each.batch.pk: {
            person["annotator"] for person in each.result["people"] if person["reasons"]
        }
        for each in figures
        if each.batch is not None and each.result
    }
    if not any(named.values()):
        return {}
    users = {each.pseudonym: each.user_id for each in study.memberships.all()}
    return _not_reviewed(
        {batch: {users[name] for name in names if name in users} for batch, names in named.items()}
    )


def _not_reviewed(people: Mapping[int, Collection[int]]) -> dict[int, set[int]]:
    """The people, of these of each batch, with a judgement in it that nobody has reviewed, in one query.

    Asked of each person, who nearly always has one, so that not all judgements are read.
    """
    reviews = Review.objects.filter(judgement=OuterRef("pk"))
    rows = Judgement.objects.not_withdrawn().filter(~Exists(reviews))
    queries = []
    for batch, of_batch in people.items():
        theirs = rows.filter(
            assignment__item__batch=batch, assignment__annotator=OuterRef("pk")
        ).order_by()
        found = User.objects.filter(Exists(theirs), pk__in=of_batch).order_by()
        queries.append(found.values_list(Value(batch), "pk"))
    by_batch: dict[int, set[int]] = defaultdict(set)
    first, *others = queries
    for batch, person in first.union(*others, all=True):
        by_batch[batch].add(person)
    return dict(by_batch)
