"""The page of a batch's control items: add some, see how people did on each, take one out."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import StudyRequest
from accounts.models import Study
from annotation.actions import controls as control_actions
from annotation.actions.batches import BatchError
from annotation.actions.controls import ControlError
from annotation.forms.controls import ControlsForm, TakeOutForm
from annotation.models import Batch, BatchState, Grouping, Key
from annotation.queries import control_answers, control_sources
from annotation.review_decisions import ReviewError
from annotation.views.batches.pages import requester, verdict_batch_of

# Of the questions; with fewer, a control item can be told by being alone of its question.
FEW_SINGLE_ITEMS = 0.2


@require_http_methods(["GET", "HEAD", "POST"])
@requester
def batch_controls(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = verdict_batch_of(study, batch)
    sources = control_sources.source_batches(found) if _takes_more(found) else []
    form = ControlsForm(sources, request.POST if request.method == "POST" else None)
    if form.is_valid():
        cleaned = form.cleaned_data
        try:
            added = control_actions.add_from_batch(
                batch=found,
                source=form.source_batch,
                n=cleaned["n"],
                seed=cleaned["seed"],
                by=request.user,
            )
        except (BatchError, ControlError) as error:
            form.add_error("source", f"Nothing was added: {error}.")
        else:
            messages.success(request, f"Control items added: {added.n_added}.")
            for warning in added.warnings:
                messages.warning(request, f"{warning[0].upper()}{warning[1:]}.")
            return redirect("batch_controls", study=study.slug, batch=batch)
    lines = control_answers.control_lines(found)
    single = control_answers.share_of_single_items(found)
    context = {
        "batch": found,
        "form": form if sources else None,
        "takes_more": _takes_more(found),
        "lines": lines,
        "n_by_label": control_answers.n_by_label(found, lines),
        "take_out": TakeOutForm(),
        "is_told_apart": not found.is_training
        and found.grouping != Grouping.NONE
        and single is not None
        and single < FEW_SINGLE_ITEMS,
    }
    status = 400 if form.errors else 200
    return render(request, "annotation/batches/controls.html", context, status=status)


def _takes_more(batch: Batch) -> bool:
    """Whether control items can be added: in a draft, and in a batch at work that hands them out."""
    if batch.is_rehearsal or batch.study.is_archived or batch.state == BatchState.CLOSED:
        return False
    return batch.state == BatchState.DRAFT or batch.is_training or batch.control_every is not None


@require_POST
@requester
def control_out(request: StudyRequest, study: Study, batch: int, key: int) -> HttpResponse:
    keys = Key.objects.select_related("item__batch__study")
    found = get_object_or_404(keys, pk=key, item__batch=batch, item__batch__study=study)
    form = TakeOutForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Nothing was taken out: say why.")
    else:
        try:
            control_actions.take_out(key=found, reason=form.cleaned_data["reason"], by=request.user)
        except ReviewError as error:
            messages.error(request, f"Nothing was taken out: {error}.")
        else:
            messages.success(request, "It is assigned to nobody any more, and counts in no figure.")
    return redirect("batch_controls", study=study.slug, batch=batch)
