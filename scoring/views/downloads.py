"""The table of runs under scorers, and how these rank the runs, as files: what the page's address shows."""

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
    table = _asked(request, study)
    if table is None:
        return _not_there(request)
    rows = scoring_presenter.figure_rows(table.shown())
    return spreadsheet.download("scores.csv", scoring_presenter.FIGURE_COLUMNS, rows)


@require_safe
@requester
def scores_latex(request: StudyRequest, study: Study) -> HttpResponseBase:
    table = _asked(request, study)
    if table is None:
        return _not_there(request)
    return HttpResponse(
        latex.table(table.shown()),
        content_type="application/x-tex; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="scores.tex"'},
    )


@require_safe
@requester
def rankings_csv(request: StudyRequest, study: Study) -> HttpResponseBase:
    """Every two scorers, whichever the page compares with the others."""
    table = _asked(request, study)
    if table is None:
        return _not_there(request)
    choice = table.choice
    scorers = {scorer.pk: run_tables.shown_scorer(scorer) for scorer in choice.scorers}
    likenesses = [
        each for each in table.comparison.likenesses if {each.one, each.other} <= scorers.keys()
    ]
    rows = scoring_presenter.likeness_rows(
        str(choice.dataset), choice.denominator, scorers, likenesses
    )
    return spreadsheet.download("rankings.csv", scoring_presenter.LIKENESS_COLUMNS, rows)


def _asked(request: StudyRequest, study: Study) -> Table | None:
    choice = table_choice.chosen(request, study)
    if choice is None or not choice.scorers or not run_tables.runs(choice.dataset).exists():
        return None
    return table_choice.table(request, choice)


def _not_there(request: StudyRequest) -> HttpResponse:
    messages.info(request, "There is no table to download yet: here it says what is missing.")
    return redirect("scores", study=request.study.slug)
