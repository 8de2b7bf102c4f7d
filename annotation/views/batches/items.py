"""The items of a batch: what each shows, how far it is and how it ended.

For those who settle, so no run, score or reference is here, neither to be read nor to be sorted by; who
judged an item stands nowhere.
"""

from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation import schemes
from annotation.models import (
    Batch,
    BatchState,
    Item,
    ItemAnswer,
    SetAside,
    Source,
    Verdict,
)
from annotation.queries import adjudication_access
from annotation.queries.batch_progress import OutcomeKind
from annotation.schemes import Scheme
from pages.listing import Column, Filter, Listing

COLUMNS = (
    Column("place", "Question and answer", ("position",)),
    Column("judgements", "Judgements", ("n_counted",), is_number=True),
    Column("ending", "Verdict", ("verdict_state", "verdict_label", "verdict_reason")),
    Column("by", "By", ("verdict_source",)),
    Column("decided", "Decided", ("decided_at",)),
)
# What nobody may claim is not missing: an excluded item keeps its open places.
JUDGED = Filter(
    "judged",
    "Judgements",
    {
        "missing": ("some missing", Q(n_open__gt=0, is_excluded=False) | Q(n_claimed__gt=0)),
        "held": ("being judged now", Q(n_claimed__gt=0)),
        "none": ("none yet", Q(n_counted=0)),
    },
)
SOURCE = Filter(
    "by", "By", {source.value: (source.value, Q(verdict_source=source)) for source in Source}
)


@require_safe
@guards.study(Role.ADJUDICATOR, Role.REQUESTER)
def batch_items(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = get_object_or_404(Batch.objects.filter(study=study), pk=batch)
    listing = Listing(
        request,
        _items(found, adjudication_access.items_hidden_from(request.user, study)).order_by(
            "position"
        ),
        columns=COLUMNS,
        search=("answer_text", "turn__question", "turn__rewrite"),
        filters=(_endings(schemes.get(found.scheme)), JUDGED, SOURCE),
    )
    context = {"batch": found, "listing": listing, "is_draft": found.state == BatchState.DRAFT}
    return render(request, "annotation/batches/items.html", context)


def _items(batch: Batch, kept: QuerySet[Item]) -> QuerySet[Item]:
    """Each with its verdict's columns. Control items have none, and are not among them.

    Of what the reader is to settle a second time it is kept how it ended, and of what its answer led to,
    that there is such an item.
    """
    current = Verdict.objects.current().filter(item=OuterRef("pk"))
    current = current.exclude(item__in=kept.values("pk"))
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
        .exclude(pk__in=kept.exclude(came_from=None).values("pk"))
        .annotate(
            answer_text=Subquery(answers.values("candidate__text")[:1]),
            **{name: Subquery(current.values(column)[:1]) for name, column in columns.items()},
        )
    )


def _endings(scheme: Scheme) -> Filter:
    """The choices are named as an Ending's `key`: the batch's page leads here by them."""
    known = [
        *(OutcomeKind("decided", label, "") for label in scheme.labels),
        OutcomeKind("disputed", "", ""),
        *(OutcomeKind("set aside", "", reason.value) for reason in SetAside),
    ]
    choices: dict[str, tuple[str, Any]] = {
        each.key: (
            each.words,
            Q(
                verdict_state=each.state,
                verdict_label=each.label,
                verdict_reason=each.reason,
            ),
        )
        for each in known
    }
    choices["none"] = ("none yet", Q(verdict_state=None))
    return Filter("verdict", "Verdict", choices)
