"""How much the annotators of a batch agree, computed in the background and kept with its basis."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
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

PER_PAGE = 15

requester = guards.study(Role.REQUESTER)


def _stored(study: Study, pk: int) -> AgreementFigures:
    batch: Batch = get_object_or_404(study.batches.select_related("study"), pk=pk)
    return AgreementFigures(study, batch)


@require_safe
@vary_on_headers("HX-Request")
@requester
def batch_agreement(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """All figures; for htmx the main ones, as the batch's page shows them."""
    found = _stored(study, batch)
    context: dict[str, Any] = {"stored": found, "batch": found.batch}
    if request.headers.get("HX-Request"):
        return render(request, "exports/agreement/_short.html", context)
    context["shown"] = [_shown(request, each) for each in found.sections]
    return render(request, "exports/agreement/batch.html", context)


def _shown(request: StudyRequest, section: Section) -> dict[str, Any]:
    """A question's figures with what the address chose of them: a page of people, a pair."""
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
    """Every figure of the newest result, with every digit."""
    found = _stored(study, batch)
    figures = found.result["agreement"] if found.result else {}
    name = slugify(found.batch.name) or str(found.batch.pk)
    return spreadsheet.download_table(
        f"agreement-{name}.csv", spreadsheet.columns_of(Row), rows(figures)
    )


@require_safe
@requester
def batch_agreement_picture(
    request: StudyRequest, study: Study, batch: int, asked: int, picture: str
) -> HttpResponse:
    """A picture as a file of its own."""
    found = _stored(study, batch)
    section = next((each for each in found.sections if each.number == asked), None)
    if section is None or not section.is_judged:
        raise Http404
    context = _picture(section, picture, request.GET.get("pair", ""))
    response = render(
        request,
        f"exports/pictures/{picture}.svg",
        context | {"alone": True},
        content_type="image/svg+xml",
    )
    name = slugify(f"{picture} {found.batch.name} {section.name}")
    response["Content-Disposition"] = f'attachment; filename="{name}.svg"'
    return response


def _picture(section: Section, picture: str, asked_pair: str) -> dict[str, Any]:
    pair = section.pair(asked_pair) if asked_pair else None
    if picture == "over-time" and section.figures["over_time"]:
        return {"line": section.time_line, "said": "Agreement over time"}
    if picture != "confusion" or (asked_pair and not pair):
        raise Http404
    if pair is None:
        names = {"ours": "one says", "theirs": "another"}
        return {"grid": section.grid, "said": "Who says what where another says what"} | names
    first, second = pair["annotators"]
    names = {"ours": first, "theirs": second}
    return {"grid": section.grid_of(pair), "said": f"What {first} and {second} say"} | names


@require_POST
@requester
def batch_agreement_start(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    here = reverse("batch_agreement", args=[study.slug, batch])
    return shortcuts.compute(request, _stored(study, batch), here=here)
