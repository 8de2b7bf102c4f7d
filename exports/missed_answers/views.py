"""The pages of missed answers, estimated from an audit sample; a job computes the estimates."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import Batch, BatchState
from exports.missed_answers.stored_figures import MissedFigures, MissedResult
from jobs import shortcuts
from pages import spreadsheet
from sampling.models import Pool
from stats.stratified_estimate import Figure, Missed, RunFigure, StratumFigure, from_json

requester = guards.study(Role.REQUESTER)


def _stored(study: Study, pk: int) -> MissedFigures:
    pools = study.pools.select_related("dataset__study", "audit_of__dataset__study")
    return MissedFigures(study, get_object_or_404(pools, pk=pk, audit_of__isnull=False))


@require_safe
@requester
def pool_missed(request: StudyRequest, study: Study, pool: int) -> HttpResponse:
    """The newest estimates of what the pool of an audit sample missed, and of the runs' rates."""
    stored = _stored(study, pool)
    context = {
        "audit": stored.audit,
        "pool": stored.audit.audit_of,
        "stored": stored,
        "unjudged_pools": list(_unjudged_pools(stored.audit, stored.counted_batches)),
        **(_estimate_context(stored.result) if stored.result else {}),
    }
    return render(request, "exports/missed_answers/missed.html", context)


def _estimate_context(result: MissedResult) -> dict[str, Any]:
    missed = from_json(result["missed"])
    return {
        "missed": missed,
        "strata": [each for each in missed.strata if each.judged.n_units],
        "n_unsettled": sum(each.judged.n_asked - each.judged.n_settled for each in missed.strata),
        "outside": result["outside"],
        "is_rehearsal": result["is_rehearsal"],
    }


def _unjudged_pools(
    audit: Pool, counted_batches: Sequence[Batch]
) -> Iterator[tuple[Pool, Batch | None]]:
    """The pool and the audit sample if they have no closed batch, with the batch to close, or None."""
    for pool in (audit.audit_of, audit):
        if pool is not None:
            own = [batch for batch in counted_batches if batch.pool_id == pool.pk]
            if not any(batch.state == BatchState.CLOSED for batch in own):
                yield pool, next(iter(own), None)


@require_POST
@requester
def pool_missed_start(request: StudyRequest, study: Study, pool: int) -> HttpResponseBase:
    here = reverse("pool_missed", args=[study.slug, pool])
    return shortcuts.compute(request, _stored(study, pool), here=here)


@require_safe
@requester
def pool_missed_table(
    request: StudyRequest, study: Study, pool: int, table: str
) -> HttpResponseBase:
    """The strata or the runs of the newest estimates as CSV, not rounded."""
    stored = _stored(study, pool)
    result = stored.result
    if table not in TABLES or result is None:
        raise Http404
    columns, rows = TABLES[table]
    lines = rows(from_json(result["missed"]))
    name = stored.file_name(f"missed-{pool}-{table}.csv")
    return spreadsheet.download_table(name, columns, lines)


def _figure(name: str, figure: Callable[[Any], Figure]) -> dict[str, Callable[[Any], Any]]:
    """Return the columns of a figure."""
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
    **_figure("rate_poststratified", lambda row: row.of_all),
    "rate_hajek": lambda row: row.hajek.value,
    "rate_hajek_standard_error": lambda row: row.hajek.error,
    "rate_hajek_note": lambda row: row.hajek.reason or row.hajek.no_interval,
}
# Table -> its columns, and its rows in an estimate.
TABLES: dict[str, tuple[spreadsheet.Columns[Any], Callable[[Missed], Sequence[Any]]]] = {
    "strata": (STRATA, lambda missed: (missed.drawn, *missed.strata)),
    "runs": (RUNS, lambda missed: missed.runs),
}
