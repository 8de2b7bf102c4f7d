"""One person's work in a batch is paused, and goes on. Nobody is paused but by a person, with a reason."""

from django.db import transaction

from accounts import permissions
from accounts.models import Role, User
from annotation.actions import batches, claims
from annotation.models import Batch, BatchState, Pause
from annotation.review_decisions import cleaned_words
from audit import events


class PauseError(Exception):
    """The person cannot be paused, or cannot go on; the message says why."""


@transaction.atomic
def pause(*, batch: Batch, annotator: User, reason: str, by: User) -> Pause:
    """Hand the person nothing more of the batch. What they hold they may submit; resume() ends it."""
    return _decide(batch, annotator, is_paused=True, reason=reason, by=by)


@transaction.atomic
def resume(*, batch: Batch, annotator: User, reason: str, by: User) -> Pause:
    return _decide(batch, annotator, is_paused=False, reason=reason, by=by)


def _decide(batch: Batch, annotator: User, *, is_paused: bool, reason: str, by: User) -> Pause:
    """Under the lock of the person's cursor: a claim under way comes first, and the next one is refused."""
    permissions.require(by, batch.study, Role.REQUESTER)
    said = cleaned_words(reason)
    locked = batches.locked(batch, BatchState.OPEN, BatchState.PAUSED, BatchState.CLOSED)
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
        reason=said,
        paused_by=by,
    )
    verb = "paused an annotator of" if is_paused else "resumed an annotator of"
    said_of = {"annotator": annotator.username, "reason": said}
    events.record(study=locked.study, by=by, verb=verb, target=locked, **said_of)
    return decision


def _require_at_work(batch: Batch, annotator: User) -> None:
    if batch.is_rehearsal:
        raise PauseError(
            f"the batch {batch.name} is a rehearsal: nobody waits there for what comes next"
        )
    if not batch.study.memberships.filter(user=annotator).exists():
        raise PauseError(f"{annotator.username} is not in the study {batch.study.slug}")
