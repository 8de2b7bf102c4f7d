"""What the estimates of an audit sample rest on: while it is the same, so are they. Cheap to ask."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Max, Q, QuerySet

from annotation.models import Batch, BatchState, Verdict
from annotation.schemes import ACCEPTANCE
from sampling.models import Pool


def asking(audit: Pool) -> QuerySet[Batch]:
    """The plausibility batches on the audit sample or on the pool that it is of."""
    return Batch.objects.filter(
        Q(pool=audit) | Q(pool=audit.audit_of_id), scheme=ACCEPTANCE.name
    ).order_by("pk")


def _as_they_stand(audit: Pool) -> list[list[Any]]:
    return [list(row) for row in asking(audit).values_list("pk", "state", "is_rehearsal")]


def basis(audit: Pool) -> dict[str, Any]:
    """The batches as they stand, and the newest verdict of all. Verdicts are only ever added."""
    return {
        "batches": _as_they_stand(audit),
        "verdict": Verdict.objects.aggregate(newest=Max("pk"))["newest"] or 0,
    }


def has_changed(audit: Pool, then: Mapping[str, Any]) -> bool:
    """Whether a batch was opened, closed or opened again since, or a verdict came to one that is closed."""
    now = _as_they_stand(audit)
    if now != then["batches"]:
        return True
    closed = [pk for pk, state, _ in now if state == BatchState.CLOSED]
    later = Verdict.objects.filter(pk__gt=then["verdict"], item__batch__in=closed)
    return bool(closed) and later.exists()
