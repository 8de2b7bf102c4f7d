"""The page that draws a second round of written answers, and adds what is new to it."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.actions import second_rounds as acts
from annotation.actions.batches import BatchError
from annotation.actions.second_rounds import Drawn
from annotation.design import second_rounds as design
from annotation.forms.second_rounds import ROUTES, SecondRoundForm
from annotation.models import Batch, BatchState
from annotation.queries import second_rounds
from annotation.review_decisions import ReviewError
from annotation.schemes import WrongSchemeError, routing
from annotation.schemes.routing import Counts, Routes
from annotation.views.batches.pages import batch_of
from pages.validation import validation_message
from pages.words import sentence


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def batch_second_round(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """Show what would be routed, and draw the second round. Where there is one, POST brings it up to date."""
    first = batch_of(study, batch)
    objection = second_rounds.first_round_objection(first)
    if objection and not first.is_withdrawn:
        raise WrongSchemeError(objection)
    there = second_rounds.current_rounds(first).first()
    sent = request.POST if request.method == "POST" else None
    given = {"name": f"{first.name[:86]}, second round"}
    if there is not None:
        given = {"name": there.name, "routes": there.routes, "seed": str(there.seed)}
    form = SecondRoundForm(given if there and sent is not None else sent, initial=given)
    if sent is not None and form.is_valid() and (drawn := _draw(request, first, form)):
        return redirect("batch", study=study.slug, batch=drawn.batch.pk)
    context = {
        "batch": first,
        "there": there,
        "is_draft": there is not None and there.state == BatchState.DRAFT,
        "is_second_closed": there is not None and there.state == BatchState.CLOSED,
        "form": form,
        "is_closed": first.state == BatchState.CLOSED,
        "objection": objection,
        "counts": _counts(first),
    }
    status = 400 if form.errors else 200
    return render(request, "annotation/batches/second_round.html", context, status=status)


def _counts(first: Batch) -> list[tuple[str, Counts]]:
    """What each choice routes, in words and numbers."""
    answers = design.written(first)
    return [(words, routing.counts(answers, routes)) for routes, words in ROUTES.items()]


def _draw(request: StudyRequest, first: Batch, form: SecondRoundForm) -> Drawn | None:
    """Draw it. Return None with the errors in the form."""
    asked: dict[str, Any] = form.cleaned_data
    try:
        drawn = acts.draw(
            first=first,
            name=asked["name"],
            routes=Routes(asked["routes"]),
            seed=asked["seed"],
            by=request.user,
        )
    except (BatchError, ReviewError) as error:
        form.add_error(None, sentence(error))
        return None
    except ValidationError as error:
        form.add_error(None, validation_message(error))
        return None
    messages.success(request, _words(drawn))
    return drawn


def _words(drawn: Drawn) -> str:
    n = drawn.counts.n_routed
    if drawn.is_new:
        return f"The draft {drawn.batch.name} shows {n} of {drawn.counts.n_written} written answers: check it, then open it."
    if drawn.batch.state == BatchState.DRAFT:
        return (
            f"The draft {drawn.batch.name} takes the {n} answers that are routed when it is opened."
        )
    return f"{drawn.n_added} added, {drawn.n_excluded} excluded."
