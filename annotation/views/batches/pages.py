"""Pages of batches for requesters: the list, the form of a draft, a batch and its preview."""

import json
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation import schemes
from annotation.actions import batches as acts
from annotation.actions import drafts, open_batches
from annotation.actions.batches import BatchError
from annotation.design import screens
from annotation.forms import batches as batch_forms
from annotation.forms import draft_page
from annotation.models import Batch, BatchState, SetAside
from annotation.queries import (
    batch_costs,
    completion,
    double_adjudication,
    guideline_issues,
    people_at_work,
)
from annotation.queries import (
    batch_progress as batch_progress_queries,
)
from annotation.queries.candidates_and_flags import accepted_candidates
from annotation.schemes import Scheme, Shows, payloads
from annotation.schemes.sheet import SheetScheme
from annotation.views.batches import completion_wording
from pages.listing import Column, Filter, Listing

N_PREVIEWED = 5
FORM_METHODS = ["GET", "HEAD", "POST"]

COLUMNS = (
    Column("name", "Batch", ("name",)),
    Column("scheme", "Judged", ("scheme",)),
    Column("state", "State", ("state",)),
    Column("judgements", "Judgements", is_number=True),
    Column("disputes", "In dispute", is_number=True),
    Column("created", "Created", ("created_at",)),
)
STATES = Filter(
    "state",
    "State",
    {state.value: (state.value, Q(state=state.value)) for state in BatchState}
    | {"withdrawn": ("withdrawn", Q(is_withdrawn=True))},
)
KINDS = Filter(
    "kind",
    "Kind",
    {
        "real": ("real", Q(is_rehearsal=False)),
        "rehearsal": ("rehearsal", Q(is_rehearsal=True)),
    },
)
PEOPLE = (
    Column("annotator", "Annotator", ("user__username",)),
    Column("judged", "Judged", ("n_judged",), is_number=True),
    Column("seconds", "Median seconds", is_number=True),  # a median: no database sorts by it
    Column("skipped", "Skipped", ("n_skipped",), is_number=True),
    Column("flagged", "Flagged", ("n_flagged",), is_number=True),
    Column("late", "Late", ("n_surplus",), is_number=True),
    Column("holds", "Open claims", ("n_claimed",), is_number=True),
)

requester = guards.study(Role.REQUESTER)


def batch_of(study: Study, pk: int) -> Batch:
    batches = Batch.objects.select_related("study", "pool__dataset", "guideline", "closed_by")
    return get_object_or_404(batches, study=study, pk=pk)


def verdict_batch_of(study: Study, pk: int) -> Batch:
    """The batch. Raises WrongSchemeError if its items have no verdict."""
    found = batch_of(study, pk)
    schemes.verdict_scheme(found.scheme)
    return found


@require_safe
@requester
def batches(request: StudyRequest, study: Study) -> HttpResponse:
    rows = study.batches.order_by("-created_at", "-pk")
    listing = Listing(request, rows, columns=COLUMNS, search=("name",), filters=(STATES, KINDS))
    context = {
        "listing": listing,
        "lines": batch_progress_queries.batch_lines(listing.page.object_list),
        "has_pool": batch_forms.pools(study).exists(),
    }
    return render(request, "annotation/batches/batches.html", context)


@require_http_methods(FORM_METHODS)
@requester
def batch_new(request: StudyRequest, study: Study) -> HttpResponse:
    if not batch_forms.pools(study).exists():
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
    pools = list(batch_forms.pools(study))
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
        "guideline": batch_forms.newest_guideline(study, scheme),
        **batch_forms.preset_values(study, scheme),
        **batch_forms.initial_costs(pool, scheme),
    }


def _form(request: StudyRequest, study: Study, initial: dict[str, Any]) -> batch_forms.DraftForm:
    """The form to save, or the form as it was filled in: with the template of the scheme if asked for."""
    if request.method != "POST":
        return batch_forms.DraftForm(study, initial=initial)
    if _is_to_save(request):
        return batch_forms.DraftForm(study, request.POST)
    entered = dict.fromkeys(batch_forms.DraftForm.base_fields, "") | request.POST.dict()
    if "template" in request.POST and entered["scheme"] in schemes.names():
        entered["guideline"] = draft_page.with_template(entered["guideline"], entered["scheme"])
    return batch_forms.DraftForm(study, initial=entered)


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
    form = _form(request, study, batch_forms.DraftForm.initial_values(found))
    if _is_to_save(request) and form.is_valid():
        changed = _save(form, drafts.edit, batch=found, by=request.user)
        if changed is not None:
            messages.success(request, "Changed.")
            return redirect("batch", study=study.slug, batch=batch)
    return _form_page(request, form, title=f"Change {found.name}", button="Save the draft")


def _save(form: batch_forms.DraftForm, action: Any, **options: Any) -> Batch | None:
    """Call the action with the form's values. None if it refuses, with the errors added to the form."""
    try:
        batch: Batch = action(**options, **form.settings())
    except BatchError as error:
        form.add_error(None, f"Nothing was saved: {error}.")
    except ValidationError as error:
        form.add_error(None, ValidationError(error.messages))
    else:
        return batch
    return None


def _form_page(
    request: StudyRequest, form: batch_forms.DraftForm, *, title: str, button: str
) -> HttpResponse:
    words = draft_page.words_of_schemes(request.study, batch_forms.usable_schemes(request.study))
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


@require_safe
@requester
def batch(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    return render(
        request, "annotation/batches/batch.html", _batch_context(request, batch_of(study, batch))
    )


@require_safe
@requester
def batch_progress(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """The part of a batch's page that is refreshed while people work."""
    found = batch_of(study, batch)
    return render(request, "annotation/batches/_progress.html", _batch_context(request, found))


def _batch_context(request: StudyRequest, batch: Batch) -> dict[str, Any]:
    (line,) = batch_progress_queries.batch_lines([batch])
    scheme = schemes.get(batch.scheme)
    has_verdicts = bool(line.n_verdicts) and scheme.has_verdict
    where = {"study": batch.study.slug, "batch": batch.pk}
    n_accepted = accepted_candidates(batch).count() if has_verdicts else 0
    page = reverse("batch", kwargs=where)
    listing = Listing(
        request, batch_progress_queries.members_at_work(batch), columns=PEOPLE, path=page
    )
    shortfall = completion.shortfall(batch)
    has_ended = batch.deadline_at is not None and batch.deadline_at <= timezone.now()
    return {
        "batch": batch,
        "line": line,
        "can_change": batch.state in open_batches.AT_WORK,
        "can_return": batch.state != BatchState.DRAFT and not line.n_counted,
        "n_versions": batch.guideline_versions.count() if batch.guideline_since else 0,
        "scheme": scheme,
        "shows_pairs": scheme.shows == Shows.PAIR,
        "listing": listing,
        "workers": batch_progress_queries.workers(batch, listing.page, line.n_items),
        "refreshed_at": listing.address_at(reverse("batch_progress", kwargs=where)),
        "endings": batch_progress_queries.outcome_counts(batch),
        "spending": batch_costs.spending(batch, line.n_wanted),
        "n_working": people_at_work.n_working(batch) if batch.state != BatchState.DRAFT else 0,
        "shortfall": shortfall and completion_wording.while_open(shortfall),
        "is_moving": batch.state == BatchState.OPEN and not batch.is_rehearsal,
        "is_past_deadline": has_ended and batch.state in (BatchState.OPEN, BatchState.PAUSED),
        "leads_on_to": schemes.GROUNDING.name
        if batch.scheme == schemes.ACCEPTANCE.name
        and line.is_settled
        and n_accepted
        and not batch.is_withdrawn
        else "",
        "n_accepted": n_accepted,
        **(_adjudication_context(batch) if has_verdicts else {}),
    }


def _adjudication_context(batch: Batch) -> dict[str, Any]:
    return {
        "looks": double_adjudication.summary(batch),
        "unclear": [each for each in guideline_issues.section_counts(batch) if each.n_items],
    }


@require_safe
@requester
def batch_preview(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """The first items of the batch, or of a draft, as annotators will see them."""
    found = batch_of(study, batch)
    scheme = schemes.get(found.scheme)
    context = {
        "batch": found,
        "scheme": scheme,
        "screen": f"annotation/schemes/{found.scheme}.html",
        "payloads": _first_payloads(found),
    }
    return render(request, "annotation/batches/preview.html", context)


def _first_payloads(batch: Batch) -> list[dict[str, Any]]:
    if batch.state != BatchState.DRAFT:
        not_asked = batch.items.filter(verdicts__set_aside_reason=SetAside.NO_EVIDENCE)
        asked = batch.items.exclude(pk__in=not_asked.values("pk"))
        first = list(asked.values_list("payload", flat=True)[:N_PREVIEWED])
    else:
        first = [screen.payload for screen in screens.first_screens(batch, N_PREVIEWED)]
    scheme = schemes.get(batch.scheme)
    return [
        {**payloads.content_by_number(each), "asks": _question_wordings(scheme, each)}
        for each in first
    ]


def _question_wordings(scheme: Scheme, payload: dict[str, Any]) -> list[str]:
    """The distinct questions of a sheet; [] for another scheme."""
    if not isinstance(scheme, SheetScheme):
        return []
    return list(dict.fromkeys(question.asks for question in scheme.questions(payload)))
