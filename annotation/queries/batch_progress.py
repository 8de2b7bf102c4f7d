"""The progress of batches, for organisers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

from django.db.models import Case, Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import Membership
from annotation import schemes
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Cursor,
    Flag,
    Item,
    Judgement,
    Verdict,
    VerdictState,
)
from annotation.queries import people_at_work
from stats.annotators import reading_floor
from text.segmentation import n_words

ITEMS_READ = 100  # to know how long the answers of a batch are


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

    @property
    def n_left(self) -> int:
        return self.n_wanted - self.n_claimed - self.n_counted

    @property
    def has_verdict(self) -> bool:
        """Whether the batch's items end with a label, so that it can be settled."""
        return schemes.get(self.batch.scheme).has_verdict

    @property
    def is_comparison(self) -> bool:
        """Whether the batch compares systems, so that no release takes it."""
        return schemes.get(self.batch.scheme).role == schemes.SchemeRole.COMPARISON

    @property
    def is_settled(self) -> bool:
        closed = self.batch.state == BatchState.CLOSED
        return closed and 0 < self.n_items == self.n_verdicts


def batch_lines(batches: QuerySet[Batch] | Iterable[Batch]) -> list[BatchLine]:
    """The batches with their counts, in their order. Always three queries."""
    in_order = list(batches)
    keys = [batch.pk for batch in in_order]
    items = {
        row["batch"]: row
        for row in Item.objects.real()
        .filter(batch__in=keys)
        .order_by()
        .values("batch")
        .annotate(
            n=Count("pk"), asked=Sum(_n_asked()), claimed=Sum("n_claimed"), counted=Sum("n_counted")
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
    return [_line(batch, items.get(batch.pk, {}), verdicts.get(batch.pk, {})) for batch in in_order]


def _n_asked() -> CombinedExpression:
    """The number of judgements that an item asks for: its places that are neither closed nor excluded."""
    claimable = Case(When(is_excluded=False, then=F("n_open")), default=0)
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
    )


@dataclass(frozen=True)
class Worker:
    """The work of one annotator in a batch. Times are active seconds for an item."""

    member: int  # the key of their membership
    pseudonym: str
    name: str
    is_paused: bool
    n_judged: int
    n_today: int  # judgements of the last 24 hours
    n_most: int  # items that one person can judge in the batch
    n_surplus: int
    n_skipped: int
    n_flagged: int
    n_claimed: int
    median_seconds: float | None
    last_active_at: datetime | None  # of their claims and submissions
    is_too_fast: bool  # most of it takes less time than reading takes

    @property
    def is_working(self) -> bool:
        return people_at_work.is_working(self.last_active_at)


def members_at_work(batch: Batch) -> QuerySet[Membership]:
    """Everybody who was handed something in the batch, ordered by number; can be ordered by the counts of a Worker."""
    own = Assignment.objects.filter(item__batch=batch, annotator=OuterRef("user"))
    of_own = {"assignment__item__batch": batch, "assignment__annotator": OuterRef("user")}
    surplus = Judgement.objects.not_withdrawn().filter(is_surplus=True, **of_own)
    # By cursors, because by assignments SQLite scans all items for each member.
    handed = Cursor.objects.filter(batch=batch, annotator=OuterRef("user"), n_taken__gt=0)
    members = batch.study.memberships.filter(Exists(handed)).select_related("user")
    return members.order_by("number").alias(
        n_judged=_n_rows(own.filter(state=AssignmentState.SUBMITTED), "annotator"),
        n_skipped=_n_rows(own.filter(state=AssignmentState.SKIPPED), "annotator"),
        n_claimed=_n_rows(own.claimed(), "annotator"),
        n_flagged=_n_rows(Flag.objects.filter(**of_own), "assignment__annotator"),
        n_surplus=_n_rows(surplus, "assignment__annotator"),
    )


def _n_rows(rows: QuerySet[Any], whose: str) -> Coalesce:
    """The number of rows of the person in the outer query."""
    counted = rows.order_by().values(whose).annotate(n=Count("pk"))
    return Coalesce(Subquery(counted.values("n")), 0)


def workers(batch: Batch, people: Iterable[Membership], n_items: int) -> list[Worker]:
    """A Worker for each of these people, in their order; `n_items` is the number of items of the batch."""
    members = list(people)
    least_seconds = reading_floor.least_seconds(_n_words_of_an_answer(batch)) if members else 0
    users = [each.user_id for each in members]
    own = Assignment.objects.filter(item__batch=batch, annotator__in=users)
    states = own.values("annotator").annotate(
        skipped=Count("pk", filter=Q(state=AssignmentState.SKIPPED)),
        claimed=Count("pk", filter=Q(state=AssignmentState.CLAIMED)),
        last_claimed_at=Max("claimed_at"),
        last_submitted_at=Max("submitted_at"),
    )
    of_own = {"assignment__item__batch": batch, "assignment__annotator__in": users}
    flags = Flag.objects.filter(**of_own).order_by().values("assignment__annotator")
    flagged = dict(flags.annotate(n=Count("pk")).values_list("assignment__annotator", "n"))
    seconds: dict[int, list[float]] = {}
    surplus: dict[int, int] = {}
    today: dict[int, int] = {}
    since = timezone.now() - people_at_work.TODAY
    judgements = Judgement.objects.not_withdrawn().filter(**of_own).order_by()
    for person, took, is_surplus, at in judgements.values_list(
        "assignment__annotator", "active_seconds", "is_surplus", "submitted_at"
    ):
        today[person] = today.get(person, 0) + (at > since)
        seconds.setdefault(person, []).append(took)
        surplus[person] = surplus.get(person, 0) + is_surplus
    counts_by_user = {row["annotator"]: row for row in states.order_by()}
    cursors = Cursor.objects.filter(batch=batch, annotator__in=users, is_paused=True)
    paused = set(cursors.values_list("annotator", flat=True))
    return [
        Worker(
            member=each.pk,
            pseudonym=each.pseudonym,
            name=each.user.username,
            is_paused=each.user_id in paused,
            n_judged=len(seconds.get(each.user_id, [])),
            n_today=today.get(each.user_id, 0),
            n_most=people_at_work.most_items(batch, n_items),
            n_surplus=surplus.get(each.user_id, 0),
            n_skipped=counts_by_user[each.user_id]["skipped"],
            n_flagged=flagged.get(each.user_id, 0),
            n_claimed=counts_by_user[each.user_id]["claimed"],
            median_seconds=_median(seconds.get(each.user_id, [])),
            last_active_at=_last_active_at(counts_by_user[each.user_id]),
            is_too_fast=_is_below(seconds.get(each.user_id, []), least_seconds),
        )
        for each in members
    ]


def _median(values: list[float]) -> float | None:
    """None for an empty list."""
    return median(values) if values else None


def _last_active_at(row: Mapping[str, Any]) -> datetime | None:
    return max(filter(None, (row["last_claimed_at"], row["last_submitted_at"])), default=None)


def _is_below(seconds: list[float], least: float) -> bool:
    """Whether the median of enough judgements is below the shortest time that reading takes."""
    return len(seconds) >= reading_floor.LEAST_JUDGEMENTS and median(seconds) < least


def _n_words_of_an_answer(batch: Batch) -> float:
    """The median over the first items of the words of the answers that a screen shows."""
    items = Item.objects.filter(batch=batch).order_by("position")[:ITEMS_READ]
    return median(
        [
            sum(n_words(answer["text"]) for answer in answers or ())
            for answers in items.values_list("payload__answers", flat=True)
        ]
        or [0]
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


def outcome_counts(batch: Batch) -> list[tuple[OutcomeKind, int]]:
    """The kinds of outcome in the batch with their numbers of items, the most frequent first."""
    current = Verdict.objects.current().filter(item__batch=batch).order_by()
    rows = current.values_list("state", "label", "set_aside_reason").annotate(n=Count("pk"))
    counts = [(OutcomeKind(state, label, reason), n) for state, label, reason, n in rows]
    return sorted(counts, key=lambda each: (-each[1], each[0].words))
