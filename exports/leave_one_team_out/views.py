"""The page of each team left out of the accepted answers, and its files; a job computes the figures."""

from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import slugify
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from corpus.models import Dataset
from exports.leave_one_team_out import charts, latex, tables
from exports.leave_one_team_out.stored_figures import LeftOutFigures, LeftOutResult
from exports.leave_one_team_out.tables import MEASURES
from exports.rows.tiers import GOLD, SILVER, TIERS
from jobs import shortcuts
from pages import spreadsheet
from pages.charts import in_xml
from pages.listing import Column, RowListing

RUNS_PER_PAGE = 100
COLUMNS = (
    Column("run", "Run", ("run",)),
    Column("team", "Team", ("team", "run")),
    Column("full", "All answers", ("full",), is_number=True),
    Column("left_out", "Team left out", ("left_out",), is_number=True),
    Column("bias", "Bias", ("bias_value",), is_number=True),
    Column("unique", "Unique share", ("unique_value",), is_number=True),
    Column("rank", "Rank", ("place",), is_number=True),
    Column("change", "Change of rank", ("change_value",), is_number=True),
)
TIER_WORDS = {GOLD: "gold answers", SILVER: "gold and silver answers"}

requester = guards.study(Role.REQUESTER)


def _stored(request: StudyRequest, study: Study, pk: int) -> LeftOutFigures:
    """The figures that the address or the form asks for; gold ones, not redrawn, unless it asks otherwise."""
    dataset: Dataset = get_object_or_404(study.datasets.select_related("study"), pk=pk)
    asked = request.POST if request.method == "POST" else request.GET
    tier = asked.get("tier", "")
    return LeftOutFigures(
        study, dataset, tier if tier in TIERS else GOLD, is_redrawn=asked.get("redraw") == "yes"
    )


def _measure(request: StudyRequest) -> str:
    asked = request.GET.get("measure", "")
    return asked if asked in MEASURES else next(iter(MEASURES))


def _query(stored: LeftOutFigures, measure: str = "", **other: str) -> str:
    """The query of an address with the same choice, but for the `other` values."""
    chosen = {"tier": stored.tier, "redraw": "yes" if stored.is_redrawn else "", "measure": measure}
    return urlencode({name: value for name, value in (chosen | other).items() if value})


@require_safe
@requester
def left_out_teams(request: StudyRequest, study: Study, dataset: int) -> HttpResponse:
    stored, measure = _stored(request, study, dataset), _measure(request)
    result = stored.result
    context = {
        "dataset": stored.dataset,
        "stored": stored,
        "result": result,
        "measure": measure,
        "words": MEASURES[measure],
        "query": _query(stored, measure),
        "tiers": [
            (tier, words, _query(stored, measure, tier=tier)) for tier, words in TIER_WORDS.items()
        ],
        "redraws": [
            (is_redrawn, _query(stored, measure, redraw="yes" if is_redrawn else ""))
            for is_redrawn in (False, True)
        ],
        "measures": [(name, words, _query(stored, name)) for name, words in MEASURES.items()],
        **(_figures(request, result, measure) if result else {}),
    }
    return render(request, "exports/leave_one_team_out/teams.html", context)


def _figures(request: StudyRequest, result: LeftOutResult, measure: str) -> dict[str, Any]:
    found = result["measures"][measure]
    rows = [
        run
        | {
            "bias_value": run["bias"]["value"],
            "unique_value": run["unique_share"]["value"],
            "change_value": run["change"]["value"],
        }
        for run in sorted(found["runs"], key=lambda run: (run["place"], run["run"]))
    ]
    listing = RowListing(request, rows, columns=COLUMNS, per_page=RUNS_PER_PAGE)
    return {
        "found": found,
        "n_late": sum(run["is_late"] for run in found["runs"]),
        "listing": listing,
        "picture": charts.picture(found, MEASURES[measure]),
        "draws_conversations": found["n_clusters"] < found["n_questions"],
    }


@require_POST
@requester
def left_out_teams_start(request: StudyRequest, study: Study, dataset: int) -> HttpResponseBase:
    stored = _stored(request, study, dataset)
    here = f"{reverse('left_out_teams', args=[study.slug, dataset])}?{_query(stored)}"
    return shortcuts.compute(request, stored, here=here)


def _result(stored: LeftOutFigures) -> LeftOutResult:
    if stored.result is None:
        raise Http404
    return stored.result


def _file_name(stored: LeftOutFigures, ending: str) -> str:
    form = "-redrawn" if stored.is_redrawn else ""
    return stored.file_name(f"teams-{slugify(stored.dataset.name)}-{stored.tier}{form}{ending}")


@require_safe
@requester
def left_out_teams_table(
    request: StudyRequest, study: Study, dataset: int, table: str
) -> HttpResponseBase:
    """The runs or the rankings by all measures as CSV, not rounded."""
    stored = _stored(request, study, dataset)
    if table not in tables.TABLES:
        raise Http404
    columns, rows = tables.TABLES[table]
    name = _file_name(stored, f"-{table}.csv")
    return spreadsheet.download_table(name, columns, rows(_result(stored)))


@require_safe
@requester
def left_out_teams_tex(request: StudyRequest, study: Study, dataset: int) -> HttpResponse:
    stored, measure = _stored(request, study, dataset), _measure(request)
    result = _result(stored)
    notes = (
        f"Accepted are {TIER_WORDS[stored.tier]}.",
        "The pools were drawn anew without the team." if stored.is_redrawn else "",
        f"Out of date. {stored.since}" if stored.since else "",
    )
    text = latex.table(
        str(stored.dataset),
        measure,
        result["measures"][measure],
        result["bootstrap"]["replicates"],
        note=" ".join(filter(None, notes)),
    )
    name = _file_name(stored, f"-{measure}.tex")
    return HttpResponse(
        text,
        content_type="application/x-tex; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_safe
@requester
def left_out_teams_picture(request: StudyRequest, study: Study, dataset: int) -> HttpResponse:
    """The biases as an SVG file."""
    stored, measure = _stored(request, study, dataset), _measure(request)
    picture = charts.picture(_result(stored)["measures"][measure], MEASURES[measure])
    text = render_to_string("exports/pictures/intervals.svg", {"picture": picture, "alone": True})
    response = HttpResponse(in_xml(text), content_type="image/svg+xml")
    name = _file_name(stored, f"-{measure}.svg")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
