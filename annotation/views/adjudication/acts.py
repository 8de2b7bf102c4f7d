"""Decisions on the page of an item: adjudicate, retract, exclude, readmit, ask again, notes and marks."""

from functools import wraps
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from accounts import guards
from accounts.guards import StudyRequest, View
from accounts.models import Role, Study
from annotation import schemes
from annotation.actions import guideline_marks, notes, retractions, reviews, verdicts
from annotation.forms import adjudication as adjudication_forms
from annotation.models import Batch, Item
from annotation.queries import guideline_issues, written_pairs
from annotation.review_decisions import ReviewError
from annotation.views.adjudication import kept_reasons, pairs
from annotation.views.adjudication.double_adjudication import redirect_to_second_look
from annotation.views.adjudication.item_page import (
    LAST_SETTLED,
    adjudication_form,
    item_of,
    item_page,
    organiser,
    posted_number,
    redirect_to_next_dispute,
    settled_label,
)


def item_form(view: View) -> View:
    """The view of a form on the item's page. GET redirects to the item: a refused form is shown at its own address,
    which may be reloaded.
    """

    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def guarded(request: HttpRequest, study: str, item: UUID) -> HttpResponseBase:
        if request.method != "POST":
            return redirect("item", study=study, item=item)
        return view(request, study=study, item=item)

    return guarded


@item_form
@guards.study(Role.ADJUDICATOR)
@redirect_to_second_look
def adjudicate(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    """Settle the item with a label and redirect to the next dispute. With `drop` in the form, keep no reason more.

    Of a second round of written answers: decide which one stands, and redirect to the next of its batch.
    """
    found, seen = item_of(study, item), posted_number(request, "seen")
    if written_pairs.has_pairs(found.batch):
        return pairs.decide(request, found, seen)
    if "drop" in request.POST:
        kept_reasons.drop(request)
        return redirect("item", study=study.slug, item=item)
    changes = _changed_label(found, seen)
    form = adjudication_form(found, request.POST, changes=changes)
    if form.is_valid() and _save(form, reviews.adjudicate, item=found, by=request.user, seen=seen):
        label, reason = form.cleaned_data["label"], form.cleaned_data["reason"]
        messages.success(request, f"Settled as {label}.")
        if "keep" in request.POST and not changes:
            kept_reasons.keep(request, found, label, reason)
        else:
            kept_reasons.extend(request, found)
        request.session[LAST_SETTLED] = str(found.public_id)
        return redirect_to_next_dispute(request, study)
    return item_page(request, found, adjudicate=form)


def _changed_label(item: Item, seen: int | None) -> str:
    """The label that the item is settled as, if that is the verdict that the person saw; else "".

    Who saw another verdict is told so by the action, or sends the same decision twice.
    """
    verdict = verdicts.current_verdict(item)
    if verdict is None or seen not in (None, verdict.pk):
        return ""
    return settled_label(verdict)


@item_form
@organiser
@redirect_to_second_look
def exclude(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    found = item_of(study, item)
    form = adjudication_forms.ReasonForm(request.POST, prefix="exclude")
    arguments = {"item": found, "by": request.user, "seen": posted_number(request, "seen")}
    if form.is_valid() and _save(form, reviews.exclude, **arguments):
        messages.success(request, "Excluded: the item has no verdict and counts nowhere.")
        return redirect_to_next_dispute(request, study)
    return item_page(request, found, exclude=form)


@item_form
@organiser
@redirect_to_second_look
def readmit(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    found = item_of(study, item)
    form = adjudication_forms.ReasonForm(request.POST, prefix="readmit")
    if form.is_valid() and _save(form, reviews.readmit, item=found, by=request.user):
        messages.success(request, f"Included again. {_verdict_of_readmitted(found)}")
        return redirect("item", study=study.slug, item=item)
    return item_page(request, found, readmit=form)


def _verdict_of_readmitted(item: Item) -> str:
    verdict = item.verdicts.get(replaced_by=None)
    if verdict.label:
        return f"It is settled as {verdict.label}, as it was adjudicated."
    return "Settle the batch again to give it a verdict."


@item_form
@organiser
@redirect_to_second_look
def note(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    found, form = item_of(study, item), adjudication_forms.NoteForm(request.POST, prefix="note")
    if form.is_valid() and _save(form, notes.note, item=found, by=request.user):
        messages.success(request, "Noted.")
        return redirect("item", study=study.slug, item=item)
    return item_page(request, found, note=form)


@require_POST
@guards.study(Role.REQUESTER)
def ask_again(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    """Open one more place on the item; a closed batch opens again for it."""
    found = item_of(study, item)
    try:
        n_asked = posted_number(request, "n_asked")
        reviews.ask_again(item=found, by=request.user, n_asked=n_asked)
    except ReviewError as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        _report_extra_judgement(request, Batch.objects.get(pk=found.batch_id))
    return redirect("item", study=study.slug, item=item)


def _report_extra_judgement(request: StudyRequest, batch: Batch) -> None:
    messages.success(
        request, f"One more judgement is asked for; the batch “{batch.name}” is {batch.state}."
    )
    if batch.deadline_at is not None and batch.deadline_at <= timezone.now():
        messages.warning(
            request, "Its deadline has passed: the item is not assigned until you set a later one."
        )


def _save(form: forms.Form, action: Any, **options: Any) -> bool:
    """Call the action with the form's values. False if it refuses, with the error added to the form."""
    try:
        action(**options, **form.cleaned_data)
    except ReviewError as error:
        form.add_error(None, f"Nothing was changed: {error}.")
        return False
    return True


@item_form
@guards.study(Role.ADJUDICATOR)
@redirect_to_second_look
def retract(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    found, seen = item_of(study, item), posted_number(request, "seen")
    if written_pairs.has_pairs(found.batch):
        return pairs.retract(request, found, seen)
    try:
        # Without the field the form means no verdict: 0 matches none.
        verdict = retractions.retract(item=found, by=request.user, seen=seen or 0)
    except ReviewError as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        request.session.pop(LAST_SETTLED, None)
        now = f"settled as {verdict.label}" if verdict.label else "as it was before"
        messages.success(request, f"Undone: the item is {now}.")
    return redirect("item", study=study.slug, item=item)


@item_form
@organiser
@redirect_to_second_look
def mark_unclear(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    """Mark a section as unclear; with `undo`, take the mark back."""
    found = item_of(study, item)
    schemes.settled_scheme(found.batch.scheme)
    sections = guideline_issues.sections(found.batch.guideline.text)
    form = adjudication_forms.UnclearSectionForm(sections, request.POST)
    if not form.is_valid():
        return item_page(request, found, unclear=form)
    section, is_unclear = form.cleaned_data["section"], "undo" not in request.POST
    guideline_marks.mark_unclear(
        item=found, section=section, by=request.user, is_unclear=is_unclear
    )
    done = "Marked" if is_unclear else "Undone"
    messages.success(request, f"{done}: {section or guideline_issues.WHOLE} is unclear here.")
    return redirect("item", study=study.slug, item=item)
