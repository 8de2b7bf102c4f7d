"""Pages on which a requester makes and changes a draft."""

import json
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.guards import StudyRequest
from accounts.models import Study
from annotation import schemes
from annotation.actions import batches as acts
from annotation.actions import drafts
from annotation.actions.batches import BatchError
from annotation.actions.checks import CheckError
from annotation.forms import draft_defaults, draft_page
from annotation.forms import drafts as draft_forms
from annotation.models import Batch, BatchState
from annotation.views.batches.pages import batch_of, requester

FORM_METHODS = ["GET", "HEAD", "POST"]


@require_http_methods(FORM_METHODS)
@requester
def batch_new(request: StudyRequest, study: Study) -> HttpResponse:
    if not draft_forms.pools(study).exists():
        messages.info(request, "A batch needs a pool: draw one first.")
        return redirect("pools", study=study.slug)
    form = _form(request, study, _initial(request, study))
    if _is_to_save(request) and form.is_valid():
        batch = _save(form, acts.create, study=study, by=request.user)
        if batch is not None:
            messages.success(
                request, f"The draft “{batch.name}” was created. Check it, then open it."
            )
            return redirect("batch", study=study.slug, batch=batch.pk)
    return _form_page(request, form, title="New batch", button="Create the draft")


def _initial(request: StudyRequest, study: Study) -> dict[str, Any]:
    """Initial values for a new batch on the pool in the query string, else on the newest pool."""
    pools = list(draft_forms.pools(study))
    key = request.GET.get("pool", "")
    pool = next((each for each in pools if str(each.pk) == key), pools[0])
    usable = [
        name for name in schemes.names() if acts.purpose_of(schemes.get(name)) == pool.purpose
    ]
    # A scheme that decides something of a release comes before one for other labels.
    scheme = min(usable, key=lambda name: schemes.get(name).role == schemes.SchemeRole.LABEL)
    return {
        "pool": pool,
        "scheme": scheme,
        "guideline": draft_defaults.newest_guideline(study, scheme),
        **draft_defaults.preset_values(study, scheme),
        **draft_defaults.initial_costs(pool, scheme),
    }


def _form(request: StudyRequest, study: Study, initial: dict[str, Any]) -> draft_forms.DraftForm:
    """The form to save, or the form as it was filled in: with the template of the scheme if asked for."""
    if request.method != "POST":
        return draft_forms.DraftForm(study, initial=initial)
    if _is_to_save(request):
        return draft_forms.DraftForm(study, request.POST)
    entered = dict.fromkeys(draft_forms.DraftForm.base_fields, "") | request.POST.dict()
    if "template" in request.POST and entered["scheme"] in schemes.names():
        entered["guideline"] = draft_page.with_template(entered["guideline"], entered["scheme"])
    return draft_forms.DraftForm(study, initial=entered)


def _is_to_save(request: StudyRequest) -> bool:
    return request.method == "POST" and not {"preview", "template"} & request.POST.keys()


@require_http_methods(FORM_METHODS)
@requester
def batch_edit(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = batch_of(study, batch)
    if found.state != BatchState.DRAFT:
        messages.error(
            request, f"The batch is {found.state}: what it asks is frozen since it opened."
        )
        return redirect("batch", study=study.slug, batch=batch)
    form = _form(request, study, draft_forms.DraftForm.initial_values(found))
    if _is_to_save(request) and form.is_valid():
        changed = _save(form, drafts.edit, batch=found, by=request.user)
        if changed is not None:
            messages.success(request, "Changed.")
            return redirect("batch", study=study.slug, batch=batch)
    return _form_page(request, form, title=f"Change {found.name}", button="Save the draft")


def _save(form: draft_forms.DraftForm, action: Any, **options: Any) -> Batch | None:
    """Call the action with the form's values. None if it refuses, with the errors added to the form."""
    try:
        batch: Batch = action(**options, **form.settings())
    except (BatchError, CheckError) as error:
        form.add_error(None, f"Nothing was saved: {error}.")
    except ValidationError as error:
        form.add_error(None, ValidationError(error.messages))
    else:
        return batch
    return None


def _form_page(
    request: StudyRequest, form: draft_forms.DraftForm, *, title: str, button: str
) -> HttpResponse:
    words = draft_page.words_of_schemes(request.study, draft_forms.usable_schemes(request.study))
    context = {
        "form": form,
        "sections": draft_page.sections(form),
        "schemes": words,
        "newest": json.dumps({each.name: each.newest for each in words}),
        "chosen": form["scheme"].value(),
        "title": title,
        "button": button,
        "previewed": request.POST.get("guideline") if "preview" in request.POST else None,
        "is_template": "template" in request.POST,
    }
    return render(
        request, "annotation/batches/form.html", context, status=400 if form.errors else 200
    )
