"""The progress and the pace of an annotator in their batches."""

import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Sum, Window
from django.db.models.functions import RowNumber

from accounts.models import User
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Cursor,
    Item,
    Judgement,
    Review,
)
from annotation.queries import hidden_items, recent_judgements, reservations, training
from annotation.queries.reservations import Part
from performance.compiled_queries import Compiled
from sampling.pay import Money

# A person's pace is the median time of at most this many of their latest judgements in the batch, and None for
# fewer than the least.
PACE_FROM, LEAST_FOR_PACE = 50, 3
# At the desk the count of items that may still come ends here: nobody needs to know whether it is 4,000 or 5,000.
MOST_COUNTED = 1000
# Up to this many items ahead, those behind the cursor are counted as well, so that the number is exact.
EXACT_UP_TO = 50

# A position that no item is behind.
LAST = 2**31 - 1

# Assignments not judged; all others are.
UNFINISHED = [state for state in AssignmentState if state != AssignmentState.SUBMITTED]

N_UNFINISHED = Compiled(
    lambda *, batch, annotator: (
        Assignment.objects.filter(item__batch=batch, annotator=annotator, state__in=UNFINISHED)
        .order_by()
        .values("state")
        .annotate(n=Count("pk"))
        .values_list("state", "n")
    )
)
THE_CURSOR = Compiled(
    lambda *, batch, annotator: Cursor.objects.filter(
        batch=batch, annotator=annotator
    ).select_related("batch")
)
OPEN_AHEAD = Compiled(
    lambda *, batch, position: (
        Item.objects.claimable()
        .filter(batch=batch, position__gt=position)
        .order_by("position")
        .values_list("turn")[: MOST_COUNTED + 1]
    )
)
OPEN_BEHIND = Compiled(
    lambda asks_to_write, *, batch, annotator, position: (
        Item.objects.open_for(annotator, asks_to_write=asks_to_write)
        .filter(batch=batch, position__lte=position)
        .values_list("turn")[: MOST_COUNTED + 1]
    )
)
LATEST_TIMES = Compiled(
    lambda *, batch, annotator: (
        Judgement.objects.not_withdrawn()
        .filter(assignment__in=recent_judgements.latest_assignments(batch, annotator)[:PACE_FROM])
        .values_list("active_seconds")
        .order_by()
    )
)

UNPAID_REVIEWS = Compiled(
    lambda *, batch, annotator: (
        Review.objects.filter(
            is_paid=False,
            replaced_by=None,
            judgement__withdrawal=None,
            judgement__assignment__annotator=annotator,
            judgement__assignment__item__batch=batch,
        )
        .order_by()
        .values_list("pk")
    )
)


@dataclass(frozen=True)
class Progress:
    """The progress of one person in one batch.

    n_done      items judged, without judgements that were taken back
    n_skipped   items skipped
    n_left      items that the person holds, and those they may still be handed
    pace        median active seconds for an item; None while too few were judged
    is_more     there are more than n_left: the count ended at MOST_COUNTED
    price       the price of a judgement; None in an unpaid batch
    n_refused   judgements that a review refused to pay; 0 in an unpaid batch
    is_paused   the organisers hand this person nothing more for now
    expected    the seconds that an item is expected to take, which are said while no pace is known
    n_part      items that are reserved for the person
    n_part_done those of them that they have judged; None in a batch with control items, where a number that does
                not move would tell that an item was one
    """

    n_done: int
    n_skipped: int
    n_left: int
    pace: float | None
    is_more: bool = False
    price: Money | None = None
    n_refused: int = 0
    is_paused: bool = False
    expected: int | None = None
    n_part: int = 0
    n_part_done: int | None = None

    @property
    def n_all(self) -> int:
        return self.n_done + self.n_left

    @property
    def number(self) -> int:
        """The number of the next item, from 1."""
        return self.n_done + 1

    @property
    def earned(self) -> Money | None:
        """The person's earnings so far; None in an unpaid batch."""
        return self.price and self.price.times(max(0, self.n_done - self.n_refused))

    @property
    def seconds_left(self) -> float | None:
        return None if self.pace is None else self.pace * self.n_left


def progress_by_batch(
    batches: Sequence[Batch], annotator: User, now: datetime
) -> dict[int, Progress]:
    """The person's progress in each batch, by its key. The number of queries is constant, but for batches with
    control items or repeats and training, each of which is asked as at its desk: the numbers there are the same.
    """
    keyed = [batch for batch in batches if batch.is_training or batch.has_hidden_items]
    plain = [batch for batch in batches if batch not in keyed]
    found = _progress_of_many(plain, annotator, now)
    return found | {batch.pk: desk_progress(batch, annotator, now) for batch in keyed}


def _progress_of_many(
    batches: Sequence[Batch], annotator: User, now: datetime
) -> dict[int, Progress]:
    own = Assignment.objects.filter(item__batch__in=batches, annotator=annotator).order_by()
    counted = own.values_list("item__batch", "state").annotate(n=Count("pk"))
    states: dict[tuple[int, str], int] = {(batch, state): n for batch, state, n in counted}
    again = own.with_room()
    n_again: dict[int, int] = dict(again.values_list("item__batch").annotate(n=Count("pk")))
    asks_to_write = any(batch.asks_to_write for batch in batches)
    fresh = Item.objects.open_for(annotator.pk, asks_to_write=asks_to_write)
    fresh = fresh.filter(batch__in=batches).order_by()
    n_fresh: dict[int, int] = dict(fresh.values_list("batch").annotate(n=Count("pk")))
    cursors = list(Cursor.objects.filter(batch__in=batches, annotator=annotator))
    n_taken = {cursor.batch_id: cursor.n_taken for cursor in cursors}
    parts, waiting = reservations.own_parts(cursors), reservations.waiting_by_batch(cursors)
    paused = {cursor.batch_id for cursor in cursors if cursor.is_paused}
    paces = _paces(batches, annotator)
    refused = _n_refused_by_batch(batches, annotator)

    def n_left(batch: Batch) -> int:
        n_held = states.get((batch.pk, AssignmentState.CLAIMED), 0)
        if is_over(batch, now) or batch.pk in paused:
            return n_held
        n_waiting, n_open = waiting.get(batch.pk, (0, 0))
        n_new = n_fresh.get(batch.pk, 0) - n_open
        if batch.most_per_person is not None:
            most = batch.most_per_person - n_taken.get(batch.pk, 0) - n_waiting
            n_new = min(n_new, max(0, most))
        return n_held + n_again.get(batch.pk, 0) + n_waiting + n_new

    told = {pk: _part(part) for pk, part in parts.items()}
    nothing = _part(None)
    return {
        batch.pk: Progress(
            n_done=states.get((batch.pk, AssignmentState.SUBMITTED), 0),
            n_skipped=states.get((batch.pk, AssignmentState.SKIPPED), 0),
            n_left=n_left(batch),
            pace=paces.get(batch.pk),
            price=batch.price,
            n_refused=refused.get(batch.pk, 0),
            is_paused=batch.pk in paused,
            expected=batch.expected_seconds,
            n_part=told.get(batch.pk, nothing)[0],
            n_part_done=told.get(batch.pk, nothing)[1],
        )
        for batch in batches
    }


def desk_progress(batch: Batch, annotator: User, now: datetime) -> Progress:
    """The person's progress in one batch, in a time that does not depend on the size of the batch."""
    states: dict[str, int] = dict(N_UNFINISHED.all(batch=batch.pk, annotator=annotator.pk))
    cursor = THE_CURSOR.first(batch=batch.pk, annotator=annotator.pk)
    cursor = cursor or Cursor(batch=batch, annotator=annotator)
    n_left = states.get(AssignmentState.CLAIMED, 0)
    if not (is_over(batch, now) or cursor.is_paused):
        if states.get(AssignmentState.EXPIRED):
            own = Assignment.objects.filter(item__batch=batch, annotator=annotator)
            n_left += own.with_room().count()
        n_left += _n_new_items(cursor, annotator)
    n_part, n_part_done = _own_part(cursor)
    return Progress(
        n_done=cursor.n_taken - sum(states.values()),
        n_skipped=states.get(AssignmentState.SKIPPED, 0),
        n_left=min(n_left, MOST_COUNTED),
        pace=_pace(batch, annotator),
        is_more=n_left > MOST_COUNTED,
        price=batch.price,
        n_refused=_n_refused(batch, annotator),
        is_paused=cursor.is_paused,
        expected=batch.expected_seconds,
        n_part=n_part,
        n_part_done=n_part_done,
    )


def _own_part(cursor: Cursor) -> tuple[int, int | None]:
    n_part, n_done = _part(reservations.own_part(cursor))
    return n_part, None if cursor.batch.has_hidden_items else n_done


def _part(part: Part | None) -> tuple[int, int | None]:
    """Items that are reserved for the person, without what they skipped, which others get; and those of them judged."""
    return (part.n_to_judge, part.n_judged) if part else (0, None)


def _n_refused(batch: Batch, annotator: User) -> int:
    """The number of judgements that a review refused to pay; 0 for an unpaid batch, without a query."""
    if batch.price is None:
        return 0
    return len(UNPAID_REVIEWS.all(batch=batch.pk, annotator=annotator.pk))


def _n_refused_by_batch(batches: Sequence[Batch], annotator: User) -> dict[int, int]:
    paid = [batch for batch in batches if batch.price]
    if not paid:
        return {}
    refused = Review.objects.filter(
        is_paid=False,
        replaced_by=None,
        judgement__withdrawal=None,
        judgement__assignment__annotator=annotator,
        judgement__assignment__item__batch__in=paid,
    )
    by_batch = refused.order_by().values_list("judgement__assignment__item__batch")
    return dict(by_batch.annotate(n=Count("pk")))


def _n_new_items(cursor: Cursor, annotator: User) -> int:
    """The number of items that this person may be handed for the first time, at most MOST_COUNTED + 1.

    Ahead of their furthest position these are all open items. Behind it few are open, and finding them is slower,
    so they are counted only if few items are ahead. Control items and repeats that come among them are counted as they
    are. What is reserved for the person comes first, whatever share they have had.
    """
    most = MOST_COUNTED + 1
    if cursor.batch.is_training:
        return (
            0
            if training.why_not_begin(cursor.batch, annotator)
            else len(training.unseen_items(cursor.batch, annotator.pk, most))
        )
    waiting = reservations.own_waiting(cursor, most)
    n_most = most
    if cursor.batch.most_per_person is not None:
        n_real = cursor.n_taken - cursor.n_controls
        n_most = max(0, min(most, cursor.batch.most_per_person - n_real - len(waiting)))
    batch, furthest, asks_to_write = cursor.batch_id, cursor.furthest, cursor.batch.asks_to_write
    if asks_to_write:  # ahead are also those that they were handed in another round
        furthest = LAST
    turns = [turn for (turn,) in OPEN_AHEAD.all(batch=batch, position=furthest)]
    if len(turns) <= EXACT_UP_TO:
        where = {"batch": batch, "annotator": annotator.pk, "position": furthest}
        behind = OPEN_BEHIND.all(asks_to_write, **where)
        turns += [turn for (turn,) in behind]
    for each in waiting:  # they are not handed its open places, which are for others
        if each.has_open_place and each.turn in turns:
            turns.remove(each.turn)
    turns = ([each.turn for each in waiting] + turns[:n_most])[:most]
    return len(turns) + hidden_items.n_ahead(cursor, turns)


def is_over(batch: Batch, now: datetime) -> bool:
    """Whether the batch hands out nothing more to anybody. A paused batch is not over."""
    has_ended = batch.deadline_at is not None and batch.deadline_at <= now
    return has_ended or batch.state not in (BatchState.OPEN, BatchState.PAUSED)


def _paces(batches: Sequence[Batch], annotator: User) -> dict[int, float]:
    judgements = Judgement.objects.not_withdrawn().filter(
        assignment__item__batch__in=batches, assignment__annotator=annotator
    )
    latest = judgements.annotate(
        back=Window(
            RowNumber(),
            partition_by="assignment__item__batch",
            order_by=F("submitted_at").desc(),
        )
    ).filter(back__lte=PACE_FROM)
    times: dict[int, list[float]] = defaultdict(list)
    for batch, seconds in latest.values_list(
        "assignment__item__batch", "active_seconds"
    ).order_by():
        times[batch].append(seconds)
    return {
        batch: statistics.median(seconds_list)
        for batch, seconds_list in times.items()
        if len(seconds_list) >= LEAST_FOR_PACE
    }


def _pace(batch: Batch, annotator: User) -> float | None:
    times = [seconds for (seconds,) in LATEST_TIMES.all(batch=batch.pk, annotator=annotator.pk)]
    return statistics.median(times) if len(times) >= LEAST_FOR_PACE else None


def active_seconds(batch: Batch, annotator: User) -> float:
    """The sum of active seconds of the person's judgements in the batch, without those taken back."""
    judgements = Judgement.objects.not_withdrawn().filter(
        assignment__item__batch=batch, assignment__annotator=annotator
    )
    total: float | None = judgements.aggregate(total=Sum("active_seconds"))["total"]
    return total or 0.0
