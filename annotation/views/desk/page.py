"""The annotator's desk: one item a screen, judged with one key."""

import uuid
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from accounts.actions import consent
from accounts.guards import StudyRequest
from annotation import schemes
from annotation.actions import claims, first_parts, guideline_readings, judgements
from annotation.actions.claims import NothingToClaimError
from annotation.actions.judgements import AlreadySubmittedError, NotClaimedError
from annotation.forms.desk import FlagForm, SkipForm, SubmissionForm, form_of
from annotation.models import Assignment, AssignmentState, Batch, BatchState, Flag, Judgement
from annotation.queries import (
    annotator_progress,
    guideline_diff,
    recent_judgements,
    why_no_work,
)
from annotation.schemes import Scheme, payloads, sheet_layout
from annotation.schemes.base import Payload
from annotation.schemes.sheet import SheetScheme
from annotation.views.desk import guards as desk_guards
from annotation.views.desk import my_work

LATE = (
    "Saved, but it came late: your time with the item had run out, and meanwhile others took its places"
    " or the batch was closed. Your work is payable; it does not count in the result."
)


@require_GET
@desk_guards.batch
def desk(request: StudyRequest, batch: Batch) -> HttpResponse:
    """The item that the person holds, or the next one; the end page where there is none."""
    if consent.is_needed(request.user, batch.study):
        query = urlencode({"next": request.get_full_path()})
        return redirect(f"{reverse('consent', args=[batch.study.slug])}?{query}")
    if guideline_readings.is_due(batch, request.user):
        return _before_the_first_item(request, batch)
    held = _asked_for(request, batch) or _next(request, batch)
    return _screen(request, batch, held) if held else _end(request, batch)


def _before_the_first_item(request: StudyRequest, batch: Batch) -> HttpResponse:
    """The guidelines, unless there is nothing to judge by them."""
    ahead = annotator_progress.desk_progress(batch, request.user, timezone.now())
    if ahead.n_left and batch.state == BatchState.OPEN:
        return redirect("desk_guidelines", batch.study.slug, batch.pk)
    return _end(request, batch)


def _asked_for(request: StudyRequest, batch: Batch) -> Assignment | None:
    """The item that the address names: one that was taken back, say. None where it cannot be judged."""
    try:
        named = uuid.UUID(request.GET.get("item", ""))
    except ValueError:
        return None
    own = Assignment.objects.filter(
        item__batch=batch, annotator=request.user, state__in=judgements.JUDGEABLE
    )
    return own.select_related("item").filter(public_id=named).first()


def _next(request: StudyRequest, batch: Batch) -> Assignment | None:
    try:
        return next(iter(claims.claim(batch=batch, by=request.user)), None)
    except NothingToClaimError:
        return None


def _screen(
    request: StudyRequest, batch: Batch, assignment: Assignment, form: SubmissionForm | None = None
) -> HttpResponse:
    """An item with its form; with the form that was sent where that was incomplete, or was the first part."""
    scheme = schemes.get(batch.scheme)
    before = assignment.judgements.order_by("number").last()  # it was taken back
    said = recent_judgements.recent_judgements_of(batch, request.user)
    ahead = annotator_progress.desk_progress(batch, request.user, timezone.now())
    context = {
        **judged(
            assignment, batch, scheme, assignment.flags.prefetch_related("answers"), before, form
        ),
        "batch": batch,
        "assignment": assignment,
        "scheme": scheme,
        "state": state(batch, is_paused=ahead.is_paused),
        "standing": _standing(batch, is_paused=ahead.is_paused),
        "change": guideline_diff.change_since_reading(batch, request.user),
        "form": form or _blank(scheme, assignment, before),
        "skip_form": SkipForm(),
        "flag_form": FlagForm(),
        "before": before and scheme.own_words(before.response),
        "last": next(iter(said), None),
        "answers": recent_judgements.new_flag_answers(batch, request.user, said).exclude(
            flag__assignment=assignment
        ),
        "progress": ahead,
        "attempt": attempt(assignment, before),
    }
    status = HTTPStatus.BAD_REQUEST if form and not form.opens else HTTPStatus.OK
    return render(request, "annotation/desk/desk.html", context, status=status)


def state(batch: Batch, *, is_paused: bool) -> str:
    """The batch's state as it is for this person: "wait" where an open batch hands them nothing for now."""
    return "wait" if is_paused and batch.state == BatchState.OPEN else batch.state


def _standing(batch: Batch, *, is_paused: bool) -> str:
    """That state, or "over" once the deadline has passed. static/js/desk/batch.js says the same."""
    if batch.state != BatchState.CLOSED and annotator_progress.is_over(batch, timezone.now()):
        return "over"
    return state(batch, is_paused=is_paused)


def judged(
    assignment: Assignment,
    batch: Batch,
    scheme: Scheme,
    flags: Iterable[Flag] = (),
    before: Judgement | None = None,
    form: SubmissionForm | None = None,
) -> dict[str, Any]:
    """What _judged.html needs."""
    content = payloads.presented(
        assignment.item.payload, judgements.screen_order(assignment, batch)
    )
    if isinstance(scheme, SheetScheme):
        content = _with_questions(content, scheme, assignment, before, form)
    return {
        "payload": content,
        "screen": f"annotation/schemes/{scheme.name}.html",
        "flags": flags,
        "is_late": assignment.state == AssignmentState.EXPIRED,
    }


def _with_questions(
    content: Payload,
    scheme: SheetScheme,
    assignment: Assignment,
    before: Judgement | None,
    form: SubmissionForm | None,
) -> dict[str, Any]:
    """A sheet with what was said of it: what was sent just now, what was taken back, or what was kept of its first
    part; else with nothing.
    """
    kept = assignment.first_part
    said, tells_missing = before.response if before else kept or {}, False
    if form and not form.opens:
        said, tells_missing = form.response, form.is_incomplete
    return sheet_layout.on_screen(
        scheme, content, said, shows_all=kept is not None, tells_missing=tells_missing
    )


def attempt(assignment: Assignment, before: Judgement | None) -> str:
    """What the page keeps for itself belongs to this attempt at the item."""
    return f"{assignment.public_id}-{before.number if before else 0}"


def _blank(scheme: Scheme, assignment: Assignment, before: Judgement | None) -> SubmissionForm:
    """Without a choice, also where there was one before; with the comment of then."""
    return form_of(scheme)(
        scheme,
        assignment,
        initial={
            "client_id": uuid.uuid4().hex,
            "shown_at": timezone.now().isoformat(),
            "comment": before.comment if before else "",
        },
    )


def _end(request: StudyRequest, batch: Batch) -> HttpResponse:
    """Why there is nothing left, what was done, and what can be done next."""
    lines = my_work.lines(request.user)
    context = {
        "batch": batch,
        "left": why_no_work.why_no_work(batch, request.user, timezone.now()),
        "progress": next(line.progress for line in lines if line.batch == batch),
        "active_seconds": annotator_progress.active_seconds(batch, request.user),
        "elsewhere": [line for line in lines if line.is_ready and line.batch != batch],
    }
    return render(request, "annotation/desk/end.html", context)


@require_http_methods(["GET", "POST"])
@desk_guards.assignment
def submit(request: StudyRequest, batch: Batch, assignment: Assignment) -> HttpResponse:
    """Store the judgement and go on to the next item. Called up by GET, it leads back to the desk."""
    if request.method == "GET":
        return redirect("desk", batch.study.slug, batch.pk)
    scheme = schemes.get(batch.scheme)
    form = form_of(scheme)(scheme, assignment, request.POST)
    if not form.is_valid():
        return _incomplete(request, batch, assignment, form)
    if form.opens:
        return _opened(request, batch, assignment, form)
    said = judgements.with_plausible_times(form.submission(), assignment, timezone.now())
    try:
        stored = judgements.submit(assignment=assignment, submission=said, by=request.user)
    except AlreadySubmittedError as refused:
        return _already(request, batch, refused.judgement)
    except NotClaimedError:
        return desk_guards.problem(request, batch, "skipped", HTTPStatus.CONFLICT)
    if hasattr(stored, "withdrawal"):
        return _taken_back(request, batch, assignment)
    if stored.response != said.response:  # the same page sent twice, with another choice
        return _already(request, batch, stored)
    if stored.is_surplus:
        messages.warning(request, LATE)
    return redirect("desk", batch.study.slug, batch.pk)


def _incomplete(
    request: StudyRequest, batch: Batch, assignment: Assignment, form: SubmissionForm
) -> HttpResponse:
    if assignment.state not in judgements.JUDGEABLE:
        return redirect("desk", batch.study.slug, batch.pk)
    if not {"client_id", "shown_at", "active_seconds"}.isdisjoint(form.errors):
        messages.error(request, "The form was not whole, and nothing was saved. Choose once more.")
        return redirect("desk", batch.study.slug, batch.pk)
    return _screen(request, batch, assignment, form)


def _opened(
    request: StudyRequest, batch: Batch, assignment: Assignment, form: SubmissionForm
) -> HttpResponse:
    """The same item with all it has; its form with the comment that was begun."""
    try:
        kept = first_parts.show_the_rest(assignment=assignment, response=form.said, by=request.user)
    except NotClaimedError:
        stands = assignment.judgements.not_withdrawn().first()
        if stands is not None:
            return _already(request, batch, stands)
        return desk_guards.problem(request, batch, "skipped", HTTPStatus.CONFLICT)
    return _screen(request, batch, kept, form)


def _already(request: StudyRequest, batch: Batch, stored: Judgement) -> HttpResponse:
    """Another judgement stands: which one, and how to change it."""
    said = [
        each
        for each in recent_judgements.recent_judgements_of(batch, request.user)
        if each.judgement == stored
    ]
    scheme = schemes.get(batch.scheme)
    return desk_guards.problem(
        request,
        batch,
        "already",
        HTTPStatus.CONFLICT,
        said=scheme.own_words(stored.response),
        assignment=stored.assignment,
        can_change=bool(said) and not said[0].fixed,
    )


def _taken_back(request: StudyRequest, batch: Batch, assignment: Assignment) -> HttpResponse:
    """A page from before the judgement was taken back was sent once more."""
    messages.warning(request, "You took this judgement back. Choose anew: nothing is saved yet.")
    return redirect(to_item(batch, assignment))


def to_item(batch: Batch, assignment: Assignment) -> str:
    """The address of the desk with this very item on it."""
    query = urlencode({"item": assignment.public_id})
    return f"{reverse('desk', args=[batch.study.slug, batch.pk])}?{query}"
