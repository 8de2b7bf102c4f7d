"""The annotator's desk: one item a screen, judged with one key."""

import uuid
from http import HTTPStatus
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_http_methods

from accounts.actions import consent
from accounts.guards import StudyRequest
from annotation import schemes
from annotation.actions import claims, first_parts, guideline_readings, judgements
from annotation.actions import training as training_acts
from annotation.actions.claims import NothingToClaimError
from annotation.actions.judgements import AlreadySubmittedError, NotClaimedError
from annotation.forms.desk import FlagForm, SkipForm, SubmissionForm, form_class
from annotation.models import Assignment, Batch, BatchState, Flag, Judgement
from annotation.queries import (
    annotator_progress,
    checks,
    guideline_diff,
    question_places,
    recent_judgements,
    why_no_work,
)
from annotation.queries.notices import notices_for
from annotation.schemes import Scheme
from annotation.views.desk import contents, my_work, offline, training
from annotation.views.desk import guards as desk_guards
from performance.compiled_queries import Compiled

LATE = (
    "Saved after the time limit, when others had judged the item or the batch was closed. It is payable as usual;"
    " it is not used in the results."
)
# The newest first.
JUDGEMENTS = Compiled(
    lambda *, assignment: Judgement.objects.filter(assignment=assignment).order_by("-number")
)
FLAGS = Compiled(lambda *, assignment: Flag.objects.filter(assignment=assignment))


@require_GET
@gzip_page  # its tokens are masked anew for each reply, and Django varies the length
@desk_guards.batch
def desk(request: StudyRequest, batch: Batch) -> HttpResponse:
    """The page of the item that the person holds, or of the next one; the end page if there is none."""
    if consent.is_needed(request.user, batch.study):
        query = urlencode({"next": request.get_full_path()})
        return redirect(f"{reverse('consent', args=[batch.study.slug])}?{query}")
    if guideline_readings.is_due(batch, request.user):
        return _redirect_before_work(request, batch, "desk_guidelines")
    if checks.is_due(batch, request.user):
        return _redirect_before_work(request, batch, "desk_check")
    if (told := training.expectation_page(request, batch)) is not None:
        return told
    assignment = _named_assignment(request, batch) or _next_assignment(request, batch)
    return _item_page(request, batch, assignment) if assignment else _end_page(request, batch)


def _redirect_before_work(request: StudyRequest, batch: Batch, page: str) -> HttpResponse:
    """Redirect to the guidelines, or to the questions on them; the end page if there is nothing to judge."""
    ahead = annotator_progress.desk_progress(batch, request.user, timezone.now())
    own = Assignment.objects.claimed().filter(item__batch=batch, annotator=request.user)
    if (ahead.n_left and batch.state == BatchState.OPEN) or own.exists():
        return redirect(page, batch.study.slug, batch.pk)
    return _end_page(request, batch)


def _named_assignment(request: StudyRequest, batch: Batch) -> Assignment | None:
    """The assignment in the query string, for example one taken back; None if it cannot be judged."""
    try:
        named = uuid.UUID(request.GET.get("item", ""))
    except ValueError:
        return None
    own = Assignment.objects.filter(
        item__batch=batch, annotator=request.user, state__in=judgements.JUDGEABLE
    )
    return own.select_related("item").filter(public_id=named).first()


def _next_assignment(request: StudyRequest, batch: Batch) -> Assignment | None:
    try:
        held = claims.claim(batch=batch, by=request.user, roles=request.roles)
    except NothingToClaimError:
        return None
    return next(iter(held), None)


def _item_page(
    request: StudyRequest, batch: Batch, assignment: Assignment, form: SubmissionForm | None = None
) -> HttpResponse:
    """The page of an item with its form: a blank one, or `form` if it is incomplete or a first part."""
    scheme = schemes.get(batch.scheme)
    before = JUDGEMENTS.first(assignment=assignment.pk)  # it was taken back
    recent = recent_judgements.recent_judgements_of(batch, request.user)
    last = next(iter(recent), None)
    ahead = annotator_progress.desk_progress(batch, request.user, timezone.now())
    places = question_places.question_places(batch, [assignment.item])
    context = {
        **contents.item_context(assignment, batch, scheme, _flags(assignment), before, form),
        "place": places.get(assignment.item_id, ""),
        "batch": batch,
        "assignment": assignment,
        "scheme": scheme,
        "state": state(batch, is_paused=ahead.is_paused),
        "shown_state": _shown_state(batch, is_paused=ahead.is_paused),
        "change": guideline_diff.change_since_reading(batch, request.user),
        "form": form or _blank_form(scheme, assignment, before),
        "skip_form": SkipForm(batch.skip_reasons),
        "flag_form": FlagForm(),
        "before": before and scheme.own_words(before.response),
        "last": last,
        "recent": recent,
        "undone": [
            each
            for each in recent_judgements.undone_items_of(batch, request.user)
            if each.assignment.pk != assignment.pk
        ],
        "copy_name": offline.copy_name(),
        "answers": [
            each
            for each in recent_judgements.new_flag_answers(batch, request.user, last)
            if each.flag.assignment_id != assignment.pk
        ],
        "progress": ahead,
        "notices": notices_for([batch], request.user),
        "attempt": attempt(assignment, before),
    }
    status = HTTPStatus.BAD_REQUEST if form and not form.is_first_part else HTTPStatus.OK
    page = render(request, "annotation/desk/desk.html", context, status=status)
    return offline.may_be_kept(page, request.user)


def _flags(assignment: Assignment) -> list[Flag]:
    """The person's flags of the item, with their answers."""
    flags = FLAGS.all(assignment=assignment.pk)
    prefetch_related_objects(flags, "answers")
    return flags


def state(batch: Batch, *, is_paused: bool) -> str:
    """The batch's state for this person: "withdrawn", "left" if they were taken off it, or "wait" if they are
    paused in an open batch.
    """
    if batch.is_withdrawn:
        return "withdrawn"
    if not batch.is_admitted:
        return "left"
    return "wait" if is_paused and batch.state == BatchState.OPEN else batch.state


def _shown_state(batch: Batch, *, is_paused: bool) -> str:
    """The state of state(), or "over" after the deadline, as in static/js/desk/batch.js."""
    if batch.state != BatchState.CLOSED and annotator_progress.is_over(batch, timezone.now()):
        return "over"
    return state(batch, is_paused=is_paused)


def attempt(assignment: Assignment, before: Judgement | None) -> str:
    """The id of this attempt at the item, by which the browser stores unsent input."""
    return f"{assignment.public_id}-{before.number if before else 0}"


def _blank_form(scheme: Scheme, assignment: Assignment, before: Judgement | None) -> SubmissionForm:
    """A form without a response, with the comment of the judgement that was taken back."""
    return form_class(scheme)(
        scheme,
        assignment,
        initial={
            "client_id": uuid.uuid4().hex,
            "shown_at": timezone.now().isoformat(),
            "comment": before.comment if before else "",
        },
    )


def _end_page(request: StudyRequest, batch: Batch) -> HttpResponse:
    """The page without an item: why nothing is left, what the person did, and other batches."""
    lines = my_work.batch_lines(request.user)
    if batch not in {line.batch for line in lines}:  # they were taken off it in this moment
        return desk_guards.problem(request, batch, "left", HTTPStatus.FORBIDDEN)
    training_acts.conclude(batch=batch, by=request.user)
    context = {
        "batch": batch,
        "left": why_no_work.why_no_work(batch, request.user, timezone.now()),
        "progress": next(line.progress for line in lines if line.batch == batch),
        "active_seconds": annotator_progress.active_seconds(batch, request.user),
        "elsewhere": [line for line in lines if line.is_ready and line.batch != batch],
        "notices": notices_for([batch], request.user),
        **training.end_context(request, batch),
    }
    return render(request, "annotation/desk/end.html", context)


@require_http_methods(["GET", "POST"])
@desk_guards.assignment_of_own_work
def submit(request: StudyRequest, batch: Batch, assignment: Assignment) -> HttpResponse:
    """Store the judgement and redirect to the next item. GET redirects to the desk."""
    if request.method == "GET":
        return redirect("desk", batch.study.slug, batch.pk)
    scheme = schemes.get(batch.scheme)
    form = form_class(scheme)(scheme, assignment, request.POST)
    if not form.is_valid():
        return _incomplete_page(request, batch, assignment, form)
    if form.is_first_part:
        if not batch.is_admitted:
            return desk_guards.problem(request, batch, "left", HTTPStatus.FORBIDDEN)
        return _show_the_rest(request, batch, assignment, form)
    submission = judgements.with_plausible_times(form.submission(), assignment, timezone.now())
    try:
        stored = judgements.submit(assignment=assignment, submission=submission, by=request.user)
    except AlreadySubmittedError as error:
        return _already_judged_page(request, batch, error.judgement)
    except NotClaimedError:
        return desk_guards.problem(request, batch, "skipped", HTTPStatus.CONFLICT)
    if hasattr(stored, "withdrawal"):
        return _redirect_after_withdrawal(request, batch, assignment)
    if stored.response != submission.response:  # the same page sent twice, with another choice
        return _already_judged_page(request, batch, stored)
    if stored.is_surplus:
        messages.warning(request, LATE)
    return training.redirect_after(request, batch, assignment)


def _incomplete_page(
    request: StudyRequest, batch: Batch, assignment: Assignment, form: SubmissionForm
) -> HttpResponse:
    if assignment.state not in judgements.JUDGEABLE:
        return redirect("desk", batch.study.slug, batch.pk)
    if not {"client_id", "shown_at", "active_seconds"}.isdisjoint(form.errors):
        messages.error(request, "The form was incomplete, and nothing was saved. Choose again.")
        return redirect("desk", batch.study.slug, batch.pk)
    return _item_page(request, batch, assignment, form)


def _show_the_rest(
    request: StudyRequest, batch: Batch, assignment: Assignment, form: SubmissionForm
) -> HttpResponse:
    """Store the first part and show the whole item; the comment in the form is kept."""
    try:
        whole = first_parts.show_the_rest(
            assignment=assignment, response=form.cleaned_response, by=request.user
        )
    except NotClaimedError:
        current = assignment.judgements.not_withdrawn().first()
        if current is not None:
            return _already_judged_page(request, batch, current)
        return desk_guards.problem(request, batch, "skipped", HTTPStatus.CONFLICT)
    return _item_page(request, batch, whole, form)


def _already_judged_page(request: StudyRequest, batch: Batch, stored: Judgement) -> HttpResponse:
    """Say that another judgement is stored, and how to change it."""
    recent = [
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
        response=scheme.own_words(stored.response),
        assignment=stored.assignment,
        can_change=bool(recent) and not recent[0].why_fixed,
    )


def _redirect_after_withdrawal(
    request: StudyRequest, batch: Batch, assignment: Assignment
) -> HttpResponse:
    """Redirect to the item: the judgement was taken back after this page was loaded."""
    messages.warning(request, "You undid this answer. Choose again to save.")
    return redirect(item_href(batch, assignment))


def item_href(batch: Batch, assignment: Assignment) -> str:
    """The address of the desk with this item."""
    query = urlencode({"item": assignment.public_id})
    return f"{reverse('desk', args=[batch.study.slug, batch.pk])}?{query}"
