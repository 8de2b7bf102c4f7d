"""What a draw missed: estimates from its audit sample, computed in the background and kept with their basis."""

from collections.abc import Iterator, Sequence
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
from activity import waking
from activity.models import Job, JobQuerySet
from annotation.models import Batch, BatchState
from exports.missed_answers import basis as missed_answers_basis
from pages import spreadsheet
from sampling.models import Pool
from stats.stratified_estimate import Figure, Missed, read

KIND = "estimate_missed"

requester = guards.study(Role.REQUESTER)

OF_JUDGED = ("distinct_answers", "asked", "settled", "plausible")
OF_FIGURE = ("", "_low", "_high", "_standard_error", "_note")


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
    missed = read(result["missed"])
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
    return waking.start(request, kind=KIND, key=audit.name, params=params, here=here)


@require_safe
@requester
def pool_missed_table(
    request: StudyRequest, study: Study, pool: int, table: str
) -> HttpResponseBase:
    """The strata or the runs as computed last, with every number that the page rounds."""
    audit = _audit(study, pool)
    rows = {"strata": _strata, "runs": _runs}.get(table)
    computed = _computed(audit)
    if rows is None or computed is None:
        raise Http404
    header, *lines = rows(read(computed.result["missed"]))
    return spreadsheet.download(f"missed-{audit.pk}-{table}.csv", header, lines)


def _strata(missed: Missed) -> Iterator[list[Any]]:
    yield ["stratum", *OF_JUDGED, "rate_of_settled", *_columns("plausible_in_all")]
    for each in (missed.drawn, *missed.strata):
        judged = each.judged
        counts = (judged.n_units, judged.n_asked, judged.n_settled, judged.n_plausible)
        yield [each.name, *counts, each.rate, *_cells(each.total)]


def _runs(missed: Missed) -> Iterator[list[Any]]:
    yield [
        "run",
        "answers",
        "settled",
        "rate_of_drawn",
        *_columns("rate_hajek"),
        *_columns("rate_poststratified"),
    ]
    for each in missed.runs:
        yield [
            each.run,
            each.n_units,
            each.n_settled,
            each.drawn_rate,
            *_cells(each.rate),
            *_cells(each.of_all),
        ]


def _columns(name: str) -> list[str]:
    return [f"{name}{end}" for end in OF_FIGURE]


def _cells(figure: Figure) -> list[Any]:
    note = figure.reason or figure.no_interval
    return [figure.value, figure.low, figure.high, figure.error, note]
