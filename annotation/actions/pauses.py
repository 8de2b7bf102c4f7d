"""Pausing and resuming one person's work in a batch: always decided by a person, with a reason."""

from django.db import transaction

from accounts import permissions
from accounts.models import Role, User
from annotation.actions import batches, claims
from annotation.models import Batch, BatchState, Pause
from annotation.review_decisions import cleaned_words
from audit import events


class PauseError(Exception):
    """The person cannot be paused or resumed; the message says why."""


@transaction.atomic
def pause(*, batch: Batch, annotator: User, reason: str, by: User) -> Pause:
    """Hand the person no more items of the batch until resume(). Items that they hold can be submitted."""
    return _decide(batch, annotator, is_paused=True, reason=reason, by=by)


@transaction.atomic
def resume(*, batch: Batch, annotator: User, reason: str, by: User) -> Pause:
    return _decide(batch, annotator, is_paused=False, reason=reason, by=by)


def _decide(batch: Batch, annotator: User, *, is_paused: bool, reason: str, by: User) -> Pause:
    """Write the decision under the lock of the person's cursor, so that no claim runs at the same time."""
    permissions.require(by, batch.study, Role.REQUESTER)
    cleaned_reason = cleaned_words(reason)
    locked = batches.locked_in_state(batch, BatchState.OPEN, BatchState.PAUSED, BatchState.CLOSED)
    _require_at_work(locked, annotator)
    cursor = claims.locked_cursor(locked, annotator)
    if cursor.is_paused == is_paused:
        state = "paused already" if is_paused else "not paused"
        raise PauseError(f"{annotator.username} is {state} in the batch {locked.name}")
    cursor.is_paused = is_paused
    cursor.save(update_fields=["is_paused"])
    decision = Pause.objects.create(
        batch=locked,
        annotator=annotator,
        replaces=Pause.objects.filter(batch=locked, annotator=annotator, replaced_by=None).first(),
        is_paused=is_paused,
        reason=cleaned_reason,
        paused_by=by,
    )
    verb = "paused an annotator of" if is_paused else "resumed an annotator of"
    details = {"annotator": annotator.username, "reason": cleaned_reason}
    events.record(study=locked.study, by=by, verb=verb, target=locked, **details)
    return decision


def _require_at_work(batch: Batch, annotator: User) -> None:
    if batch.is_rehearsal:
        raise PauseError(
            f"the batch {batch.name} is a rehearsal: nobody waits there for what comes next"
        )
    if not batch.study.memberships.filter(user=annotator).exists():
        raise PauseError(f"{annotator.username} is not in the study {batch.study.slug}")
