"""The page on which a requester changes the guideline of an open batch, with its versions."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.actions import guideline_versions as acts
from annotation.actions import open_batches
from annotation.actions.batches import BatchError
from annotation.forms.open_batches import GuidelineForm
from annotation.models import Batch
from annotation.queries import guideline_diff, guideline_versions
from annotation.views.batches.pages import batch_of

CHANGED_MEANWHILE = (
    "Nothing was saved: the guideline was changed after you opened this page. See what your text would change"
    " in the new version, and save again."
)


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def batch_guideline(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """GET shows the versions, and the form of the next one while the batch is at work; POST saves it."""
    found = batch_of(study, batch)
    can_change = found.state in open_batches.AT_WORK
    if request.method != "POST":
        form = GuidelineForm(initial={"guideline": found.guideline.text})
        return _page(request, found, form if can_change else None)
    form = GuidelineForm(request.POST)
    if not form.is_valid():
        return _page(request, found, form, status=400)
    text = form.cleaned_data["guideline"]
    if "preview" in request.POST and can_change:
        return _page(request, found, form, previewed=text)
    if can_change and request.POST.get("seen", found.guideline.sha256) != found.guideline.sha256:
        form.add_error(None, CHANGED_MEANWHILE)
        return _page(request, found, form, previewed=text, status=400)
    try:
        changed = acts.change(batch=found, text=text, by=request.user)
    except BatchError as error:
        messages.error(request, f"Nothing was changed: {error}.")
        return redirect("batch_guideline", study=study.slug, batch=batch)
    if changed.guideline_id == found.guideline_id:
        messages.info(request, "Nothing was changed: the text is the same.")
    else:
        messages.success(
            request, "The guideline is changed. Annotators read it before they continue."
        )
    return redirect("batch_guideline", study=study.slug, batch=batch)


def _page(
    request: StudyRequest,
    batch: Batch,
    form: GuidelineForm | None,
    *,
    previewed: str | None = None,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "batch": batch,
        "form": form,
        "previewed": previewed,
        "parts": None
        if previewed is None
        else guideline_diff.changed_parts(batch.guideline.text, previewed),
        "lines": guideline_versions.version_lines(batch),
    }
    return render(request, "annotation/batches/guideline.html", context, status=status)
