"""What a draw missed: estimates from its audit sample, once people have judged it."""

from collections.abc import Iterator
from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import Batch, BatchState
from exports.missed import Figure, Missed, estimate
from exports.tables.audits import Audited, audited
from pages import spreadsheet
from sampling.models import Pool

requester = guards.study(Role.REQUESTER)

OF_JUDGED = ("distinct_answers", "asked", "settled", "plausible")
OF_FIGURE = ("", "_low", "_high", "_standard_error", "_note")


def _audit(study: Study, pk: int) -> Pool:
    pools = study.pools.select_related("dataset__study", "audit_of__dataset__study")
    return get_object_or_404(pools, pk=pk, audit_of__isnull=False)


def _estimated(audit: Pool) -> tuple[Audited, Missed]:
    found = audited(audit)
    return found, estimate(found.drawn, found.left_out)


@require_safe
@requester
def pool_missed(request: StudyRequest, study: Study, pool: int) -> HttpResponse:
    """Of an audit sample: what the pool that it is of missed, and the rates of the runs."""
    audit = _audit(study, pool)
    found, missed = _estimated(audit)
    context = {
        "audit": audit,
        "pool": audit.audit_of,
        "missed": missed,
        "strata": [each for each in missed.strata if each.judged.n_units],
        "n_unsettled": sum(each.judged.n_asked - each.judged.n_settled for each in missed.strata),
        "outside": found.outside,
        "is_rehearsal": found.is_rehearsal,
        "waiting": list(_waiting(audit, is_rehearsal=found.is_rehearsal)),
    }
    return render(request, "exports/missed.html", context)


def _waiting(audit: Pool, *, is_rehearsal: bool) -> Iterator[tuple[Pool, Batch | None]]:
    """Which of the two is not judged yet, with the batch that is to be closed and settled."""
    for pool in (audit.audit_of, audit):
        if pool is not None:
            asking = pool.batches.filter(scheme="plausibility", is_rehearsal=is_rehearsal)
            if not asking.filter(state=BatchState.CLOSED).exists():
                yield pool, asking.order_by("-created_at", "-pk").first()


@require_safe
@requester
def pool_missed_table(
    request: StudyRequest, study: Study, pool: int, table: str
) -> HttpResponseBase:
    """The strata or the runs, with every number that the page rounds."""
    audit = _audit(study, pool)
    rows = {"strata": _strata, "runs": _runs}.get(table)
    if rows is None:
        raise Http404
    header, *lines = rows(_estimated(audit)[1])
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
        *_columns("rate_horvitz_thompson"),
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
