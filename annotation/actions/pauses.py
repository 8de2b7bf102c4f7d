"""Pausing and resuming one person's work in a batch: always decided by a person, with a reason."""

from django.db import transaction

from accounts import permissions
from accounts.models import Role, Study, User
from annotation.actions import batches, claims, pause_rows
from annotation.models import Batch, BatchState, Pause
from annotation.queries import paused_people
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
    if locked.is_rehearsal:
        raise PauseError(
            f"the batch {locked.name} is a rehearsal: nobody waits there for what comes next"
        )
    require_member(locked.study, annotator)
    cursor = claims.locked_cursor(locked, annotator)
    if cursor.is_paused == is_paused:
        state = "paused already" if is_paused else "not paused"
        raise PauseError(f"{annotator.username} is {state} in the batch {locked.name}")
    if paused_people.is_paused_in_study(locked.study, annotator):
        raise PauseError(f"{annotator.username} is paused in the whole study: resume them there")
    decision = pause_rows.add(cursor, is_paused=is_paused, reason=cleaned_reason, by=by)
    verb = "paused an annotator of" if is_paused else "resumed an annotator of"
    details = {"annotator": annotator.username, "reason": cleaned_reason}
    events.record(study=locked.study, by=by, verb=verb, target=locked, **details)
    return decision


def require_member(study: Study, annotator: User) -> None:
    if not study.memberships.filter(user=annotator).exists():
        raise PauseError(f"{annotator.username} is not in the study {study.slug}")
