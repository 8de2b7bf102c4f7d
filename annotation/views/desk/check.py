"""The check of the guideline: questions that a person answers before the first item of a batch that asks for it."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.actions import consent
from accounts.guards import StudyRequest
from annotation.actions import checks as acts
from annotation.actions import guideline_readings
from annotation.actions.checks import CheckError
from annotation.check_questions import Question
from annotation.models import Batch
from annotation.models.checks import MOST_ATTEMPTS
from annotation.queries import checks
from annotation.queries.work_terms import contact_of
from annotation.views.desk import guards as desk_guards


@require_http_methods(["GET", "POST"])
@desk_guards.batch
def check(request: StudyRequest, batch: Batch) -> HttpResponse:
    """The questions; after an attempt what was right, and at the end how to go on."""
    questions = checks.questions_of(batch)
    # They come after consent and guideline, to which the desk leads.
    is_early = consent.is_needed(request.user, batch.study) or guideline_readings.is_due(
        batch, request.user
    )
    if not questions or is_early:
        return redirect("desk", batch.study.slug, batch.pk)
    chosen = _chosen(request.POST, questions) if request.method == "POST" else []
    if request.method == "POST" and None not in chosen:
        return _take(request, batch, [each for each in chosen if each is not None])
    attempts = checks.attempts_of(batch, request.user)
    last = attempts[-1] if attempts else None
    context = {
        "batch": batch,
        "last": last,
        "answers": checks.answers_in(last, questions) if last else [],
        "number": len(attempts) + 1,
        "is_open": not (last and last.is_passed) and len(attempts) < MOST_ATTEMPTS,
        "most": MOST_ATTEMPTS,
        "asked": [
            (f"question-{at}", question, chosen[at] if chosen else None)
            for at, question in enumerate(questions)
        ],
        "is_incomplete": bool(chosen),
        "contact": contact_of(batch.study, batch.created_by),
    }
    status = 400 if chosen else 200
    return render(request, "annotation/desk/check.html", context, status=status)


def _chosen(data: QueryDict, questions: Sequence[Question]) -> list[int | None]:
    """The index of what was chosen for each question; None for none of its choices."""
    found: list[int | None] = []
    for at, question in enumerate(questions):
        value = data.get(f"question-{at}", "")
        allowed = {str(index): index for index in range(len(question.choices))}
        found.append(allowed.get(value))
    return found


def _take(request: StudyRequest, batch: Batch, answers: list[int]) -> HttpResponse:
    number = request.POST.get("number", "")
    try:
        acts.take(
            batch=batch,
            number=int(number) if number in ("1", "2") else 0,
            answers=answers,
            by=request.user,
        )
    except CheckError as error:
        messages.info(request, f"Nothing was saved now: {error}.")
    return redirect("desk_check", batch.study.slug, batch.pk)
