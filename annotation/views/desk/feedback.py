"""How a person's labels in a batch agree with the final ones."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.guards import StudyRequest
from annotation import schemes
from annotation.models import Batch
from annotation.queries import feedback as queries
from annotation.views.desk import guards as desk_guards


@require_GET
@desk_guards.batch
def feedback(request: StudyRequest, batch: Batch) -> HttpResponse:
    """404 where the organisers do not allow it, or the batch is not settled."""
    if not queries.is_given(batch):
        raise Http404
    scheme = schemes.get(batch.scheme)
    context = {
        "batch": batch,
        "feedback": queries.feedback_for(batch, request.user) if scheme.has_fixed_labels else None,
        "flags": queries.flag_outcomes(batch, request.user),
    }
    return render(request, "annotation/desk/feedback.html", context)
