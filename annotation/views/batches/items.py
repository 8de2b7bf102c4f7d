"""The items of a batch, with their judgements and verdicts.

The page is for organisers, so it neither shows nor sorts by runs, scores or references, and names no annotator.
"""

from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation import schemes
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Item,
    ItemAnswer,
    SetAside,
    Source,
    Verdict,
    VerdictState,
)
from annotation.queries import adjudication_access
from annotation.queries.batch_progress import OutcomeKind
from pages.listing import Column, Filter, Listing

COLUMNS = (
    Column("place", "Question and answer", ("position",)),
    Column("judgements", "Judgements", ("n_counted",), is_number=True),
    Column("ending", "Verdict", ("verdict_state", "verdict_label", "verdict_reason")),
    Column("by", "By", ("verdict_source",)),
    Column("decided", "Decided", ("decided_at",)),
)
SKIPPED = Assignment.objects.filter(item=OuterRef("pk"), state=AssignmentState.SKIPPED)
# An excluded item keeps its open places, but nobody may claim them: they are not missing.
MISSING = (Q(n_open__gt=0) | Q(n_reserved__gt=0)) & Q(is_excluded=False) | Q(n_claimed__gt=0)
JUDGED = Filter(
    "judged",
    "Judgements",
    {
        "missing": ("some missing", MISSING),
        "reserved": ("reserved for somebody", Q(n_reserved__gt=0)),
        "held": ("assigned now", Q(n_claimed__gt=0)),
        "none": ("none yet", Q(n_counted=0)),
        "skipped": ("skipped by somebody", Q(Exists(SKIPPED))),
    },
)
SOURCE = Filter(
    "by", "By", {source.value: (source.value, Q(verdict_source=source)) for source in Source}
)


@require_safe
@guards.study(Role.ADJUDICATOR, Role.REQUESTER)
def batch_items(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = get_object_or_404(Batch.objects.filter(study=study), pk=batch)
    hidden = adjudication_access.items_hidden_from(request.user, study)
    if not hidden.exists():
        hidden = hidden.none()  # so that nothing is looked for in it for each item
    listing = Listing(
        request,
        _items(found, hidden).order_by("position"),
        columns=COLUMNS,
        search=("answer_text", "turn__question", "turn__rewrite"),
        filters=(_outcome_filter(found, hidden), JUDGED, SOURCE),
    )
    context = {
        "batch": found,
        "listing": listing,
        "skips": _skips(list(listing.page)),
        "is_draft": found.state == BatchState.DRAFT,
    }
    return render(request, "annotation/batches/items.html", context)


def _skips(items: Sequence[Item]) -> dict[int, list[str]]:
    """The reasons of those who skipped each of these items, by its primary key; "" without one."""
    found: dict[int, list[str]] = {item.pk: [] for item in items}
    rows = Assignment.objects.filter(item__in=items, state=AssignmentState.SKIPPED).order_by("pk")
    for each in rows:
        found[each.item_id].append(each.skip_because)
    return found


def _items(batch: Batch, hidden: QuerySet[Item]) -> QuerySet[Item]:
    """The items with columns of their verdicts, without control items.

    Hidden items that came from another item are left out; of the others the verdict is hidden.
    """
    current = Verdict.objects.current().filter(item=OuterRef("pk"))
    current = current.exclude(item__in=hidden.values("pk"))
    columns = {
        "verdict_state": "state",
        "verdict_label": "label",
        "verdict_reason": "set_aside_reason",
        "verdict_source": "source",
        "decided_at": "decided_at",
    }
    answers = ItemAnswer.objects.filter(item=OuterRef("pk")).order_by("number")
    return (
        Item.objects.real()
        .filter(batch=batch)
        .exclude(pk__in=hidden.exclude(came_from=None).values("pk"))
        .annotate(
            answer_text=Subquery(answers.values("candidate__text")[:1]),
            **{name: Subquery(current.values(column)[:1]) for name, column in columns.items()},
        )
    )


def _outcome_filter(batch: Batch, hidden: QuerySet[Item]) -> Filter:
    """The filter by outcome; its values are those of OutcomeKind.key, which the batch's page links to.

    The verdicts are looked through once, and not for each item by the columns that the list shows.
    """
    shown = Verdict.objects.current().filter(item__batch=batch)
    shown = shown.exclude(item__in=hidden.values("pk")).order_by()
    kinds = [
        *(OutcomeKind("decided", label, "") for label in schemes.get(batch.scheme).labels),
        OutcomeKind("disputed", "", ""),
        *(OutcomeKind("set aside", "", reason.value) for reason in SetAside),
    ]
    choices: dict[str, tuple[str, Any]] = {
        each.key: (
            each.words,
            Q(
                pk__in=shown.filter(
                    state=each.state, label=each.label, set_aside_reason=each.reason
                ).values("item")
            ),
        )
        for each in kinds
    }
    aside = VerdictState.SET_ASIDE
    choices[aside.value] = ("set aside", Q(pk__in=shown.filter(state=aside).values("item")))
    choices["none"] = ("none yet", ~Q(pk__in=shown.values("item")))
    return Filter("verdict", "Verdict", choices)
