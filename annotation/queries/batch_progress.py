"""The progress of batches, for organisers."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, F, Q, QuerySet, Sum, When
from django.db.models.expressions import CombinedExpression

from annotation import schemes
from annotation.models import Batch, BatchState, Item, Verdict, VerdictState
from annotation.queries.verdict_groups import Group


@dataclass(frozen=True)
class BatchLine:
    """A batch with its counts: of judgements, unless the name says items, verdicts or disputes."""

    batch: Batch
    n_items: int
    n_wanted: int
    n_claimed: int
    n_counted: int
    n_verdicts: int
    n_disputed: int
    n_set_aside: int = 0

    @property
    def n_left(self) -> int:
        return self.n_wanted - self.n_claimed - self.n_counted

    @property
    def has_verdict(self) -> bool:
        """Whether the batch's items end with a label, so that it can be settled."""
        return schemes.get(self.batch.scheme).has_verdict

    @property
    def is_comparison(self) -> bool:
        """Whether the batch compares systems."""
        return self.role == schemes.SchemeRole.COMPARISON

    @property
    def role(self) -> schemes.SchemeRole:
        return schemes.get(self.batch.scheme).role

    @property
    def is_released(self) -> bool:
        """Whether a release of a data set takes the batch once it is closed."""
        return schemes.get(self.batch.scheme).is_released

    @property
    def is_settled(self) -> bool:
        closed = self.batch.state == BatchState.CLOSED
        return closed and 0 < self.n_items == self.n_verdicts


def batch_lines(batches: QuerySet[Batch] | Iterable[Batch]) -> list[BatchLine]:
    """The batches with their counts, in their order. Always three queries."""
    in_order = list(batches)
    keys = [batch.pk for batch in in_order]
    items = _items(keys)
    verdicts = {
        row["item__batch"]: row
        for row in Verdict.objects.current()
        .filter(item__batch__in=keys)
        .order_by()
        .values("item__batch")
        .annotate(
            n=Count("pk"),
            disputed=Count("pk", filter=Q(state=VerdictState.DISPUTED)),
            set_aside=Count("pk", filter=Q(state=VerdictState.SET_ASIDE)),
        )
    }
    return [_line(batch, items.get(batch.pk, {}), verdicts.get(batch.pk, {})) for batch in in_order]


def batch_line(batch: Batch, groups: Collection[Group]) -> BatchLine:
    """The batch with its counts, of which those of its verdicts are known."""
    verdicts = {
        "n": sum(each.n for each in groups),
        "disputed": sum(each.n for each in groups if each.state == VerdictState.DISPUTED),
        "set_aside": sum(each.n for each in groups if each.state == VerdictState.SET_ASIDE),
    }
    return _line(batch, _items([batch.pk]).get(batch.pk, {}), verdicts)


def _items(batches: Iterable[int]) -> dict[int, Mapping[str, Any]]:
    """Counts of the items of each of these batches that has some."""
    counts = (
        Item.objects.real()
        .filter(batch__in=batches)
        .order_by()
        .values("batch")
        .annotate(
            n=Count("pk"), asked=Sum(_n_asked()), claimed=Sum("n_claimed"), counted=Sum("n_counted")
        )
    )
    return {row["batch"]: row for row in counts}


def _n_asked() -> CombinedExpression:
    """The number of judgements that an item asks for: its places that are neither closed nor excluded."""
    claimable = Case(When(is_excluded=False, then=F("n_open") + F("n_reserved")), default=0)
    return claimable + F("n_claimed") + F("n_counted")


def _line(batch: Batch, items: Mapping[str, Any], verdicts: Mapping[str, Any]) -> BatchLine:
    return BatchLine(
        batch=batch,
        n_items=items.get("n", 0),
        n_wanted=items.get("asked", 0),
        n_claimed=items.get("claimed", 0),
        n_counted=items.get("counted", 0),
        n_verdicts=verdicts.get("n", 0),
        n_disputed=verdicts.get("disputed", 0),
        n_set_aside=verdicts.get("set_aside", 0),
    )


@dataclass(frozen=True)
class OutcomeKind:
    """A kind of outcome: the state of a verdict, with its label or the reason why there is none."""

    state: str
    label: str
    reason: str

    @property
    def words(self) -> str:
        if self.state == VerdictState.DISPUTED:
            return "in dispute"
        return self.label or f"set aside: {self.reason}"

    @property
    def key(self) -> str:
        """Its name in the query string of a page."""
        return self.label or self.reason or self.state


def outcome_counts(groups: Iterable[Group]) -> list[tuple[OutcomeKind, int]]:
    """The kinds of outcome in a batch with their numbers of items, the most frequent first."""
    counts: Counter[OutcomeKind] = Counter()
    for each in groups:
        counts[OutcomeKind(each.state, each.label, each.set_aside_reason)] += each.n
    return sorted(counts.items(), key=lambda each: (-each[1], each[0].words))
