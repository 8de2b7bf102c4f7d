"""The page of a batch's control items: add some, see how people did on each, take one out."""

import tempfile
from pathlib import Path

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import StudyRequest
from accounts.models import Study
from annotation import schemes
from annotation.actions import controls as control_actions
from annotation.actions.batches import BatchError
from annotation.actions.controls import Added, ControlError
from annotation.forms.controls import ControlsForm, KeysForm, TakeOutForm
from annotation.models import Batch, BatchState, Grouping, Key
from annotation.queries import control_answers, control_sources
from annotation.review_decisions import ReviewError
from annotation.views.batches.pages import requester, verdict_batch_of
from corpus.problems import ImportProblems
from corpus.upload_names import safe_name

# Of the questions; with fewer, a control item can be told by being alone of its question.
FEW_SINGLE_ITEMS = 0.2


@require_http_methods(["GET", "HEAD", "POST"])
@requester
def batch_controls(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = verdict_batch_of(study, batch)
    form = _form(found, request.POST if request.method == "POST" else None)
    if form and form.is_valid():
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
            return _told(request, found, added)
    return _page(request, found, form)


def _form(batch: Batch, data: QueryDict | None = None) -> ControlsForm | None:
    """Return the form for items of a settled batch; None if there is no such batch, or none can be added."""
    sources = control_sources.source_batches(batch) if _takes_more(batch) else []
    return ControlsForm(sources, data) if sources else None


@require_POST
@requester
def batch_control_keys(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """Add the control items of a file of keys: all of its rows, or none."""
    found = verdict_batch_of(study, batch)
    form = KeysForm(request.POST, request.FILES)
    problems: ImportProblems | None = None
    if form.is_valid():
        file = form.cleaned_data["keys"]
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / safe_name(file.name or "")
                path.write_bytes(file.read())
                added = control_actions.add_from_file(batch=found, path=path, by=request.user)
        except (BatchError, ControlError) as error:
            form.add_error("keys", f"Nothing was added: {error}.")
        except ImportProblems as error:
            problems = error
        else:
            return _told(request, found, added)
    return _page(request, found, _form(found), keys_form=form, problems=problems)


def _told(request: StudyRequest, batch: Batch, added: Added) -> HttpResponse:
    messages.success(request, f"Control items added: {added.n_added}.")
    for warning in added.warnings:
        messages.warning(request, f"{warning[0].upper()}{warning[1:]}.")
    return redirect("batch_controls", study=batch.study.slug, batch=batch.pk)


def _page(
    request: StudyRequest,
    found: Batch,
    form: ControlsForm | None,
    *,
    keys_form: KeysForm | None = None,
    problems: ImportProblems | None = None,
) -> HttpResponse:
    lines = control_answers.control_lines(found)
    single = control_answers.share_of_single_items(found)
    context = {
        "batch": found,
        "form": form,
        "keys_form": keys_form or KeysForm(),
        "takes_keys": _takes_more(found) and not schemes.get(found.scheme).shows_evidence,
        "problems": problems,
        "takes_more": _takes_more(found),
        "lines": lines,
        "n_by_label": control_answers.n_by_label(found, lines),
        "take_out": TakeOutForm(),
        "is_told_apart": not found.is_training
        and found.grouping != Grouping.NONE
        and single is not None
        and single < FEW_SINGLE_ITEMS,
    }
    is_wrong = problems or any(each and each.errors for each in (form, keys_form))
    status = 400 if is_wrong else 200
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
