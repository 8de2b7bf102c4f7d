"""The page of the runs that a pool was not drawn from; a job computes the figures."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from corpus.models import Dataset
from exports.late_runs.stored_figures import LateFigures
from exports.late_runs.tables import RUN, WORDS
from jobs import shortcuts
from pages import spreadsheet
from pages.validation import validation_message
from pages.words import sentence
from sampling.actions import surveys, top_ups
from sampling.actions.pools import PoolError
from sampling.models import Pool

RUNS_PER_PAGE = 50
LONGEST_NAME = 100

requester = guards.study(Role.REQUESTER)


def _stored(study: Study, pk: int) -> LateFigures:
    dataset: Dataset = get_object_or_404(study.datasets.select_related("study"), pk=pk)
    return LateFigures(study, dataset)


@require_safe
@requester
def late_runs(request: StudyRequest, study: Study, dataset: int) -> HttpResponse:
    stored = _stored(study, dataset)
    found = stored.result["runs"] if stored.result else []
    page = Paginator(found, RUNS_PER_PAGE).get_page(request.GET.get("page"))
    top_ups_of = {name for row in page for name in row["top_ups"]}
    context = {
        "dataset": stored.dataset,
        "stored": stored,
        "result": stored.result,
        "page": page,
        "rows": [(row, _standings(row)) for row in page],
        "standings": WORDS.values(),
        "pools": dict(study.pools.filter(name__in=top_ups_of).values_list("name", "pk")),
    }
    return render(request, "exports/late_runs/late.html", context)


def _standings(row: dict[str, Any]) -> list[int]:
    return [row["standings"][each.value] for each in WORDS]


@require_POST
@requester
def late_runs_start(request: StudyRequest, study: Study, dataset: int) -> HttpResponseBase:
    here = reverse("late_runs", args=[study.slug, dataset])
    return shortcuts.compute(request, _stored(study, dataset), here=here)


@require_safe
@requester
def late_runs_table(request: StudyRequest, study: Study, dataset: int) -> HttpResponseBase:
    """The late runs as CSV, not rounded."""
    stored = _stored(study, dataset)
    if stored.result is None:
        raise Http404
    name = stored.file_name(f"late-runs-{slugify(stored.dataset.name)}.csv")
    return spreadsheet.download_table(name, RUN, stored.result["runs"])


@require_POST
@requester
def late_runs_top_up(request: StudyRequest, study: Study, dataset: int) -> HttpResponseBase:
    """Draw what the pool would have asked about the run, and go to the new pool."""
    found = _stored(study, dataset).dataset
    pools = Pool.objects.select_related("dataset__study", "scorer", "study").filter(dataset=found)
    pool = get_object_or_404(pools, pk=_number(request.POST.get("pool")))
    run = get_object_or_404(found.runs.all(), pk=_number(request.POST.get("run")))
    here = reverse("late_runs", args=[study.slug, dataset])
    if not surveys.is_at_once(found):
        messages.error(
            request,
            "The data set has too many answers to draw from while a page is loading: use the command"
            " draw_pool with --late and --like.",
        )
        return redirect(here)
    name = f"{pool.name} + {run.name}"[:LONGEST_NAME].strip()
    try:
        drawn = top_ups.draw(pool=pool, run=run, name=name, by=request.user)
    except PoolError as error:
        messages.error(request, sentence(error))
        return redirect(here)
    except ValidationError as error:
        messages.error(request, validation_message(error))
        return redirect(here)
    messages.success(request, "The top-up was drawn: open a batch on it.")
    return redirect("pool", study=study.slug, pool=drawn.pk)


def _number(text: str | None) -> int:
    """Return the primary key in a field of a form. Raises Http404 if it is no number."""
    if text is None or not text.isdecimal() or len(text) > 18:
        raise Http404
    return int(text)
