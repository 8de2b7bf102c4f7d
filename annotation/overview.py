"""How far batches have come, for those who look after them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.expressions import CombinedExpression

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Flag,
    Item,
    Judgement,
    Verdict,
    VerdictState,
)


@dataclass(frozen=True)
class BatchLine:
    """A batch and how much of what it asks for is there. Counts are judgements unless they say items."""

    batch: Batch
    n_items: int
    n_wanted: int
    n_claimed: int
    n_counted: int
    n_verdicts: int
    n_disputed: int

    @property
    def n_left(self) -> int:
        return self.n_wanted - self.n_claimed - self.n_counted

    @property
    def is_settled(self) -> bool:
        closed = self.batch.state == BatchState.CLOSED
        return closed and 0 < self.n_items == self.n_verdicts


def lines(batches: QuerySet[Batch] | Iterable[Batch]) -> list[BatchLine]:
    """The batches with their counts, in their order, by three queries however many there are."""
    wanted = list(batches)
    keys = [batch.pk for batch in wanted]
    items = {
        row["batch"]: row
        for row in Item.objects.real()
        .filter(batch__in=keys)
        .order_by()
        .values("batch")
        .annotate(
            n=Count("pk"), asked=Sum(_asked()), claimed=Sum("n_claimed"), counted=Sum("n_counted")
        )
    }
    verdicts = {
        row["item__batch"]: row
        for row in Verdict.objects.current()
        .filter(item__batch__in=keys)
        .order_by()
        .values("item__batch")
        .annotate(n=Count("pk"), disputed=Count("pk", filter=Q(state=VerdictState.DISPUTED)))
    }
    return [_line(batch, items.get(batch.pk, {}), verdicts.get(batch.pk, {})) for batch in wanted]


def _asked() -> CombinedExpression:
    """Judgements that an item asks for: its places that are not shut."""
    return F("n_open") + F("n_claimed") + F("n_counted")


def _line(batch: Batch, items: Mapping[str, Any], verdicts: Mapping[str, Any]) -> BatchLine:
    return BatchLine(
        batch=batch,
        n_items=items.get("n", 0),
        n_wanted=items.get("asked", 0),
        n_claimed=items.get("claimed", 0),
        n_counted=items.get("counted", 0),
        n_verdicts=verdicts.get("n", 0),
        n_disputed=verdicts.get("disputed", 0),
    )


@dataclass(frozen=True)
class Worker:
    """What one annotator did in a batch. Times in seconds of active work on an item."""

    pseudonym: str
    name: str
    n_judged: int
    n_surplus: int
    n_skipped: int
    n_flagged: int
    n_claimed: int
    median_seconds: float | None


def workers(batch: Batch) -> list[Worker]:
    """Everybody who was handed something in the batch, by number."""
    own = Assignment.objects.filter(item__batch=batch)
    states = own.values("annotator").annotate(
        skipped=Count("pk", filter=Q(state=AssignmentState.SKIPPED)),
        claimed=Count("pk", filter=Q(state=AssignmentState.CLAIMED)),
    )
    flags = Flag.objects.filter(assignment__item__batch=batch).values("assignment__annotator")
    flagged = dict(flags.annotate(n=Count("pk")).values_list("assignment__annotator", "n"))
    seconds: dict[int, list[float]] = {}
    surplus: dict[int, int] = {}
    standing = Judgement.objects.standing().filter(assignment__item__batch=batch)
    for person, took, is_surplus in standing.values_list(
        "assignment__annotator", "active_seconds", "is_surplus"
    ):
        seconds.setdefault(person, []).append(took)
        surplus[person] = surplus.get(person, 0) + is_surplus
    members = {
        each.user_id: each
        for each in batch.study.memberships.select_related("user").filter(
            user__in=own.values("annotator")
        )
    }
    found = [
        Worker(
            pseudonym=members[row["annotator"]].pseudonym,
            name=members[row["annotator"]].user.username,
            n_judged=len(seconds.get(row["annotator"], [])),
            n_surplus=surplus.get(row["annotator"], 0),
            n_skipped=row["skipped"],
            n_flagged=flagged.get(row["annotator"], 0),
            n_claimed=row["claimed"],
            median_seconds=_median(seconds.get(row["annotator"], [])),
        )
        for row in states.order_by()
    ]
    return sorted(found, key=lambda each: each.pseudonym)


def _median(values: list[float]) -> float | None:
    """None of nothing."""
    return median(values) if values else None


def endings(batch: Batch) -> list[tuple[str, int]]:
    """How the batch's items ended: labels, reasons of what was set aside, disputes; the most first."""
    current = Verdict.objects.current().filter(item__batch=batch).order_by()
    rows = current.values_list("state", "label", "set_aside_reason").annotate(n=Count("pk"))
    named = [
        (label or (f"set aside: {reason}" if reason else str(VerdictState(state).value)), n)
        for state, label, reason, n in rows
    ]
    return sorted(named, key=lambda each: (-each[1], each[0]))
