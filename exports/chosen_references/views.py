"""The page of runs scored against truth, gold and silver references. A job computes the figures."""

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from corpus.models import Dataset
from corpus.versions import with_work_first
from exports.chosen_references.stored_figures import COLUMNS, ReferencesFigures
from exports.meta_evaluation.independent_scorers import rests_on_own_judgements
from jobs import shortcuts
from pages import spreadsheet

requester = guards.study(Role.REQUESTER)


@require_safe
@requester
def by_references(request: StudyRequest, study: Study) -> HttpResponse:
    datasets = list(with_work_first(study.datasets.all()))
    context: dict[str, object] = {"datasets": datasets}
    if datasets:
        dataset = _asked(datasets, request.GET.get("dataset", "")) or datasets[0]
        stored = ReferencesFigures(study, dataset)
        measures = stored.result["measures"] if stored.result else []
        context |= {
            "dataset": dataset,
            "stored": stored,
            "measures": measures,
            "is_circular": rests_on_own_judgements(dataset),
        }
    return render(request, "exports/chosen_references/by_references.html", context)


def _asked(datasets: list[Dataset], key: str) -> Dataset | None:
    return next((each for each in datasets if str(each.pk) == key), None)


@require_POST
@requester
def by_references_start(request: StudyRequest, study: Study) -> HttpResponseBase:
    datasets = list(study.datasets.select_related("study"))
    dataset = _asked(datasets, request.POST.get("dataset", ""))
    if dataset is None:
        raise Http404
    here = f"{reverse('by_references', args=[study.slug])}?dataset={dataset.pk}"
    return shortcuts.compute(request, ReferencesFigures(study, dataset), here=here)


@require_safe
@requester
def by_references_table(request: StudyRequest, study: Study) -> HttpResponseBase:
    """Return the figures as CSV, which has the header alone where there are none."""
    datasets = list(with_work_first(study.datasets.all()))
    dataset = _asked(datasets, request.GET.get("dataset", "")) or next(iter(datasets), None)
    if dataset is None:
        raise Http404
    stored = ReferencesFigures(study, dataset)
    rows = [[row[column] for column in COLUMNS] for row in stored.rows()]
    return spreadsheet.download(stored.file_name("runs-by-references.csv"), COLUMNS, rows)
