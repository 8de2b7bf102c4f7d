"""The rows of pauses: each is what is decided of one person in one batch."""

from datetime import datetime

from django.utils import timezone

from accounts.models import User
from annotation.actions import claims
from annotation.models import Batch, Cursor, Pause
from annotation.queries import paused_people


def add(
    cursor: Cursor,
    *,
    is_paused: bool,
    reason: str,
    by: User,
    is_of_study: bool = False,
    at: datetime | None = None,
) -> Pause:
    """Write what is decided of the person whose cursor is locked, without an event."""
    cursor.is_paused = is_paused
    cursor.save(update_fields=["is_paused"])
    person = {"batch_id": cursor.batch_id, "annotator_id": cursor.annotator_id}
    return Pause.objects.create(
        **person,
        replaces=Pause.objects.filter(**person, replaced_by=None).first(),
        is_paused=is_paused,
        is_of_study=is_of_study,
        reason=reason,
        paused_at=at or timezone.now(),
        paused_by=by,
    )


def carry_study_pauses(batch: Batch) -> None:
    """Pause, in a batch that opens, who is paused in the whole study. Expects the lock of the study."""
    if batch.is_rehearsal:
        return
    for last in paused_people.study_pauses(batch.study):
        cursor = claims.locked_cursor(batch, last.annotator)
        add(cursor, is_paused=True, reason=last.reason, by=last.paused_by, is_of_study=True)
