"""What each consensus rule would make of a batch, computed in the background and kept with its basis."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import Batch, Judgement
from annotation.views.batches.pages import deciding_batch_of
from jobs import shortcuts
from jobs.models import Job
from pages.templatetags.pages import percent
from stats.aggregation import consensus

KIND = "compare_rules"

requester = guards.study(Role.REQUESTER)


@require_safe
@requester
def batch_rules(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = deciding_batch_of(study, batch)
    computed = _newest(found)
    context = {
        "batch": found,
        "computed": computed,
        "unfinished": _own(found).unfinished().first(),
        "result": computed.result if computed else None,
        "rows": _rows(computed.result) if computed else [],
        "n_now": _n_now(found),
        "level": consensus.LEVEL,
    }
    return render(request, "annotation/batches/rules.html", context)


@require_POST
@requester
def batch_rules_start(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    found = deciding_batch_of(study, batch)
    here = reverse("batch_rules", args=[study.slug, found.pk])
    if not _n_now(found):
        messages.error(request, "There are no counted judgements yet: no rule settles anything.")
        return redirect(here)
    params = {"batch": found.pk}
    return shortcuts.start(request, kind=KIND, key=found.name, params=params, here=here)


def figures(batch: Batch) -> dict[str, str]:
    """What each rule does here, in a sentence; none where nobody computed it for these judgements."""
    computed = _newest(batch)
    if computed is None or computed.result["n_judgements"] != _n_now(batch):
        return {}
    return {row["rule"]: _in_words(row) for row in _rows(computed.result)}


def _in_words(row: dict[str, Any]) -> str:
    settled = f"Here: {row['n_settled']} settled, {row['n_disputed']} in dispute"
    if row["wrong_share"] is None:
        return f"{settled}."
    between = f"{percent(row['low'])} to {percent(row['high'])}"
    return f"{settled}; in simulation {percent(row['wrong_share'])} of those settled wrongly ({between})."


def _rows(result: dict[str, Any]) -> list[dict[str, Any]]:
    """A row a rule: what it makes of the batch, with what it made in simulation."""
    simulated = {each["rule"]: each for each in result["simulated"]}
    without = {"wrong_share": None, "settled_share": None, "reason": "it was not simulated"}
    return [made | simulated.get(made["rule"], without) for made in result["made"]]


def _own(batch: Batch) -> Any:
    return batch.study.jobs.filter(kind=KIND, key=batch.name)


def _newest(batch: Batch) -> Job | None:
    newest: Job | None = _own(batch).newest_done()
    return newest


def _n_now(batch: Batch) -> int:
    """The judgements that rules look at."""
    said = Judgement.objects.counted().filter(assignment__item__batch=batch)
    real = said.filter(assignment__item__n_wanted__isnull=False)
    return real.filter(assignment__item__is_excluded=False).count()
