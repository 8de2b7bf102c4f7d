"""Pausing and resuming one person's work in a whole study.

It is a pause in each batch, also in those that open while it lasts, and what the person holds goes to others.
"""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.models import Role, Study, User
from annotation.actions import claims, locks, pause_rows
from annotation.actions.pauses import PauseError, require_member
from annotation.models import BatchState, Pause
from annotation.queries import paused_people
from annotation.review_decisions import cleaned_words
from audit import events


@transaction.atomic
def pause(*, study: Study, annotator: User, reason: str, by: User) -> list[Pause]:
    """Hand the person nothing more in the study until resume(), and give back what they hold."""
    return _decide(study, annotator, is_paused=True, reason=reason, by=by)


@transaction.atomic
def resume(*, study: Study, annotator: User, reason: str, by: User) -> list[Pause]:
    """Hand the person items again in each batch of the study."""
    return _decide(study, annotator, is_paused=False, reason=reason, by=by)


def _decide(
    study: Study, annotator: User, *, is_paused: bool, reason: str, by: User
) -> list[Pause]:
    """Write the decision for each batch, under the lock of the study, so that none opens at the same time."""
    permissions.require(by, study, Role.REQUESTER)
    cleaned_reason = cleaned_words(reason)
    require_member(study, annotator)
    lock_study(study)
    if paused_people.is_paused_in_study(study, annotator) == is_paused:
        state = "paused already" if is_paused else "not paused"
        raise PauseError(f"{annotator.username} is {state} in the whole study")
    decided: dict[str, Any] = {
        "is_paused": is_paused,
        "is_of_study": True,
        "reason": cleaned_reason,
        "by": by,
    }
    at, rows, n_given_back = timezone.now(), [], 0
    for pk in _batches(study):
        batch = locks.locked_batch(pk)
        cursor = claims.locked_cursor(batch, annotator)
        rows.append(pause_rows.add(cursor, **decided, at=at))
        if is_paused:
            n_given_back += claims.give_back(batch=batch, annotator=annotator)
    if not rows:
        raise PauseError(f"the study {study.slug} has no batch that anybody works in")
    verb = "paused an annotator of" if is_paused else "resumed an annotator of"
    details = {"annotator": annotator.username, "reason": cleaned_reason}
    if is_paused:
        details["n_given_back"] = str(n_given_back)
    events.record(study=study, by=by, verb=verb, target=study, **details)
    return rows


def _batches(study: Study) -> list[int]:
    """The batches that hand out items to people, or would if they were opened again; in the order of locks."""
    rows = study.batches.filter(is_rehearsal=False).exclude(state=BatchState.DRAFT)
    return list(rows.order_by("pk").values_list("pk", flat=True))
