"""What a draw missed: estimates from its audit sample, computed in the background and kept with their basis."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import Batch, BatchState
from exports.missed_answers import basis as missed_answers_basis
from jobs import shortcuts
from jobs.models import Job, JobQuerySet
from pages import spreadsheet
from sampling.models import Pool
from stats.stratified_estimate import Figure, Missed, RunFigure, StratumFigure, from_json

KIND = "estimate_missed"

requester = guards.study(Role.REQUESTER)


def _audit(study: Study, pk: int) -> Pool:
    pools = study.pools.select_related("dataset__study", "audit_of__dataset__study")
    return get_object_or_404(pools, pk=pk, audit_of__isnull=False)


def _jobs(audit: Pool) -> JobQuerySet:
    return Job.objects.filter(study=audit.study_id, kind=KIND, key=audit.name)


def _computed(audit: Pool) -> Job | None:
    """The newest that is done."""
    return _jobs(audit).newest_done()


@require_safe
@requester
def pool_missed(request: StudyRequest, study: Study, pool: int) -> HttpResponse:
    """Of an audit sample: what the pool that it is of missed, and the rates of the runs, as computed last."""
    audit = _audit(study, pool)
    batches = list(missed_answers_basis.asking(audit).order_by("-created_at", "-pk"))
    computed = _computed(audit)
    context = {
        "audit": audit,
        "pool": audit.audit_of,
        "computed": computed,
        "unfinished": _jobs(audit).unfinished().first(),
        "is_judged": any(batch.state == BatchState.CLOSED for batch in batches),
        "waiting": list(_waiting(audit, batches)),
        **(_found(audit, computed.result) if computed else {}),
    }
    return render(request, "exports/missed_answers/missed.html", context)


def _found(audit: Pool, result: dict[str, Any]) -> dict[str, Any]:
    missed = from_json(result["missed"])
    return {
        "missed": missed,
        "strata": [each for each in missed.strata if each.judged.n_units],
        "n_unsettled": sum(each.judged.n_asked - each.judged.n_settled for each in missed.strata),
        "outside": result["outside"],
        "is_rehearsal": result["is_rehearsal"],
        "has_changed": missed_answers_basis.has_changed(audit, result["basis"]),
    }


def _waiting(audit: Pool, batches: Sequence[Batch]) -> Iterator[tuple[Pool, Batch | None]]:
    """Which of the two is not judged yet, with the batch that is to be closed and settled."""
    is_rehearsal = bool(batches) and all(batch.is_rehearsal for batch in batches)
    counting = [batch for batch in batches if batch.is_rehearsal == is_rehearsal]
    for pool in (audit.audit_of, audit):
        if pool is not None:
            own = [batch for batch in counting if batch.pool_id == pool.pk]
            if not any(batch.state == BatchState.CLOSED for batch in own):
                yield pool, next(iter(own), None)


@require_POST
@requester
def pool_missed_start(request: StudyRequest, study: Study, pool: int) -> HttpResponseBase:
    audit = _audit(study, pool)
    here = reverse("pool_missed", args=[study.slug, audit.pk])
    if not missed_answers_basis.asking(audit).filter(state=BatchState.CLOSED).exists():
        messages.error(
            request, "Nobody has judged it yet: it takes a plausibility batch that is closed."
        )
        return redirect(here)
    params = {"pool": audit.pk}
    return shortcuts.start(request, kind=KIND, key=audit.name, params=params, here=here)


@require_safe
@requester
def pool_missed_table(
    request: StudyRequest, study: Study, pool: int, table: str
) -> HttpResponseBase:
    """The strata or the runs as computed last, with every number that the page rounds."""
    audit = _audit(study, pool)
    computed = _computed(audit)
    if table not in TABLES or computed is None:
        raise Http404
    columns, rows = TABLES[table]
    lines = rows(from_json(computed.result["missed"]))
    return spreadsheet.download_table(f"missed-{audit.pk}-{table}.csv", columns, lines)


def _figure(name: str, figure: Callable[[Any], Figure]) -> dict[str, Callable[[Any], object]]:
    """Returns the columns of a figure."""
    return {
        name: lambda row: figure(row).value,
        f"{name}_low": lambda row: figure(row).low,
        f"{name}_high": lambda row: figure(row).high,
        f"{name}_standard_error": lambda row: figure(row).error,
        f"{name}_note": lambda row: figure(row).reason or figure(row).no_interval,
    }


STRATA: spreadsheet.Columns[StratumFigure] = {
    "stratum": lambda row: row.name,
    "distinct_answers": lambda row: row.judged.n_units,
    "asked": lambda row: row.judged.n_asked,
    "settled": lambda row: row.judged.n_settled,
    "plausible": lambda row: row.judged.n_plausible,
    "rate_of_settled": lambda row: row.rate,
    **_figure("plausible_in_all", lambda row: row.total),
}
RUNS: spreadsheet.Columns[RunFigure] = {
    "run": lambda row: row.run,
    "answers": lambda row: row.n_units,
    "settled": lambda row: row.n_settled,
    "rate_of_drawn": lambda row: row.drawn_rate,
    **_figure("rate_hajek", lambda row: row.rate),
    **_figure("rate_poststratified", lambda row: row.of_all),
}
# Table -> its columns, and its rows in an estimate.
TABLES: dict[str, tuple[spreadsheet.Columns[Any], Callable[[Missed], Sequence[Any]]]] = {
    "strata": (STRATA, lambda missed: (missed.drawn, *missed.strata)),
    "runs": (RUNS, lambda missed: missed.runs),
}
