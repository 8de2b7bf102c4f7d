"""The pages of agreement in a batch; a job computes the figures."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import Batch
from exports.agreement.download import Row, rows
from exports.agreement.presenter import Section
from exports.agreement.stored_figures import AgreementFigures
from jobs import shortcuts
from pages import spreadsheet
from pages.charts import in_xml

PER_PAGE = 15

requester = guards.study(Role.REQUESTER)


def _stored(study: Study, pk: int) -> AgreementFigures:
    batch: Batch = get_object_or_404(study.batches.select_related("study"), pk=pk)
    return AgreementFigures(study, batch)


@require_safe
@vary_on_headers("HX-Request")
@requester
def batch_agreement(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """All figures; for a request by htmx the part that the batch's page shows."""
    stored = _stored(study, batch)
    context: dict[str, Any] = {"stored": stored, "batch": stored.batch}
    if request.headers.get("HX-Request"):
        return render(request, "exports/agreement/_short.html", context)
    context["questions"] = [_question_context(request, each) for each in stored.sections]
    return render(request, "exports/agreement/batch.html", context)


def _question_context(request: StudyRequest, section: Section) -> dict[str, Any]:
    """The figures of a question, with the page of annotators and the pair that the address selects."""
    is_asked = request.GET.get("asked") in (None, str(section.number))
    pair = section.pair(request.GET.get("pair", "")) if is_asked else None
    pairs = Paginator(section.pairs, PER_PAGE).get_page(request.GET.get("pairs"))
    return {
        "section": section,
        "annotators": Paginator(section.annotators, PER_PAGE).get_page(request.GET.get("page")),
        "pairs": pairs,
        "and_page_of_pairs": f"&pairs={pairs.number}" if pairs.number > 1 else "",
        "pair": pair,
        "pair_grid": section.grid_of(pair) if pair else None,
    }


@require_safe
@requester
def batch_agreement_table(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    """All figures of the newest result as CSV, not rounded."""
    stored = _stored(study, batch)
    figures = stored.result["agreement"] if stored.result else {}
    name = slugify(stored.batch.name) or str(stored.batch.pk)
    return spreadsheet.download_table(
        stored.file_name(f"agreement-{name}.csv"), spreadsheet.columns_of(Row), rows(figures)
    )


@require_safe
@requester
def batch_agreement_picture(
    request: StudyRequest, study: Study, batch: int, asked: int, picture: str
) -> HttpResponse:
    """A picture as an SVG file."""
    stored = _stored(study, batch)
    section = next((each for each in stored.sections if each.number == asked), None)
    if section is None or not section.is_judged:
        raise Http404
    context = _picture(section, picture, request.GET.get("pair", ""))
    text = render_to_string(f"exports/pictures/{picture}.svg", context | {"alone": True})
    response = HttpResponse(in_xml(text), content_type="image/svg+xml")
    name = stored.file_name(slugify(f"{picture} {stored.batch.name} {section.name}"))
    response["Content-Disposition"] = f'attachment; filename="{name}.svg"'
    return response


def _picture(section: Section, picture: str, pair_address: str) -> dict[str, Any]:
    pair = section.pair(pair_address) if pair_address else None
    if picture == "over-time" and section.figures["over_time"]:
        return {"line": section.time_line, "description": "Agreement over time"}
    if picture != "confusion" or (pair_address and not pair):
        raise Http404
    if pair is None:
        names = {"ours": "one says", "theirs": "another"}
        return {
            "grid": section.grid,
            "description": "Who says what where another says what",
        } | names
    first, second = pair["annotators"]
    names = {"ours": first, "theirs": second}
    return {"grid": section.grid_of(pair), "description": f"What {first} and {second} say"} | names


@require_POST
@requester
def batch_agreement_start(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    here = reverse("batch_agreement", args=[study.slug, batch])
    return shortcuts.compute(request, _stored(study, batch), here=here)
