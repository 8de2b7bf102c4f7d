"""The page that draws a comparison of runs, with counts of eligible questions."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from jobs.actions.jobs import JobStateError
from jobs.shortcuts import hand_to_worker
from pages.validation import validation_message
from pages.words import sentence
from sampling.actions import comparisons
from sampling.actions.pools import PoolError
from sampling.comparisons.rule import ComparisonRule
from sampling.forms.comparisons import INITIAL, ComparisonForm, DrawComparisonForm
from sampling.views.pool_source import DatasetWithRuns, MissingSource, dataset_with_runs


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request")
@guards.study(Role.REQUESTER)
def comparison_new(request: StudyRequest, study: Study) -> HttpResponse:
    """Show the form; for htmx the counts alone. A POST draws, or with `preview` only counts."""
    is_sent = request.method == "POST"
    query = request.POST if is_sent else request.GET
    source = dataset_with_runs(study, query)
    if isinstance(source, MissingSource):
        context = {"missing": source, "title": "Comparison of runs"}
        return render(request, "sampling/nothing_to_draw.html", context)
    if is_sent and query.get("dataset", "") != str(source.dataset.pk):
        raise Http404("the data set that was chosen is not there")
    is_to_draw = is_sent and "preview" not in request.POST
    form = (
        DrawComparisonForm(query, runs=source.runs) if is_to_draw else _counting_form(source, query)
    )
    if is_to_draw and (drawn := _draw(request, source, form)):
        return drawn
    return _page(request, source, form)


def _counting_form(source: DatasetWithRuns, query: QueryDict) -> ComparisonForm:
    """The form of the query; without a rule in the query, the paper's rule."""
    data: Any = query if "setup" in query else _initial_values()
    return ComparisonForm(data, runs=source.runs, initial={"name": query.get("name", "")})


def _initial_values() -> QueryDict:
    query = QueryDict(mutable=True)
    for name, value in INITIAL.items():
        query.setlist(name, [value] if isinstance(value, str) else value)
    return query


def _draw(
    request: StudyRequest, source: DatasetWithRuns, form: ComparisonForm
) -> HttpResponse | None:
    """Redirect to the pool, or to the job that draws it.

    Return None with the errors in the form.
    """
    if not form.is_valid() or form.rule is None:
        return None
    arguments: dict[str, Any] = {
        "study": request.study,
        "dataset": source.dataset,
        "name": form.cleaned_data["name"],
        "rule": form.rule,
        "by": request.user,
    }
    try:
        if not comparisons.is_at_once(source.dataset, form.rule):
            return hand_to_worker(request, comparisons.begin(**arguments))
        pool, _ = comparisons.draw_comparison(**arguments)  # its page says the warnings
    except (PoolError, JobStateError) as error:
        form.add_error(None, sentence(error))
    except ValidationError as error:
        form.add_error(None, validation_message(error))
    else:
        messages.success(request, f"The comparison {pool.name} was drawn.")
        return redirect("pool", study=request.study.slug, pool=pool.pk)
    return None


def _page(request: StudyRequest, source: DatasetWithRuns, form: ComparisonForm) -> HttpResponse:
    form.is_valid()
    name = DrawComparisonForm(request.POST or None, runs=source.runs)["name"]
    context: dict[str, Any] = {"found": source, "form": form, "name": name}
    if form.rule is not None:
        context |= _outlook(request, source, form.rule)
    if request.headers.get("HX-Request"):
        return render(request, "sampling/comparisons/_outlook.html", context)
    is_refused = isinstance(form, DrawComparisonForm) and bool(form.errors)
    return render(
        request, "sampling/comparisons/new.html", context, status=400 if is_refused else 200
    )


def _outlook(
    request: StudyRequest, source: DatasetWithRuns, rule: ComparisonRule
) -> dict[str, Any]:
    """The context with what the rule would draw, or why that is not counted now."""
    try:
        if not comparisons.is_at_once(source.dataset, rule):
            return {"rule": rule, "is_for_a_job": True}
        outlook = comparisons.outlook(
            study=request.study, dataset=source.dataset, rule=rule, by=request.user
        )
    except PoolError as error:
        return {"rule": rule, "problem": sentence(error)}
    return {"rule": outlook.rule, "counts": outlook.counts}
