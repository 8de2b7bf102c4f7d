"""Drawing a comparison of runs, with what is eligible counted beforehand."""

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
from jobs.shortcuts import leave
from pages.validation import validation_message
from pages.words import sentence
from sampling.actions import comparisons
from sampling.actions.pools import PoolError
from sampling.comparisons.rule import ComparisonRule
from sampling.forms.comparisons import BEGINNING, ComparisonForm, DrawComparisonForm
from sampling.views.pool_source import Answered, Missing, answered


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request")
@guards.study(Role.REQUESTER)
def comparison_new(request: StudyRequest, study: Study) -> HttpResponse:
    """The form; for htmx the counts alone. A POST draws, or with `preview` only counts."""
    is_sent = request.method == "POST"
    given = request.POST if is_sent else request.GET
    found = answered(study, given)
    if isinstance(found, Missing):
        context = {"missing": found, "title": "Comparison of runs"}
        return render(request, "sampling/nothing_to_draw.html", context)
    if is_sent and given.get("dataset", "") != str(found.dataset.pk):
        raise Http404("the data set that was chosen is not there")
    is_to_draw = is_sent and "preview" not in request.POST
    form = DrawComparisonForm(given, runs=found.runs) if is_to_draw else _counting(found, given)
    if is_to_draw and (drawn := _drawn(request, found, form)):
        return drawn
    return _page(request, found, form)


def _counting(found: Answered, given: QueryDict) -> ComparisonForm:
    """An address that says no rule begins with the paper's."""
    data: Any = given if "setup" in given else _beginning()
    return ComparisonForm(data, runs=found.runs, initial={"name": given.get("name", "")})


def _beginning() -> QueryDict:
    query = QueryDict(mutable=True)
    for name, value in BEGINNING.items():
        query.setlist(name, [value] if isinstance(value, str) else value)
    return query


def _drawn(request: StudyRequest, found: Answered, form: ComparisonForm) -> HttpResponse | None:
    """The way to the pool, or to the job that draws it; None with the errors in the form."""
    if not form.is_valid() or form.rule is None:
        return None
    asked: dict[str, Any] = {
        "study": request.study,
        "dataset": found.dataset,
        "name": form.cleaned_data["name"],
        "rule": form.rule,
        "by": request.user,
    }
    try:
        if not comparisons.is_at_once(found.dataset, form.rule):
            return leave(request, comparisons.begin(**asked))
        pool, _ = comparisons.draw_comparison(**asked)  # its page says the warnings
    except (PoolError, JobStateError) as error:
        form.add_error(None, sentence(error))
    except ValidationError as error:
        form.add_error(None, validation_message(error))
    else:
        messages.success(request, f"The comparison {pool.name} is drawn.")
        return redirect("pool", study=request.study.slug, pool=pool.pk)
    return None


def _page(request: StudyRequest, found: Answered, form: ComparisonForm) -> HttpResponse:
    form.is_valid()
    name = DrawComparisonForm(request.POST or None, runs=found.runs)["name"]
    context: dict[str, Any] = {"found": found, "form": form, "name": name}
    if form.rule is not None:
        context |= _outlook(request, found, form.rule)
    if request.headers.get("HX-Request"):
        return render(request, "sampling/comparisons/_outlook.html", context)
    is_refused = isinstance(form, DrawComparisonForm) and bool(form.errors)
    return render(
        request, "sampling/comparisons/new.html", context, status=400 if is_refused else 200
    )


def _outlook(request: StudyRequest, found: Answered, rule: ComparisonRule) -> dict[str, Any]:
    """What the rule would draw, or why it is not counted now."""
    try:
        if not comparisons.is_at_once(found.dataset, rule):
            return {"rule": rule, "is_for_a_job": True}
        outlook = comparisons.outlook(
            study=request.study, dataset=found.dataset, rule=rule, by=request.user
        )
    except PoolError as error:
        return {"rule": rule, "problem": sentence(error)}
    return {"rule": outlook.rule, "counts": outlook.counts}
