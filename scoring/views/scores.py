"""The scores page: the mean of each run under every scorer, and the correlations of scorers."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from corpus.models import Dataset
from jobs.actions import liveness
from jobs.actions.jobs import JobStateError
from jobs.shortcuts import hand_to_worker
from pages.words import sentence
from scoring.actions import derived_relevance, run_measures, run_tables
from scoring.actions.run_measures import NothingToCountError
from scoring.models import Metric, Scorer
from scoring.views import table_choice
from scoring.views.scoring_state import scoring_state
from scoring.views.table_choice import Table

requester = guards.study(Role.REQUESTER)


@require_safe
@vary_on_headers("HX-Request")
@requester
def scores(request: StudyRequest, study: Study) -> HttpResponse:
    """Show the table; for htmx the jobs that score, and at their end reload the page."""
    choice = table_choice.choice_of(request, study)
    if choice is None:
        return render(request, "scoring/scores.html", {"datasets": []})
    scoring = scoring_state(choice.dataset, choice.scorers)
    if request.headers.get("HX-Request"):
        if not scoring.unfinished:
            return HttpResponse(headers={"HX-Refresh": "true"})
        return render(request, "scoring/_state.html", {"scoring": scoring})
    context = {
        "scoring": scoring,
        "choice": choice,
        "datasets": choice.datasets,
        "dataset": choice.dataset,
        "has_runs": run_tables.sorted_runs(choice.dataset).exists(),
        "missing": _missing_relevance(choice.dataset, choice.scorers),
        "has_sas": any(scorer.metric == Metric.SAS for scorer in choice.scorers),
    }
    if context["has_runs"] and choice.scorers:
        unfinished = study.jobs.unfinished().with_progress()
        key = str(choice.dataset)
        waiting = unfinished.filter(kind=run_measures.KIND, key=key).first()
        context["waiting"] = waiting
        context["is_left_alone"] = waiting is not None and liveness.is_left_alone(waiting)
        table = table_choice.table(request, choice)
        context |= _table_context(request, table) if table else {"is_uncounted": True}
    return render(request, "scoring/scores.html", context)


def _missing_relevance(
    dataset: Dataset, scorers: Sequence[Scorer]
) -> derived_relevance.MissingRelevance | None:
    derives = any(scorer.derives_relevance for scorer in scorers)
    return derived_relevance.missing_relevance(dataset) if derives else None


def _table_context(request: StudyRequest, table: Table) -> dict[str, Any]:
    choice, job, of_page = table.choice, table.job, table.listing.address_at
    is_old = job is not None and job.params != run_measures.basis(choice.dataset, choice.scorers)
    return {
        "table": table,
        "listing": table.listing,
        "rows": table.rows(table.listing.page),
        "counted": job,
        "is_old": is_old,
        "denominators": table_choice.DENOMINATORS,
        "hides_intervals": request.GET.get("intervals") == "hide",
        "counted_scorers": [(scorer, _n_given(table, scorer.pk)) for scorer in choice.scorers],
        **_rankings_context(request, table),
        **{
            f"{name}_href": of_page(reverse(name, args=[request.study.slug]), page="")
            for name in ("scores_csv", "scores_latex", "rankings_csv")
        },
    }


def _n_given(table: Table, scorer: int) -> int:
    figures = table.comparison.figures
    return sum(
        figure.n_turns - figure.n_not_given
        for (_, scorer_pk), figure in figures.items()
        if scorer_pk == scorer
    )


def _reference_scorer(scorers: Sequence[Scorer]) -> Scorer:
    """Return the scorer that the others are compared with unless another is asked for: SAS, else F1, else the first.

    Exact match is the same for all runs where no answer is word for word the reference, and then ranks none.
    """
    for metric in (Metric.SAS.value, "f1"):
        for scorer in scorers:
            if scorer.metric == metric:
                return scorer
    return scorers[0]


def _rankings_context(request: StudyRequest, table: Table) -> dict[str, Any]:
    """Return one scorer against every other in each setup, and every scorer between the setups."""
    scorers = {scorer.pk: scorer for scorer in table.choice.scorers}
    requested = request.GET.get("against", "")
    against = next((scorer for pk, scorer in scorers.items() if str(pk) == requested), None)
    against = against or _reference_scorer(table.choice.scorers)
    of_setups = {
        setup: [
            (scorers[other], correlations)
            for other, correlations in table.comparison.with_other_scorers(setup, against.pk)
            if other in scorers
        ]
        for setup in table.setups
    }
    return {
        "against": against,
        "rankings": {setup: rows for setup, rows in of_setups.items() if rows},
        "between_setups": [
            (scorers[pk], correlations)
            for pk, correlations in table.comparison.between_setups()
            if pk in scorers
        ],
    }


@require_POST
@requester
def scores_count(request: StudyRequest, study: Study) -> HttpResponse:
    """Start the comparison of a data set too large for a request."""
    requested = request.POST.get("dataset", "")
    datasets = study.datasets.select_related("study")
    dataset = next((dataset for dataset in datasets if str(dataset.pk) == requested), None)
    if dataset is None:
        raise Http404
    try:
        return hand_to_worker(request, run_measures.begin(dataset=dataset, by=request.user))
    except (JobStateError, NothingToCountError) as error:
        messages.error(request, sentence(error))
        return redirect("scores", study=study.slug)
