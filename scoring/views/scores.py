"""What the scores of each run come to."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.db.models import Case, FloatField, Value, When
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from activity.actions.jobs import JobStateError
from activity.waking import leave
from corpus.models import Dataset, RunKind
from pages.listing import Column, Listing
from scoring import tables
from scoring.actions import averaging
from scoring.actions.averaging import Average, Averages
from scoring.models import Metric, Scorer

NAME, TEAM = Column("name", "Run", ("name",)), Column("team", "Team", ("team", "name"))
# Where an undefined mean stands: databases differ in where they put what is not known.
LOWEST = -1e308


@require_safe
@guards.study(Role.REQUESTER)
def scores(request: StudyRequest, study: Study) -> HttpResponse:
    datasets = list(study.datasets.order_by("-created_at", "-pk"))
    if not datasets:
        return render(request, "scoring/scores.html", {"datasets": []})
    asked = request.GET.get("dataset", "")
    dataset = next((each for each in datasets if str(each.pk) == asked), datasets[0])
    scorers = tables.scorers(dataset)
    context = {
        "datasets": datasets,
        "dataset": dataset,
        "scorers": scorers,
        "has_runs": bool(averaging.runs(dataset)),
        "has_sas": any(scorer.metric == Metric.SAS for scorer in scorers),
        "n_turns": len(tables.references(dataset)),
    }
    return render(request, "scoring/scores.html", context | _table(request, dataset, scorers))


def _table(request: StudyRequest, dataset: Dataset, scorers: Sequence[Scorer]) -> dict[str, Any]:
    """The averages as a list: counted now, or by the newest job, which may be of another day."""
    if averaging.is_at_once(dataset):
        return _listed(request, dataset, scorers, averaging.averages(dataset, scorers))
    job = averaging.counted(dataset)
    waiting = dataset.study.jobs.unfinished().filter(kind=averaging.KIND, key=str(dataset)).first()
    if job is None:
        return {"is_uncounted": True, "waiting": waiting}
    is_old = job.params != averaging.basis(dataset, scorers)
    listed = _listed(request, dataset, scorers, averaging.averages_of(job))
    return listed | {"counted": job, "is_old": is_old, "waiting": waiting}


def _listed(
    request: StudyRequest, dataset: Dataset, scorers: Sequence[Scorer], averages: Averages
) -> dict[str, Any]:
    keys = {f"mean_{scorer.pk}": _sort_key(scorer, averages) for scorer in scorers}
    runs = dataset.runs.exclude(kind=RunKind.REFERENCE)
    has_teams = runs.exclude(team="").exists()
    listing = Listing(
        request,
        runs.annotate(**keys).order_by("name"),
        columns=(
            NAME,
            *([TEAM] if has_teams else []),
            *(
                Column(key, f"{scorer.metric.upper()} {scorer.name}", (key,), is_number=True)
                for key, scorer in zip(keys, scorers, strict=True)
            ),
        ),
        search=("name", "team", "system"),
    )
    rows = [
        (run, [averages.get((run.pk, scorer.pk), Average()) for scorer in scorers])
        for run in listing.page
    ]
    counts = [
        sum(average.n for (_, scorer_id), average in averages.items() if scorer_id == scorer.pk)
        for scorer in scorers
    ]
    return {
        "listing": listing,
        "has_teams": has_teams,
        "rows": rows,
        "counted_scorers": zip(scorers, counts, strict=True),
    }


def _sort_key(scorer: Scorer, averages: Averages) -> Case:
    means = [
        When(pk=run_id, then=Value(average.mean))
        for (run_id, scorer_id), average in averages.items()
        if scorer_id == scorer.pk and average.n
    ]
    return Case(*means, default=Value(LOWEST), output_field=FloatField())


@require_POST
@guards.study(Role.REQUESTER)
def scores_average(request: StudyRequest, study: Study) -> HttpResponse:
    """Start the count of what is too much to be counted while somebody waits."""
    asked = request.POST.get("dataset", "")
    datasets = study.datasets.select_related("study")
    dataset = next((each for each in datasets if str(each.pk) == asked), None)
    if dataset is None:
        raise Http404
    try:
        return leave(request, averaging.begin(dataset=dataset, by=request.user))
    except JobStateError as error:
        messages.error(request, f"{str(error)[:1].upper()}{str(error)[1:]}.")
        return redirect("scores", study=study.slug)
