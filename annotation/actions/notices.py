"""Notices of a requester to everybody in a batch."""

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.models import Role, User
from annotation.actions import batches
from annotation.models import Batch, BatchState, Notice, NoticeDismissal
from annotation.review_decisions import cleaned_words
from audit import events


@transaction.atomic
def write(*, batch: Batch, text: str, by: User) -> Notice:
    """Tell everybody in the batch. The latest notice with the same text is not written again.

    Raises ReviewError for a text that is empty or too long, and BatchError for a draft.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    text = cleaned_words(text, "notice")
    locked = batches.locked_in_state(batch, BatchState.OPEN, BatchState.PAUSED, BatchState.CLOSED)
    last = locked.notices.last()
    if last is not None and last.text == text:
        return last
    now = timezone.now()
    notice = Notice.objects.create(batch=locked, text=text, written_at=now, written_by=by)
    if locked.notice_since is None:
        locked.notice_since = now
        locked.save(update_fields=["notice_since"])
    events.record(study=locked.study, by=by, verb="wrote a notice in", target=locked, text=text)
    return notice


@transaction.atomic
def dismiss(*, notice: Notice, by: User) -> None:
    """Show the notice to this annotator no more. A second call changes nothing."""
    permissions.require_desk(by, notice.batch.study)
    NoticeDismissal.objects.get_or_create(notice=notice, dismissed_by=by)
