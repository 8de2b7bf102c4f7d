"""Actions of annotators on items that they hold: submit, skip, flag, take back.

docs/adr/0001-the-spine.md is the protocol. Locks are taken in one order: batch, cursor, assignment, item.
Every action takes `now`, the time at which it happens, so that a rehearsal can live in its own time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from annotation import schemes
from annotation.actions import guideline_versions, item_places
from annotation.design import answer_order
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Cursor,
    Flag,
    Item,
    Judgement,
    Withdrawal,
)
from annotation.queries import audience, paused_people, recent_judgements
from annotation.schemes import ResponseError, Scheme
from annotation.schemes.base import Response
from monitoring import metrics
from performance.compiled_queries import Compiled

# Active seconds if no script measures them: the time after which somebody without input counts as away. The time
# since the item was shown limits them.
UNMEASURED = 120.0

# The states in which an assignment can still be judged.
JUDGEABLE = (AssignmentState.CLAIMED, AssignmentState.EXPIRED)

THE_ASSIGNMENT = Compiled(lambda *, pk: Assignment.objects.filter(pk=pk))
LOCKED_ASSIGNMENT = Compiled(
    lambda *, pk: (
        Assignment.objects.filter(pk=pk)
        .select_for_update(of=("self",))
        .select_related("item__batch__guideline")
    )
)
SUBMITTED = Compiled(
    lambda *, assignment: Judgement.objects.filter(assignment=assignment).order_by("number")
)
PLACES = ("n_open", "n_reserved", "n_claimed", "n_counted")
LOCKED_PLACES = Compiled(lambda *, pk: Item.objects.locked().filter(pk=pk).values_list(*PLACES))
CLOSED = Compiled(
    lambda *, pk: Batch.objects.filter(pk=pk, state=BatchState.CLOSED).values_list("pk")
)


class NotClaimedError(Exception):
    """The assignment is not this person's, or its state does not allow the action."""


class NotEditableError(Exception):
    """The judgement can no longer be taken back; the message says why."""


class AlreadySubmittedError(Exception):
    """The assignment has another current submission, `judgement`."""

    def __init__(self, judgement: Judgement) -> None:
        super().__init__("this item was submitted already")
        self.judgement = judgement


@dataclass(frozen=True)
class Submission:
    """A response as the desk sends it, with its times and comment."""

    client_id: str
    response: dict[str, Any]
    shown_at: datetime
    active_seconds: float
    comment: str = ""


def with_plausible_times(
    submission: Submission, assignment: Assignment, now: datetime
) -> Submission:
    """The submission with times corrected for wrong clocks: an item is shown after it was claimed, and the person
    is active for no longer than it is shown. A claim that seems to be made later than now says nothing: the
    clock was ahead then.
    """
    claimed_at = assignment.claimed_at if assignment.claimed_at <= now else submission.shown_at
    shown_at = min(max(submission.shown_at, claimed_at), now)
    active = min(submission.active_seconds, (now - shown_at).total_seconds())
    return replace(submission, shown_at=shown_at, active_seconds=active)


@transaction.atomic
def submit(
    *, assignment: Assignment, submission: Submission, by: User, now: datetime | None = None
) -> Judgement:
    """Store a judgement. A client id that was stored before returns its judgement.

    Raises ResponseError (invalid response), AlreadySubmittedError, NotClaimedError.
    """
    assignment = locked_own_assignment(assignment, by)
    submitted = SUBMITTED.all(assignment=assignment.pk)
    for each in submitted:
        each.assignment = assignment
    stored = next((each for each in submitted if each.client_id == submission.client_id), None)
    if stored is not None:
        return stored
    require_submittable(assignment, submitted)
    lock_places(assignment.item)
    batch = assignment.item.batch
    # Read after the item is locked: settling locks items too, so a submission it did not wait for comes after it.
    is_closed = bool(CLOSED.all(pk=batch.pk))
    judgement = new_judgement(
        assignment, submission, batch, len(submitted) + 1, now or timezone.now(), is_closed
    )
    judgement.save(force_insert=True)
    count_when_committed(batch)
    return judgement


def lock_places(item: Item) -> None:
    """Lock the item and read its places again."""
    for name, number in zip(PLACES, LOCKED_PLACES.get(pk=item.pk), strict=True):
        setattr(item, name, number)


def count_when_committed(batch: Batch) -> None:
    """Count a judgement in the metrics once the transaction is committed."""
    transaction.on_commit(metrics.JUDGEMENTS.labels(batch.scheme).inc)


def require_submittable(assignment: Assignment, submitted: Sequence[Judgement]) -> None:
    """Raise AlreadySubmittedError or NotClaimedError. `submitted` are the assignment's judgements in order."""
    if assignment.state == AssignmentState.SUBMITTED:
        raise AlreadySubmittedError(submitted[-1])
    if assignment.state not in JUDGEABLE:
        raise NotClaimedError(f"this item was {assignment.state}")


def new_judgement(
    assignment: Assignment,
    submission: Submission,
    batch: Batch,
    number: int,
    now: datetime,
    is_closed: bool,
) -> Judgement:
    """The judgement, not saved. Updates the assignment and its item, both locked.

    Raises ResponseError before anything is changed.
    """
    response = cleaned_response(submission.response, assignment, schemes.get(batch.scheme))
    is_counted = _fill_place(assignment, now, is_closed)
    assignment.state, assignment.submitted_at = AssignmentState.SUBMITTED, now
    THE_ASSIGNMENT.update(
        {"state": assignment.state, "submitted_at": assignment.submitted_at}, pk=assignment.pk
    )
    return Judgement(
        assignment=assignment,
        number=number,
        client_id=submission.client_id,
        response=response,
        comment=submission.comment,
        order=screen_order(assignment, batch),
        shown_at=submission.shown_at,
        submitted_at=now,
        active_seconds=submission.active_seconds,
        is_surplus=not is_counted,
        guideline_sha256=guideline_versions.sha256_judged_by(
            batch, assignment.annotator_id, submission.shown_at
        ),
        payload_sha256=assignment.item.payload_sha256,
    )


def cleaned_response(response: object, assignment: Assignment, scheme: Scheme) -> Response:
    """The response as it is stored. Raises ResponseError if it is invalid or differs from the stored first part."""
    payload = assignment.item.payload
    cleaned = scheme.clean(response, payload)
    if scheme.first_part(cleaned, payload) == assignment.first_part:
        return cleaned
    if assignment.first_part is None:
        raise ResponseError("the passages were not shown yet: what is asked before comes first")
    raise ResponseError("the answers to part 1 are locked since the passages were shown")


def screen_order(assignment: Assignment, batch: Batch) -> list[int]:
    """The order of the answers on this person's screen; always the same for an assignment."""
    item = assignment.item
    return answer_order.screen_order(
        schemes.get(batch.scheme).shows,
        item.payload,
        seed=batch.seed,
        batch=batch.lot_name,
        item=item.payload_sha256,
        annotator=assignment.annotator_id,
    )


def locked_own_assignment(assignment: Assignment, annotator: User) -> Assignment:
    """The assignment, reloaded and locked. Raises NotClaimedError if it is somebody else's."""
    locked = LOCKED_ASSIGNMENT.get(pk=assignment.pk)
    if locked.annotator_id != annotator.pk:
        raise NotClaimedError("this item was assigned to another annotator")
    return locked


def _fill_place(assignment: Assignment, now: datetime, is_closed: bool) -> bool:
    """Turn the claimed place, or an open one if the claim expired, into a counted one.

    False if there is none: the judgement is surplus.
    """
    item = assignment.item
    is_late = assignment.expires_at < now
    if assignment.state == AssignmentState.CLAIMED:
        counts = not (is_closed and is_late)
        back = item_places.free_place(assignment)
        item_places.move(item, n_claimed=-1, **{"n_counted" if counts else back: +1})
        if not counts:
            _open_reserved_place(assignment)
        return counts
    # A control item always has room, as an item that nobody else took meanwhile.
    place = item_places.free_place(assignment)
    has_room = getattr(item, place) > 0 or item.n_wanted is None
    if (
        is_closed
        or not has_room
        or paused_people.is_of_paused_person(assignment)
        or not audience.is_admitted(item.batch, assignment.annotator)
    ):
        _open_reserved_place(assignment)
        return False
    item_places.move(item, **{place: -1}, n_counted=+1)
    return True


def _open_reserved_place(assignment: Assignment) -> None:
    """Give the place that is kept for the person, who will not be handed the item again, to everybody."""
    if not assignment.is_reserved:
        return
    item_places.move(assignment.item, n_reserved=-1, n_open=+1)
    assignment.is_reserved = False
    THE_ASSIGNMENT.update({"is_reserved": False}, pk=assignment.pk)


@transaction.atomic
def skip(*, assignment: Assignment, reason: str, by: User, choice: str = "") -> None:
    """Give the place back. The item is never handed to this person again.

    `choice` is one of the batch's reasons, `reason` words of one's own.
    """
    assignment = locked_own_assignment(assignment, by)
    if assignment.item.batch.is_training:
        raise NotClaimedError("in training every item is judged")
    if assignment.state != AssignmentState.CLAIMED:
        raise NotClaimedError(f"this item was {assignment.state}")
    item = Item.objects.locked().get(pk=assignment.item_id)
    item_places.move(
        item, n_claimed=-1, n_open=+1
    )  # a reserved place too: it is open to others now
    assignment.state, assignment.is_reserved = AssignmentState.SKIPPED, False
    assignment.skip_choice, assignment.skip_reason = choice, reason
    assignment.save(update_fields=["state", "is_reserved", "skip_choice", "skip_reason"])


@transaction.atomic
def flag(*, assignment: Assignment, message: str, by: User, now: datetime | None = None) -> Flag:
    """Report the item to the organisers. The same message again, while unanswered, returns the same flag."""
    assignment = locked_own_assignment(assignment, by)
    repeated = assignment.flags.filter(message=message, answers=None).first()
    if repeated is not None:
        return repeated
    return Flag.objects.create(
        assignment=assignment, message=message, flagged_at=now or timezone.now()
    )


@transaction.atomic
def take_back(*, judgement: Judgement, by: User, now: datetime | None = None) -> Assignment:
    """Withdraw one's own judgement; its assignment is claimed again, in the same place.

    Raises NotEditableError if the judgement was reviewed, the batch is closed, ten others followed, or the person
    was taken off the batch.
    """
    now = now or timezone.now()
    assignment = judgement.assignment
    if assignment.item.batch.qualification_id is not None:
        # The lock of who revokes it: they come before, or find the claim and give it back.
        cursors = Cursor.objects.filter(batch=assignment.item.batch_id, annotator=by)
        cursors.select_for_update().first()
    assignment = locked_own_assignment(assignment, by)
    item = Item.objects.locked().get(pk=assignment.item_id)
    batch = Batch.objects.get(pk=item.batch_id)
    _require_editable(judgement, assignment, batch)
    if not audience.is_admitted(batch, by):
        raise NotEditableError("you no longer work on this batch")
    Withdrawal.objects.create(judgement=judgement, withdrawn_at=now, withdrawn_by=by)
    if judgement.is_surplus:
        assignment.state = AssignmentState.EXPIRED
    else:
        item_places.move(item, n_counted=-1, n_claimed=+1)
        assignment.state = AssignmentState.CLAIMED
        assignment.expires_at = now + timedelta(seconds=batch.claim_seconds)
    assignment.submitted_at = None
    assignment.save(update_fields=["state", "expires_at", "submitted_at"])
    return assignment


def _require_editable(judgement: Judgement, assignment: Assignment, batch: Batch) -> None:
    if batch.is_training:
        raise NotEditableError("you were told what was expected")
    if batch.state == BatchState.CLOSED:
        raise NotEditableError(f"the batch {batch.name} is closed")
    if judgement.reviews.exists():
        raise NotEditableError("the judgement was reviewed")
    if Withdrawal.objects.filter(judgement=judgement).exists():
        raise NotEditableError("the judgement was taken back already")
    if judgement not in recent_judgements.editable_judgements(batch, assignment.annotator):
        raise NotEditableError(
            f"only the last {recent_judgements.N_EDITABLE} judgements can be changed"
        )
