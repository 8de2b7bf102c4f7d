"""What an adjudicator asks to be shown, the runs of a batch, or not to be shown, what annotators said."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.actions import adjudicator_preferences, answer_sources
from annotation.models import Item
from annotation.review_decisions import ReviewError


@require_POST
@guards.study(Role.ADJUDICATOR)
def batch_sources(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """Show the adjudicator the runs, scores and references of the batch from now on."""
    found = get_object_or_404(study.batches.select_related("study"), pk=batch)
    try:
        answer_sources.show(batch=found, by=request.user)
    except ReviewError as error:
        messages.error(request, f"Nothing was changed: {error}.")
    return _back(request, study)


@require_POST
@guards.study(Role.ADJUDICATOR)
def votes_preference(request: StudyRequest, study: Study) -> HttpResponse:
    """Hide what annotators said before a decision, or show it."""
    adjudicator_preferences.hide_votes(hides="hides" in request.POST, by=request.user)
    return _back(request, study)


def _back(request: StudyRequest, study: Study) -> HttpResponse:
    """Redirect to the item that the form was sent from, else to the disputes."""
    try:
        public_id = UUID(request.POST.get("item", ""))
    except ValueError:
        return redirect("disputes", study=study.slug)
    item = get_object_or_404(Item, batch__study=study, public_id=public_id)
    return redirect("item", study=study.slug, item=item.public_id)
