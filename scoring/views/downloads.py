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
from scoring import latex, shown
from scoring.actions import tabling
from scoring.views import choosing
from scoring.views.choosing import Table

requester = guards.study(Role.REQUESTER)


@require_safe
@requester
def scores_csv(request: StudyRequest, study: Study) -> HttpResponseBase:
    table = _asked(request, study)
    if table is None:
        return _not_there(request)
    rows = shown.figure_rows(table.shown())
    return spreadsheet.download("scores.csv", shown.FIGURE_COLUMNS, rows)


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
    scorers = {scorer.pk: tabling.shown_scorer(scorer) for scorer in choice.scorers}
    likenesses = [
        each for each in table.comparison.likenesses if {each.one, each.other} <= scorers.keys()
    ]
    rows = shown.likeness_rows(str(choice.dataset), choice.denominator, scorers, likenesses)
    return spreadsheet.download("rankings.csv", shown.LIKENESS_COLUMNS, rows)


def _asked(request: StudyRequest, study: Study) -> Table | None:
    choice = choosing.chosen(request, study)
    if choice is None or not choice.scorers or not tabling.runs(choice.dataset).exists():
        return None
    return choosing.table(request, choice)


def _not_there(request: StudyRequest) -> HttpResponse:
    messages.info(request, "There is no table to download yet: here it says what is missing.")
    return redirect("scores", study=request.study.slug)
