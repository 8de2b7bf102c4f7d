"""The table of runs under scorers, and the correlations of scorers, as files."""

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from pages import spreadsheet
from scoring import latex
from scoring import presenter as scoring_presenter
from scoring.actions import run_tables
from scoring.views import table_choice
from scoring.views.table_choice import Table

requester = guards.study(Role.REQUESTER)


@require_safe
@requester
def scores_csv(request: StudyRequest, study: Study) -> HttpResponseBase:
    table = _table(request, study)
    if table is None:
        return _redirect_without_table(request)
    rows = scoring_presenter.figure_rows(table.scores_table())
    return spreadsheet.download("scores.csv", scoring_presenter.FIGURE_COLUMNS, rows)


@require_safe
@requester
def scores_latex(request: StudyRequest, study: Study) -> HttpResponseBase:
    table = _table(request, study)
    if table is None:
        return _redirect_without_table(request)
    return HttpResponse(
        latex.table(table.scores_table()),
        content_type="application/x-tex; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="scores.tex"'},
    )


@require_safe
@requester
def rankings_csv(request: StudyRequest, study: Study) -> HttpResponseBase:
    """Return all pairs of scorers, whichever scorer the page shows."""
    table = _table(request, study)
    if table is None:
        return _redirect_without_table(request)
    choice = table.choice
    scorers = {scorer.pk: run_tables.table_scorer(scorer) for scorer in choice.scorers}
    correlations = [
        correlation
        for correlation in table.comparison.correlations
        if {correlation.one, correlation.other} <= scorers.keys()
    ]
    rows = scoring_presenter.correlation_rows(
        str(choice.dataset), choice.denominator, scorers, correlations
    )
    return spreadsheet.download("rankings.csv", scoring_presenter.CORRELATION_COLUMNS, rows)


def _table(request: StudyRequest, study: Study) -> Table | None:
    choice = table_choice.choice_of(request, study)
    if choice is None or not choice.scorers or not run_tables.sorted_runs(choice.dataset).exists():
        return None
    return table_choice.table(request, choice)


def _redirect_without_table(request: StudyRequest) -> HttpResponse:
    messages.info(request, "There is no table to download yet: here it says what is missing.")
    return redirect("scores", study=request.study.slug)
