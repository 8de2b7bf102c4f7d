"""Pages of the desk besides judging: guidelines, skip, flag, latest judgements, take back."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.guards import StudyRequest
from annotation.actions import guideline_readings, judgements, notices
from annotation.actions.judgements import NotClaimedError, NotEditableError
from annotation.forms.desk import FlagForm, SkipForm
from annotation.models import Assignment, AssignmentState, Batch, Notice
from annotation.queries import guideline_diff, recent_judgements
from annotation.views.desk import guards as desk_guards
from annotation.views.desk.page import item_href

get_or_post = require_http_methods(["GET", "POST"])


@get_or_post
@desk_guards.batch
def guidelines(request: StudyRequest, batch: Batch) -> HttpResponse:
    """The guidelines in full; POST confirms that they were read."""
    # The page may show a text that has been changed since: then it was not this one that was read.
    is_current = request.POST.get("sha256") in (None, batch.guideline.sha256)
    if request.method == "POST" and is_current:
        guideline_readings.confirm(batch=batch, by=request.user)
        return redirect("desk", batch.study.slug, batch.pk)
    context = {
        "batch": batch,
        "is_due": guideline_readings.is_due(batch, request.user),
        "change": guideline_diff.change_since_reading(batch, request.user),
    }
    return render(request, "annotation/desk/guidelines.html", context)


@get_or_post
@desk_guards.assignment
def skip(request: StudyRequest, batch: Batch, assignment: Assignment) -> HttpResponse:
    form = SkipForm(batch.skip_reasons, request.POST if request.method == "POST" else None)
    if batch.is_training:
        messages.info(request, "In training every item is judged: nothing was skipped.")
        return redirect(item_href(batch, assignment))
    if not form.is_valid():
        return _form_page(request, "skip", batch, assignment, form)
    try:
        judgements.skip(
            assignment=assignment,
            choice=form.cleaned_data["choice"],
            reason=form.cleaned_data["reason"],
            by=request.user,
        )
    except NotClaimedError:
        return _skip_refused_page(request, batch, assignment)
    messages.success(
        request, "Skipped. Another annotator will get the item. You will not see it again."
    )
    return redirect("desk", batch.study.slug, batch.pk)


def _form_page(
    request: StudyRequest,
    name: str,
    batch: Batch,
    assignment: Assignment,
    form: SkipForm | FlagForm,
) -> HttpResponse:
    context = {
        "batch": batch,
        "assignment": assignment,
        "payload": assignment.item.payload,
        "form": form,
    }
    status = 400 if form.errors else 200
    return render(request, f"annotation/desk/{name}.html", context, status=status)


def _skip_refused_page(request: StudyRequest, batch: Batch, assignment: Assignment) -> HttpResponse:
    """Say why the item is not claimed any more: it was skipped or judged, or the claim expired."""
    assignment.refresh_from_db(fields=["state"])
    if assignment.state == AssignmentState.EXPIRED:
        messages.info(
            request,
            "Your time with this item had run out before you skipped it. Should it come again, skip it then.",
        )
        return redirect("desk", batch.study.slug, batch.pk)
    what = "judged" if assignment.state == AssignmentState.SUBMITTED else "skipped"
    return desk_guards.problem(request, batch, what, HTTPStatus.CONFLICT)


@get_or_post
@desk_guards.assignment
def flag(request: StudyRequest, batch: Batch, assignment: Assignment) -> HttpResponse:
    form = FlagForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _form_page(request, "flag", batch, assignment, form)
    judgements.flag(assignment=assignment, message=form.cleaned_data["message"], by=request.user)
    messages.success(request, "Message sent. An answer will show here and in My work.")
    if assignment.state == AssignmentState.SUBMITTED:
        return redirect("desk_recent", batch.study.slug, batch.pk)
    return redirect(item_href(batch, assignment))


@require_POST
@desk_guards.batch
def notice_dismiss(request: StudyRequest, batch: Batch, notice: int) -> HttpResponse:
    """Show a notice no more; redirects to the page that it stood on."""
    found = get_object_or_404(Notice.objects.filter(batch=batch), pk=notice)
    found.batch = batch  # with its study
    notices.dismiss(notice=found, by=request.user)
    if request.POST.get("to") == "work":
        return redirect("work")
    return redirect("desk", batch.study.slug, batch.pk)


@require_GET
@desk_guards.batch
def latest_judgements(request: StudyRequest, batch: Batch) -> HttpResponse:
    """The person's last ten judgements, with buttons to undo them, and the items that they undid."""
    context = {
        "batch": batch,
        "undone": recent_judgements.undone_items_of(batch, request.user),
        "judgements": recent_judgements.recent_judgements_of(batch, request.user),
    }
    return render(request, "annotation/desk/recent.html", context)


@get_or_post
@desk_guards.assignment
def take_back(request: StudyRequest, batch: Batch, assignment: Assignment) -> HttpResponse:
    """Take back a judgement and redirect to its item. GET redirects to the latest judgements."""
    if request.method == "GET":
        return redirect("desk_recent", batch.study.slug, batch.pk)
    stored = assignment.judgements.not_withdrawn().last()
    if stored is None:  # taken back already, from another page: the item is there to be judged
        return redirect(item_href(batch, assignment))
    try:
        judgements.take_back(judgement=stored, by=request.user)
    except NotEditableError as error:
        messages.error(request, f"It stays as it is: {error}.")
        return redirect("desk_recent", batch.study.slug, batch.pk)
    return redirect(item_href(batch, assignment))
