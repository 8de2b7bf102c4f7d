"""The page of agreement in all batches of a study."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import BatchState
from exports.agreement.stored_figures import figures_of_batches
from jobs.actions import jobs
from jobs.actions.jobs import JobStateError
from jobs.shortcuts import BY_ITSELF, hand_to_worker, start_by_itself
from pages.words import sentence
from stats.agreement.registry import OF_EVERY_QUESTION

PER_PAGE = 20

requester = guards.study(Role.REQUESTER)


@require_safe
@vary_on_headers("HX-Request")
@requester
def study_agreement(request: StudyRequest, study: Study) -> HttpResponse:
    """The main figures of each batch, grouped by what it asks, the newest batch first.

    For htmx on this page, reload it once nothing of it is being computed.
    """
    launched = study.batches.counting().exclude(state=BatchState.DRAFT).select_related("study")
    batches = launched.order_by("scheme", "-created_at", "-pk")
    page = Paginator(batches, PER_PAGE).get_page(request.GET.get("page"))
    rows = figures_of_batches(study, list(page))
    n_unfinished = sum(row.unfinished is not None for row in rows)
    if request.headers.get("HX-Request") and request.GET.get("part") == "progress":
        return HttpResponse(headers={} if n_unfinished else {"HX-Refresh": "true"})
    context = {
        "page": page,
        "rows": rows,
        "coefficients": OF_EVERY_QUESTION,
        "n_due": sum(row.is_due for row in rows),
        "n_unfinished": n_unfinished,
        "starts_itself": any(row.starts_itself for row in rows),
    }
    return render(request, "exports/agreement/study.html", context)


@require_POST
@requester
def study_agreement_start(request: StudyRequest, study: Study) -> HttpResponseBase:
    """Start a job for each batch whose figures are missing or out of date.

    For the page, which asks by itself when it is opened, only for those that start themselves.
    """
    launched = study.batches.counting().exclude(state=BatchState.DRAFT).select_related("study")
    n_started = 0
    for row in figures_of_batches(study, list(launched)):
        if BY_ITSELF in request.POST:
            n_started += start_by_itself(request, row)
            continue
        if not row.is_due:
            continue
        try:
            job = jobs.start(
                study=study, kind=row.kind, key=row.key, params=row.params, by=request.user
            )
        except JobStateError as error:
            messages.error(request, sentence(error))
            continue
        hand_to_worker(request, job)
        n_started += 1
    if not n_started:
        messages.info(request, "All figures are up to date or being computed.")
    return redirect("study_agreement", study=study.slug)
