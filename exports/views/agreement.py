"""How much the annotators of a batch agree, computed in the background and kept with its basis."""

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from activity.actions import jobs
from activity.actions.jobs import JobStateError
from activity.models import JobState
from activity.waking import leave
from annotation.models import Judgement

KIND = "agreement"

requester = guards.study(Role.REQUESTER)


@require_safe
@vary_on_headers("HX-Request")
@requester
def batch_agreement(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """The newest figures, what they rest on, and whether something came in since. For htmx a part."""
    found = get_object_or_404(study.batches, pk=batch)
    own = study.jobs.filter(kind=KIND, key=found.name)
    computed = own.filter(state=JobState.DONE).order_by("-finished_at", "-pk").first()
    said = Judgement.objects.counted().filter(assignment__item__batch=found)
    n_now = said.filter(assignment__item__n_wanted__isnull=False).count()
    context = {
        "batch": found,
        "computed": computed,
        "unfinished": own.unfinished().first(),
        "figures": computed.result["agreement"] if computed else {},
        "n_then": computed.result["n_judgements"]["counted"] if computed else 0,
        "n_now": n_now,
    }
    is_fragment = bool(request.headers.get("HX-Request"))
    template = "exports/_agreement.html" if is_fragment else "exports/agreement.html"
    return render(request, template, context)


@require_POST
@requester
def batch_agreement_start(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    found = get_object_or_404(study.batches, pk=batch)
    here = redirect("batch_agreement", study=study.slug, batch=found.pk)
    if not found.items.exists():
        messages.error(request, "A draft has no items to agree on: open it first.")
        return here
    try:
        job = jobs.start(
            study=study, kind=KIND, key=found.name, params={"batch": found.pk}, by=request.user
        )
    except JobStateError as error:
        messages.error(request, f"{str(error)[:1].upper()}{str(error)[1:]}.")
        return here
    return leave(request, job)
