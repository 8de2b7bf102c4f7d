"""The list of judgements to review: its filters and its lines."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest

from accounts.models import User
from annotation import schemes
from annotation.models import Batch, Item, Judgement, Review
from annotation.queries import adjudication_access, batch_costs, before_decision, review_overview
from pages.listing import Column, Filter, Listing

Names = Mapping[int, tuple[str, str]]

COLUMNS = (
    Column("place", "Question and answer", ("assignment__item__position",)),
    Column("said", "Label"),
    Column("others", "Other labels"),
    Column("seconds", "Seconds", ("active_seconds",), is_number=True),
    Column("at", "Submitted", ("submitted_at",)),
    Column("decided", "Review decision"),
)


@dataclass(frozen=True)
class JudgementLine:
    """A judgement for a reviewer. `others` are the labels of other annotators for the item.

    The review is hidden while the reader is to decide the item, unless it is their own.
    """

    judgement: Judgement
    name: str
    pseudonym: str
    label: str
    others: list[str]
    review: Review | None
    is_review_hidden: bool


def listing(batch: Batch, request: HttpRequest, names: Names, reader: User) -> Listing:
    """The current judgements of the batch, filtered by the query string; `item` is the id of one item.

    Items are left out if the reader is to settle the answer that they came from a second time, and if they asked
    for labels to be hidden until they decide, also those that they are to decide.
    """
    hidden = adjudication_access.items_hidden_from(reader, batch.study).exclude(came_from=None)
    rows = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch)
    if hidden.exists():  # else it would be looked for each judgement
        rows = rows.exclude(assignment__item__in=hidden.order_by().values("pk"))
    of_batch = Item.objects.filter(batch=batch)
    if before_decision.hides_votes(reader):
        to_decide = before_decision.items_to_decide(reader, batch.study, of_batch)
        rows = rows.exclude(assignment__item__in=to_decide.values("pk"))
    item = _uuid(request.GET.get("item", ""))
    if item is not None:
        rows = rows.filter(assignment__item__public_id=item)
    # Looked for where the list is filtered by reviews: of written answers all of both rounds are compared.
    is_asked = bool(request.GET.get("decided"))
    no_reviews = before_decision.hidden_reviews(reader, batch.study, of_batch) if is_asked else Q()
    return Listing(
        request,
        rows.select_related("assignment__item").order_by("assignment__item__position", "pk"),
        columns=COLUMNS,
        filters=(
            _person_filter(names, rows),
            *_label_filters(batch),
            _speed_filter(batch),
            _review_filter(no_reviews),
        ),
    )


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _person_filter(names: Names, rows: QuerySet[Judgement]) -> Filter:
    people = set(rows.order_by().values_list("assignment__annotator", flat=True).distinct())
    choices = {
        pseudonym: (f"{name} ({pseudonym})" if name else pseudonym, Q(assignment__annotator=pk))
        for pk, (name, pseudonym) in names.items()
        if pk in people
    }
    return Filter("person", "Annotator", choices, none="everybody")


def _has_label(batch: Batch, label: str) -> Q:
    return Q(**{f"response__{batch.scheme}": label})


def _label_filters(batch: Batch) -> list[Filter]:
    """Filters by label, if the scheme has labels, and by comparison with others, if it has verdicts.

    None where a verdict has more than a label: no response has that label.
    """
    scheme = schemes.get(batch.scheme)
    if scheme.has_verdict and not scheme.has_fixed_labels:
        return []
    labels = {label: (label, _has_label(batch, label)) for label in scheme.labels}
    filters = [Filter("label", "Label", labels)] if labels else []
    return [*filters, _others_filter(batch)] if scheme.has_verdict else filters


def _speed_filter(batch: Batch) -> Filter:
    """The filter for fast judgements: less than half of the batch's median time."""
    half = (batch_costs.median_seconds(batch) or 0.0) / 2
    return Filter(
        "speed",
        "Speed",
        {
            "fast": (f"fast: under {half:.1f} s, half the median", Q(active_seconds__lt=half)),
            "rest": ("not fast", Q(active_seconds__gte=half)),
        },
    )


def _others_filter(batch: Batch) -> Filter:
    """The filter by comparison with others."""
    return Filter(
        "others",
        "Agreement",
        {
            "alone": (
                "disagrees with everyone",
                _compared_with_others(batch, same=False, different=True),
            ),
            "alike": (
                "agrees with everyone",
                _compared_with_others(batch, same=True, different=False),
            ),
        },
    )


def _compared_with_others(batch: Batch, *, same: bool, different: bool) -> Q:
    """Whether a counted judgement of somebody else has the same label, and whether one has a different one."""
    others = (
        Judgement.objects.counted()
        .filter(assignment__item=OuterRef("assignment__item"))
        .exclude(assignment=OuterRef("assignment"))
    )
    return reduce(
        or_,
        (
            (own := _has_label(batch, label))
            & _exists(others.filter(own), same)
            & _exists(others.exclude(own), different)
            for label in schemes.get(batch.scheme).labels
        ),
    )


def _exists(rows: QuerySet[Judgement], exists: bool) -> Q:
    return Q(Exists(rows)) if exists else ~Q(Exists(rows))


def _review_filter(hidden: Q) -> Filter:
    """The filter by the current review; one that is hidden counts as none."""
    current = Review.objects.filter(judgement=OuterRef("pk"), replaced_by=None).exclude(hidden)
    return Filter(
        "decided",
        "Review decision",
        {
            "none": ("not reviewed", ~Q(Exists(current))),
            "uncounted": ("not counted", Q(Exists(current.filter(is_counted=False)))),
            "unpaid": ("not paid", Q(Exists(current.filter(is_paid=False)))),
        },
    )


def judgement_lines(
    batch: Batch, page: Iterable[Judgement], names: Names, reader: User
) -> list[JudgementLine]:
    scheme = schemes.get(batch.scheme)
    rows = list(page)
    others = review_overview.other_labels(batch, rows)
    current: dict[int, Any] = {
        review.judgement_id: review
        for review in Review.objects.filter(judgement__in=rows, replaced_by=None)
    }
    items = Item.objects.filter(pk__in=[each.assignment.item_id for each in rows])
    hidden = before_decision.without_reviews(reader, batch.study, items)
    return [
        JudgementLine(
            each,
            *names[each.assignment.annotator_id],
            label=scheme.words(each.response),
            others=others[each.pk],
            review=current.get(each.pk),
            is_review_hidden=each.assignment.item_id in hidden
            and not _is_own(current.get(each.pk), reader),
        )
        for each in rows
    ]


def _is_own(review: Review | None, reader: User) -> bool:
    return review is not None and review.reviewed_by_id == reader.pk
