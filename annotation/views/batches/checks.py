"""The page of a batch's check of the guideline: the questions, how people answered them, and who passed."""

from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.guards import StudyRequest
from accounts.models import Study
from annotation.queries import checks
from annotation.views.batches.pages import batch_of, requester
from pages.listing import Column, Filter, Listing

COLUMNS = (
    Column("annotator", "Annotator", ("taken_by__username", "number")),
    Column("attempt", "Attempt", is_number=True),
    Column("result", "Result"),
    Column("right", "Right answers", is_number=True),
    Column("at", "When", ("taken_at",)),
)
RESULT = Filter(
    "result",
    "Result",
    {
        "passed": ("passed", Q(is_passed=True)),
        "not": ("not passed", Q(is_passed=False)),
    },
)


@require_safe
@requester
def batch_check(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = batch_of(study, batch)
    questions = checks.questions_of(found)
    if not questions:
        raise Http404
    rows = found.check_attempts.select_related("taken_by")
    listing = Listing(
        request, rows, columns=COLUMNS, search=("taken_by__username",), filters=(RESULT,)
    )
    context = {
        "batch": found,
        "figures": checks.figures(found),
        "listing": listing,
        "attempts": [
            (each, sum(answer.is_right for answer in checks.answers_in(each, questions)))
            for each in listing.page.object_list
        ],
        "n_questions": len(questions),
    }
    return render(request, "annotation/batches/check.html", context)
