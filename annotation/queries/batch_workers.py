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
from annotation.queries.medians import Median
from stats.annotators import reading_floor
from text.segmentation import n_words

ITEMS_READ = 100  # to know how long the answers of a batch are


@dataclass(frozen=True)
class PersonActivity:
    """What one person did in a batch, by the names in Worker."""

    n_judged: int = 0
    n_surplus: int = 0
    n_today: int = 0
    n_skipped: int = 0
    n_claimed: int = 0
    median_seconds: float | None = None
    last_active_at: datetime | None = None

    def is_below(self, least: float) -> bool:
        """Whether the median of enough judgements is below the shortest time that reading takes."""
        if self.median_seconds is None or self.n_judged < reading_floor.LEAST_JUDGEMENTS:
            return False
        return self.median_seconds < least


Activity = Mapping[int, PersonActivity]


@dataclass(frozen=True)
class Worker:
    """The work of one annotator in a batch. Times are active seconds for an item."""

    member: int  # the key of their membership
    pseudonym: str
    name: str
    is_paused: bool
    n_judged: int
    n_today: int  # judgements of the last 24 hours
    n_most: (
        int  # items that they can judge in the batch, with the control items that they were handed
    )
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
    """What everybody did who was handed something in the batch; of anybody else, an Activity of nothing."""
    found: dict[int, PersonActivity] = defaultdict(PersonActivity)
    judged, not_submitted = _judged_by_person(batch), _not_submitted_by_person(batch)
    for person in judged.keys() | not_submitted.keys():
        own, other = judged.get(person, {}), not_submitted.get(person, {})
        times = (
            own.pop("last_active_at", None),
            other.get("claimed_at"),
            other.get("submitted_at"),
        )
        found[person] = PersonActivity(
            **own,
            n_skipped=other.get("skipped", 0),
            n_claimed=other.get("claimed", 0),
            last_active_at=max(filter(None, times), default=None),
        )
    return found


def _not_submitted_by_person(batch: Batch) -> dict[int, dict[str, Any]]:
    """The assignments that are not submitted, which are few, counted by person.

    Found by the people who were handed something: by assignments SQLite scans all items.
    """
    people = Cursor.objects.filter(batch=batch).values("annotator")
    others = [state for state in AssignmentState if state != AssignmentState.SUBMITTED]
    rows = few_rows.at(
        Assignment.objects.filter(annotator__in=people, state__in=others).order_by(),
        "item__batch",
        [batch.pk],
    )
    counted = rows.values("annotator").annotate(
        skipped=Count("pk", filter=Q(state=AssignmentState.SKIPPED)),
        claimed=Count("pk", filter=Q(state=AssignmentState.CLAIMED)),
        claimed_at=Max("claimed_at"),
        submitted_at=Max("submitted_at"),
    )
    return {row["annotator"]: dict(row) for row in counted}


def people_who_skipped(activity: Activity) -> list[int]:
    """The keys of the people who skipped items."""
    return [person for person, each in activity.items() if each.n_skipped]


def n_working(activity: Activity) -> int:
    """The number of people, none of them simulated, who work in the batch now."""
    working = [
        person
        for person, each in activity.items()
        if people_at_work.is_working(each.last_active_at)
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
    cursors = Cursor.objects.filter(batch=batch, annotator__in=users)
    of_person = {each.annotator_id: each for each in cursors}
    most = people_at_work.most_items(batch, n_items)
    return [
        Worker(
            member=each.pk,
            pseudonym=each.pseudonym,
            name=each.user.username,
            is_paused=(cursor := of_person[each.user_id]).is_paused,
            n_judged=(own := activity[each.user_id]).n_judged,
            n_today=own.n_today,
            # The items of a training are control items, and counted already.
            n_most=most if batch.is_training else most + cursor.n_controls,
            n_surplus=own.n_surplus,
            n_skipped=own.n_skipped,
            n_flagged=flagged.get(each.user_id, 0),
            n_claimed=own.n_claimed,
            median_seconds=own.median_seconds,
            last_active_at=own.last_active_at,
            is_too_fast=own.is_below(least_seconds),
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


def _judged_by_person(batch: Batch) -> dict[int, dict[str, Any]]:
    """The judgements of each person in the batch that are not withdrawn, counted; by the names in PersonActivity."""
    rows = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch).order_by()
    since = timezone.now() - people_at_work.TODAY
    counted = rows.values("assignment__annotator").annotate(
        n_judged=Count("pk"),
        n_surplus=Count("pk", filter=Q(is_surplus=True)),
        n_today=Count("pk", filter=Q(submitted_at__gt=since)),
        median_seconds=Median("active_seconds"),
        last_active_at=Max("submitted_at"),
    )
    found: list[dict[str, Any]] = list(map(dict, counted))
    return {row.pop("assignment__annotator"): row for row in found}


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
