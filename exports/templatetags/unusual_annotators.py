"""Whose work looks unusual and was not reviewed yet, for pages where something is decided on it."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.db.models import Exists, OuterRef

from accounts.models import Study
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
        (each.batch.pk, person["annotator"])
        for each in figures
        if each.batch is not None and each.result
        for person in each.result["people"]
        if person["reasons"]
    }
    if not named:
        return {}
    users = {each.pseudonym: each.user_id for each in study.memberships.all()}
    found: dict[int, set[int]] = {}
    for batch, person in _not_reviewed(batches, set(users.values())):
        if any((batch, name) in named for name, user in users.items() if user == person):
            found.setdefault(batch, set()).add(person)
    return found


def _not_reviewed(batches: Sequence[Batch], people: set[int]) -> set[tuple[int, int]]:
    """The pairs of batch and person with a judgement that nobody has reviewed."""
    reviews = Review.objects.filter(judgement=OuterRef("pk"))
    rows = Judgement.objects.not_withdrawn().filter(
        ~Exists(reviews), assignment__item__batch__in=batches, assignment__annotator__in=people
    )
    pairs = rows.order_by().values_list("assignment__item__batch", "assignment__annotator")
    return set(pairs.distinct())
