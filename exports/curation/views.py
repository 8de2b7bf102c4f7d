"""The page of a batch's curated questions, its files, and the next version of the data set."""

from collections import Counter
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation import schemes
from annotation.models import Batch, BatchState
from exports.curation import actions, files, queries
from exports.curation.acceptance import acceptance
from exports.curation.columns import QuestionRow
from exports.curation.queries import Curated
from pages import spreadsheet
from pages.words import sentence

# A cell with fewer questions is printed grey.
FEW = 10
requester = guards.study(Role.REQUESTER)


def batch_of(study: Study, pk: int) -> Batch:
    """The batch; 404 unless questions are curated in it, and somebody may have judged some."""
    names = [each.name for each in schemes.with_role(schemes.SchemeRole.CURATION)]
    batches = study.batches.select_related("study", "pool__dataset").filter(scheme__in=names)
    return get_object_or_404(batches.exclude(state=BatchState.DRAFT), pk=pk)


@require_safe
@requester
def batch_curated(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = batch_of(study, batch)
    questions = queries.curated(found)
    return render(request, "exports/curation/curated.html", _context(found, questions))


def _context(batch: Batch, questions: list[Curated]) -> dict[str, Any]:
    decided, objection = queries.decided(questions), actions.objection(batch)
    return {
        "batch": batch,
        "n_of": Counter(each.outcome or "not settled" for each in questions).most_common(),
        "n_outdated": sum(each.is_outdated for each in questions),
        "n_promoted": sum(each.is_promoted for each in questions),
        "acceptance": acceptance(decided) if decided else [],
        "agreement": queries.agreement_on(questions),
        "edited": [each for each in questions if each.outcome == "edited"],
        "few": FEW,
        "objection": sentence(objection) if objection else "",
    }


@require_POST
@requester
def batch_curated_version(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """Make the next version of the data set, and go to its page."""
    found = batch_of(study, batch)
    try:
        made = actions.make_next_version(batch=found, by=request.user)
    except actions.CurationError as error:
        messages.error(request, f"Nothing was changed: {error}.")
        return redirect("batch_curated", study=study.slug, batch=found.pk)
    was = "was made" if made.created else "is there already"
    messages.success(request, f"The version {made.name} {was}.")
    name, _, version = made.name.rpartition("@")
    return redirect("dataset", study=study.slug, name=name, version=int(version))


@require_safe
@requester
def batch_curated_file(
    request: StudyRequest, study: Study, batch: int, name: str
) -> HttpResponseBase:
    """A file of the curated questions, as they stand now."""
    found = batch_of(study, batch)
    if name not in (files.QUESTIONS, files.FEW_SHOT):
        raise Http404
    questions = queries.curated(found)
    own_name = f"{slugify(found.name) or found.pk}-{name}"
    if name == files.QUESTIONS:
        columns = spreadsheet.columns_of(QuestionRow)
        return spreadsheet.download_table(own_name, columns, queries.rows(found, questions))
    return HttpResponse(
        "".join(files.few_shot(questions)),
        content_type="application/x-ndjson; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{own_name}"'},
    )
