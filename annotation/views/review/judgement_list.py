"""The list of judgements that are reviewed: what it can be narrowed by, and what it shows of each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from statistics import median
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest

from accounts.models import User
from annotation import schemes
from annotation.models import Batch, Judgement, Review
from annotation.queries import adjudication_access, review_overview
from pages.listing import Column, Filter, Listing

Names = Mapping[int, tuple[str, str]]

COLUMNS = (
    Column("place", "Question and answer", ("assignment__item__position",)),
    Column("said", "Said"),
    Column("others", "Others said"),
    Column("seconds", "Seconds", ("active_seconds",), is_number=True),
    Column("at", "Submitted", ("submitted_at",)),
    Column("decided", "Decided"),
)


@dataclass(frozen=True)
class Shown:
    """A judgement as a reviewer sees it: no run, score or reference, and others' labels once the item ended."""

    judgement: Judgement
    name: str
    pseudonym: str
    label: str
    others: list[str]
    review: Review | None


def listing(batch: Batch, asked: HttpRequest, names: Names, reader: User) -> Listing:
    """All judgements of the batch that stand, as the address narrows them; `item` in it: those of one.

    That there is an item which an answer led to is kept from who is to settle that answer a second time.
    """
    kept = adjudication_access.items_hidden_from(reader, batch.study).exclude(came_from=None)
    rows = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch)
    rows = rows.exclude(assignment__item__in=kept.order_by().values("pk"))
    item = _uuid(asked.GET.get("item", ""))
    if item is not None:
        rows = rows.filter(assignment__item__public_id=item)
    return Listing(
        asked,
        rows.select_related("assignment__item").order_by("assignment__item__position", "pk"),
        columns=COLUMNS,
        filters=(
            _people(names, rows),
            *_said(batch),
            _speed(batch),
            _decided(),
        ),
    )


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _people(names: Names, rows: QuerySet[Judgement]) -> Filter:
    there = set(rows.order_by().values_list("assignment__annotator", flat=True).distinct())
    choices = {
        pseudonym: (f"{name} ({pseudonym})" if name else pseudonym, Q(assignment__annotator=pk))
        for pk, (name, pseudonym) in names.items()
        if pk in there
    }
    return Filter("person", "Annotator", choices, none="everybody")


def _says(batch: Batch, label: str) -> Q:
    return Q(**{f"response__{batch.scheme}": label})


def _said(batch: Batch) -> list[Filter]:
    """By what was said, where that is one of a few labels; beside others, where items come to an end."""
    scheme = schemes.get(batch.scheme)
    labels = {label: (label, _says(batch, label)) for label in scheme.labels}
    found = [Filter("label", "Said", labels)] if labels else []
    return [*found, _others(batch)] if scheme.has_verdict else found


def _speed(batch: Batch) -> Filter:
    """Fast is what took less than half as long as the batch's median."""
    took = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch)
    seconds = list(took.values_list("active_seconds", flat=True))
    half = median(seconds) / 2 if seconds else 0.0
    return Filter(
        "speed",
        "Speed",
        {
            "fast": (f"fast: under {half:.1f} s, half the median", Q(active_seconds__lt=half)),
            "rest": ("not fast", Q(active_seconds__gte=half)),
        },
    )


def _others(batch: Batch) -> Filter:
    """Told of items that have ended, so that nothing open is told."""
    return Filter(
        "others",
        "Beside others",
        {
            "alone": (
                "unlike all others",
                _beside(batch, same=False, different=True) & Q(review_overview.item_has_verdict()),
            ),
            "alike": (
                "like all others",
                _beside(batch, same=True, different=False) & Q(review_overview.item_has_verdict()),
            ),
        },
    )


def _beside(batch: Batch, *, same: bool, different: bool) -> Q:
    """Whether somebody else whose judgement counts says the same, and whether somebody says another label."""
    others = (
        Judgement.objects.counted()
        .filter(assignment__item=OuterRef("assignment__item"))
        .exclude(assignment=OuterRef("assignment"))
    )
    return reduce(
        or_,
        (
            (own := _says(batch, label))
            & _whether(others.filter(own), same)
            & _whether(others.exclude(own), different)
            for label in schemes.get(batch.scheme).labels
        ),
    )


def _whether(rows: QuerySet[Judgement], there_are: bool) -> Q:
    return Q(Exists(rows)) if there_are else ~Q(Exists(rows))


def _decided() -> Filter:
    current = Review.objects.filter(judgement=OuterRef("pk"), replaced_by=None)
    return Filter(
        "decided",
        "Decided",
        {
            "none": ("not reviewed", ~Q(Exists(current))),
            "uncounted": ("not counted", Q(Exists(current.filter(is_counted=False)))),
            "unpaid": ("not paid", Q(Exists(current.filter(is_paid=False)))),
        },
    )


def shown(batch: Batch, page: Iterable[Judgement], names: Names) -> list[Shown]:
    scheme = schemes.get(batch.scheme)
    rows = list(page)
    others = review_overview.other_labels(batch, rows)
    current: dict[int, Any] = {
        review.judgement_id: review
        for review in Review.objects.filter(judgement__in=rows, replaced_by=None)
    }
    return [
        Shown(
            each,
            *names[each.assignment.annotator_id],
            label=scheme.words(each.response),
            others=others[each.pk],
            review=current.get(each.pk),
        )
        for each in rows
    ]
