"""The page that says, before people judge, how exact the figures of runs will be."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import Batch
from exports.planning import figures, presenter
from exports.planning.forms import DIFFERENCE, ONE_RUN, PlanForm
from exports.planning.queries import defaults_of

requester = guards.study(Role.REQUESTER)


@require_safe
@requester
def planning(request: StudyRequest, study: Study) -> HttpResponse:
    """A plan of the fields in the address; `batch` there is a batch whose numbers are the defaults."""
    batch = _batch(request, study)
    form = PlanForm({**(defaults_of(batch) if batch else {}), **request.GET.dict()}, study=study)
    context: dict[str, Any] = {
        "batch": batch,
        "form": form,
        "parts": [
            ("What is planned", [form[name] for name in presenter.DESIGN_FIELDS]),
            (
                "Standard deviations of single judgements",
                [form[name] for name in ("pilot", *DIFFERENCE, *ONE_RUN)],
            ),
        ],
    }
    if form.is_valid():
        context |= _figures(form)
    return render(request, "exports/planning/planning.html", context)


def _figures(form: PlanForm) -> dict[str, Any]:
    found = form.pilot_figures()
    plan = form.plan(found)
    options = figures.options(plan)
    return {
        "plan": plan,
        "pilot": found,
        "spreads": presenter.spreads(plan),
        "now": options[0],
        "options": options,
        "grid": figures.grid(plan),
    }


def _batch(request: StudyRequest, study: Study) -> Batch | None:
    key = request.GET.get("batch", "")
    if not (key.isascii() and key.isdecimal() and len(key) < 19):
        return None
    return study.batches.select_related("pool").filter(pk=int(key)).first()
