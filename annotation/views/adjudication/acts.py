"""More that is done on an item's page: a judgement marked as correct, a settlement taken back, an unclear mark."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation import schemes
from annotation.actions import guideline_marks, retractions, reviews
from annotation.forms import adjudication as adjudication_forms
from annotation.models import Judgement
from annotation.queries import guideline_issues
from annotation.review_decisions import ReviewError
from annotation.views.adjudication.double_adjudication import first_look
from annotation.views.adjudication.pages import (
    LAST_SETTLED,
    count,
    decision,
    item_of,
    on_to_the_next,
    page,
    settles,
)


@decision
@guards.study(Role.ADJUDICATOR)
@first_look
def mark_correct(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    """Settle the item as one of its judgements says, then go on to the next in the queue."""
    found = item_of(study, item)
    said = request.POST.get("assignment", "")
    own = Judgement.objects.not_withdrawn().filter(assignment__item=found)
    by_id = {str(each.assignment.public_id): each for each in own.select_related("assignment")}
    if said not in by_id:
        messages.error(request, "Nothing was changed: the judgement is not there any more.")
        return redirect("item", study=study.slug, item=item)
    judgement = by_id[said]
    judgement.assignment.item = found
    try:
        verdict = reviews.mark_correct(
            judgement=judgement, by=request.user, seen=count(request, "seen")
        )
    except ReviewError as error:
        messages.error(request, f"Nothing was changed: {error}.")
        return redirect("item", study=study.slug, item=item)
    request.session[LAST_SETTLED] = str(found.public_id)
    messages.success(request, f"Settled as {verdict.label}: marked correct.")
    return on_to_the_next(request, study)


@decision
@guards.study(Role.ADJUDICATOR)
@first_look
def retract(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    found, seen = item_of(study, item), count(request, "seen")
    try:
        # A form always says which verdict it means; without one, none is meant.
        verdict = retractions.retract(item=found, by=request.user, seen=seen or 0)
    except ReviewError as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        request.session.pop(LAST_SETTLED, None)
        now = f"settled as {verdict.label}" if verdict.label else "as it was before"
        messages.success(request, f"Taken back: the item is {now}.")
    return redirect("item", study=study.slug, item=item)


@decision
@settles
@first_look
def mark_unclear(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    """Mark a section as unclear, or (`undo`) take the mark back."""
    found = item_of(study, item)
    schemes.deciding(found.batch.scheme)
    sections = guideline_issues.sections(found.batch.guideline.text)
    form = adjudication_forms.Unclear(sections, request.POST)
    if not form.is_valid():
        return page(request, found, unclear=form)
    section, is_unclear = form.cleaned_data["section"], "undo" not in request.POST
    guideline_marks.mark_unclear(
        item=found, section=section, by=request.user, is_unclear=is_unclear
    )
    done = "Marked" if is_unclear else "Taken back"
    messages.success(request, f"{done}: {section or guideline_issues.WHOLE} is unclear here.")
    return redirect("item", study=study.slug, item=item)
