"""The page of disputes."""

from collections.abc import Iterable
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation import schemes
from annotation.models import Batch, UnclearMark
from annotation.queries import (
    adjudication_access,
    before_decision,
    dispute_queue,
    written_pairs,
)
from annotation.views.adjudication.item_page import (
    has_no_adjudicator,
    last_settled,
    organiser,
)

PER_PAGE = 25


@require_safe
@organiser
def disputes(request: StudyRequest, study: Study) -> HttpResponse:
    """The items in dispute, most disputed first."""
    queue = dispute_queue.dispute_queue(study, request.user)
    batches = study.batches.filter(pk__in={entry.batch for entry in queue}).order_by("name")
    chosen = request.GET.get("batch", "")
    entries = [entry for entry in queue if chosen in ("", str(entry.batch))]
    page = Paginator(entries, PER_PAGE).get_page(request.GET.get("page"))
    disputed = dispute_queue.disputed_items(list(page), request.user)
    context = {
        "page": page,
        "address": "?" + urlencode({"batch": chosen, "page": ""}),
        "disputes": disputed,
        "payloads": {each.item.pk: each.item.payload for each in disputed},
        "batches": batches,
        "chosen": chosen,
        "batches_to_ask": _batches_to_ask(request, batches),
        "n_all": len(queue),
        "progress": dispute_queue.dispute_progress(study),
        "has_no_adjudicator": has_no_adjudicator(request),
        "last": last_settled(request),
        "n_second_looks": _n_second_looks(request),
        "set_aside": dispute_queue.set_aside_counts(study, request.user),
        "unclear_guidelines": _unclear_guidelines(study),
        "auditing": [study.pk],
        "differing": written_pairs.with_changes(written_pairs.second_rounds(study)),
        "hides_votes": Role.ADJUDICATOR in request.roles
        and before_decision.hides_votes(request.user),
    }
    return render(request, "annotation/adjudication/disputes.html", context)


def _batches_to_ask(request: StudyRequest, batches: Iterable[Batch]) -> list[Batch]:
    """The batches for which a requester may ask for more judgements."""
    if Role.REQUESTER not in request.roles:
        return []
    return [
        each
        for each in batches
        if not each.is_rehearsal and schemes.get(each.scheme).has_fixed_labels
    ]


def _n_second_looks(request: StudyRequest) -> int:
    """The number of items that this adjudicator is to settle a second time."""
    if Role.ADJUDICATOR not in request.roles:
        return 0
    return adjudication_access.requests_open_for(
        request.user, first__item__batch__study=request.study
    ).count()


def _unclear_guidelines(study: Study) -> list[tuple[Batch, int]]:
    """The batches with marks of an unclear guideline, and the numbers of marks."""
    marks = UnclearMark.objects.filter(
        item__batch__study=study, replaced_by=None, is_unclear=True
    ).order_by()
    n = dict(marks.values_list("item__batch").annotate(n=Count("pk")))
    return [(batch, n[batch.pk]) for batch in study.batches.filter(pk__in=n).order_by("name")]
