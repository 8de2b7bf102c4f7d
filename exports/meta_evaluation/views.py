"""The page of measures against people's verdicts. A job computes the figures, the page adds prices."""

from decimal import ROUND_HALF_UP
from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import Batch
from annotation.schemes import ACCEPTANCE
from corpus.models import Dataset
from corpus.versions import with_work_first
from exports.forms import Price
from exports.meta_evaluation.stored_figures import MeasuresFigures
from exports.rows.shown_answers import batches_on
from jobs import shortcuts
from sampling import pay
from scoring.models import Metric

requester = guards.study(Role.REQUESTER)


@require_safe
@requester
def measures(request: StudyRequest, study: Study) -> HttpResponse:
    """The newest figures of a data set, with the price of a plausible answer at each threshold."""
    datasets = list(with_work_first(study.datasets.all()))
    if not datasets:
        return render(request, "exports/meta_evaluation/measures.html", {"datasets": []})
    asked = request.GET.get("dataset", "")
    dataset = next((each for each in datasets if str(each.pk) == asked), datasets[0])
    stored = MeasuresFigures(study, dataset)
    form = Price(request.GET, batch=_newest_batch(dataset))
    price, judgements = form.price_and_judgements()
    found = stored.result["measures"] if stored.result else []
    context = {
        "datasets": datasets,
        "dataset": dataset,
        "stored": stored,
        "measures": [_measure(each, price, judgements) for each in found],
        "left_out": stored.result["left_out"] if stored.result else [],
        "has_sas": any(each["metric"] == Metric.SAS for each in found),
        "form": form,
        "price": price,
        "judgements": judgements,
    }
    return render(request, "exports/meta_evaluation/measures.html", context)


def _newest_batch(dataset: Dataset) -> Batch | None:
    asked = batches_on(dataset, Batch.objects.counting()).filter(scheme=ACCEPTANCE.name)
    return asked.order_by("-pk").first()


def _measure(found: dict[str, Any], price: pay.Money | None, judgements: int) -> dict[str, Any]:
    rows = [
        row
        | {
            "judgements_each": judgements / row["precision"] if row["precision"] else None,
            "cost": _rounded(price.times(judgements / row["precision"]))
            if price and row["precision"]
            else None,
        }
        for row in found["thresholds"]
    ]
    by_name = {each["coefficient"]: each for each in found["runs"]}
    return found | {
        "rows": rows,
        "curve": " ".join(f"{100 * x:.1f},{100 - 100 * y:.1f}" for x, y in found["area"]["points"]),
        "kendall": by_name["kendall_tau_b"],
        "pearson": by_name["pearson"],
    }


def _rounded(money: pay.Money) -> pay.Money:
    return pay.Money(money.amount.quantize(pay.CENT, ROUND_HALF_UP), money.currency)


@require_POST
@requester
def measures_start(request: StudyRequest, study: Study) -> HttpResponseBase:
    asked = request.POST.get("dataset", "")
    datasets = study.datasets.select_related("study")
    dataset = next((each for each in datasets if str(each.pk) == asked), None)
    if dataset is None:
        raise Http404
    here = f"{reverse('measures', args=[study.slug])}?dataset={dataset.pk}"
    return shortcuts.compute(request, MeasuresFigures(study, dataset), here=here)
