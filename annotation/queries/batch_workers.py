"""The work of each annotator in a batch, for organisers."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

from django.db.models import (
    Count,
    Exists,
    ExpressionWrapper,
    F,
    Field,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import Membership, User
from annotation.models import Assignment, AssignmentState, Batch, Cursor, Flag, Item, Judgement
from annotation.queries import few_rows, people_at_work
from stats.annotators import reading_floor
from text.segmentation import n_words

ITEMS_READ = 100  # to know how long the answers of a batch are
ROWS_AT_ONCE = 5000

# What people did in a batch, by person: rows of counts and of the times when they were last active.
Activity = Mapping[int, Mapping[str, Any]]


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


def activity_by_person(batch: Batch) -> Activity:
    """What everybody did who was handed something in the batch."""
    since = timezone.now() - people_at_work.TODAY
    # Of everybody: with the people given, SQLite reads all that they ever did.
    of_batch = Assignment.objects.filter(item__batch=batch)
    states = of_batch.values("annotator").annotate(
        skipped=Count("pk", filter=Q(state=AssignmentState.SKIPPED)),
        claimed=Count("pk", filter=Q(state=AssignmentState.CLAIMED)),
        today=Count("pk", filter=Q(submitted_at__gt=since)),
        last_claimed_at=Max("claimed_at"),
        last_submitted_at=Max("submitted_at"),
    )
    return {row["annotator"]: row for row in states.order_by()}


def people_who_skipped(activity: Activity) -> list[int]:
    """The keys of the people who skipped items."""
    return [person for person, row in activity.items() if row["skipped"]]


def n_working(activity: Activity) -> int:
    """The number of people, none of them simulated, who work in the batch now."""
    working = [
        person
        for person, row in activity.items()
        if people_at_work.is_working(_last_active_at(row))
    ]
    return User.objects.filter(pk__in=working, is_simulated=False).count() if working else 0


def workers(
    batch: Batch, people: Iterable[Membership], n_items: int, activity: Activity
) -> list[Worker]:
    """A Worker for each of these people, in their order; `n_items` is the number of items of the batch."""
    members = list(people)
    least_seconds = reading_floor.least_seconds(_n_words_of_an_answer(batch)) if members else 0
    users = [each.user_id for each in members]
    flagged = _n_flagged_by_person(batch)
    judged = _judged_by_person(batch)
    cursors = Cursor.objects.filter(batch=batch, annotator__in=users, is_paused=True)
    paused = set(cursors.values_list("annotator", flat=True))
    return [
        Worker(
            member=each.pk,
            pseudonym=each.pseudonym,
            name=each.user.username,
            is_paused=each.user_id in paused,
            n_judged=judged[each.user_id].n,
            n_today=activity[each.user_id]["today"],
            n_most=people_at_work.most_items(batch, n_items),
            n_surplus=judged[each.user_id].n_surplus,
            n_skipped=activity[each.user_id]["skipped"],
            n_flagged=flagged.get(each.user_id, 0),
            n_claimed=activity[each.user_id]["claimed"],
            median_seconds=judged[each.user_id].median_seconds,
            last_active_at=_last_active_at(activity[each.user_id]),
            is_too_fast=judged[each.user_id].is_below(least_seconds),
        )
        for each in members
    ]


def _n_flagged_by_person(batch: Batch) -> dict[int, int]:
    """The number of flags on the batch's items by person.

    From the flags, of which there are few: with the people given, SQLite reads all that they ever did.
    """
    flags = few_rows.at(Flag.objects.order_by(), "assignment__item__batch", [batch.pk])
    counts: dict[int, int] = Counter(flags.values_list("assignment__annotator", flat=True))
    return counts


@dataclass(frozen=True)
class _Judged:
    """The current judgements of one person in a batch."""

    n: int = 0
    n_surplus: int = 0
    median_seconds: float | None = None

    def is_below(self, least: float) -> bool:
        """Whether the median of enough judgements is below the shortest time that reading takes."""
        if self.median_seconds is None or self.n < reading_floor.LEAST_JUDGEMENTS:
            return False
        return self.median_seconds < least


def _judged_by_person(batch: Batch) -> dict[int, _Judged]:
    """What each person judged in the batch."""
    rows = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch).order_by()
    seconds: dict[int, list[float]] = defaultdict(list)
    surplus: Counter[int] = Counter()
    columns = ("assignment__annotator", "active_seconds", unconverted("is_surplus"))
    for person, took, late in rows.values_list(*columns).iterator(ROWS_AT_ONCE):
        seconds[person].append(took)
        if late:
            surplus[person] += 1
    found: dict[int, _Judged] = defaultdict(_Judged)
    for person, took in seconds.items():
        found[person] = _Judged(len(took), surplus[person], median(took))
    return found


def unconverted(column: str) -> "ExpressionWrapper[Any]":
    """The column's value as the database has it: to convert a boolean of each row takes as long as to read the row."""
    return ExpressionWrapper(F(column), output_field=Field())


def _last_active_at(row: Mapping[str, Any]) -> datetime | None:
    return max(filter(None, (row["last_claimed_at"], row["last_submitted_at"])), default=None)


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
