"""Messages of annotators to the organisers of a study, and the answers."""

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.errors import ActionError
from accounts.models import Membership, Role, Study, User
from annotation.models import Batch, Message, MessageAnswer, Review, ReviewAct
from annotation.review_decisions import cleaned_words
from audit import events

# Of one person in a study, that nobody has read.
MOST_UNREAD = 20


class MessageError(ActionError):
    """The message cannot be sent; it says why."""


@transaction.atomic
def send(*, study: Study, text: str, by: User, batch: Batch | None = None) -> Message:
    """Write to the organisers. The same text again, while unread, returns the same message.

    Raises MessageError while MOST_UNREAD messages of the person wait, and ReviewError for a text
    that is empty or too long.
    """
    permissions.require_desk(by, study)
    text = cleaned_words(text, "message")
    # One at a time: two requests at once would each find room for one more.
    Membership.objects.select_for_update().get(study=study, user=by)
    unread = Message.objects.filter(study=study, sent_by=by, refusal=None, read_at=None)
    repeated = unread.filter(text=text, batch=batch).first()
    if repeated is not None:
        return repeated
    if unread.count() >= MOST_UNREAD:
        raise MessageError(
            f"{MOST_UNREAD} of your messages are not read yet: wait until the organisers have read them"
        )
    return Message.objects.create(study=study, batch=batch, text=text, sent_by=by)


@transaction.atomic
def reply_to_refusal(*, refusal: ReviewAct, text: str, by: User) -> Message:
    """Reply to an act that refused to pay one's own work: once, also after leaving the study.

    Raises MessageError where nothing was refused or a reply was sent.
    """
    permissions.require_changeable(refusal.batch.study)
    text = cleaned_words(text, "reply")
    ReviewAct.objects.select_for_update().get(pk=refusal.pk)
    own = Review.objects.filter(act=refusal, is_paid=False, judgement__assignment__annotator=by)
    if not own.exists():
        raise MessageError("nothing of your work was refused here")
    if Message.objects.filter(refusal=refusal, sent_by=by).exists():
        raise MessageError("you have replied already, and the organisers have your reply")
    return Message.objects.create(
        study=refusal.batch.study, batch=refusal.batch, refusal=refusal, text=text, sent_by=by
    )


@transaction.atomic
def answer(*, message: Message, text: str, by: User) -> MessageAnswer:
    """Answer a message, which is read thereby. A second answer stands beside the first.

    The same text by the same person twice in a row is one answer: the button was pressed twice.
    """
    permissions.require(by, message.study, Role.ADJUDICATOR, Role.REQUESTER)
    text = cleaned_words(text, "answer")
    locked = Message.objects.select_for_update().get(pk=message.pk)
    last = locked.answers.last()
    if last is not None and (last.text, last.answered_by) == (text, by):
        return last
    _note_as_read(locked, by)
    written = MessageAnswer.objects.create(message=locked, text=text, answered_by=by)
    events.record(study=message.study, by=by, verb="answered", target=message, text=text)
    return written


@transaction.atomic
def mark_read(*, message: Message, by: User) -> None:
    """Note that an organiser has read the message. A second call changes nothing."""
    permissions.require(by, message.study, Role.ADJUDICATOR, Role.REQUESTER)
    locked = Message.objects.select_for_update().get(pk=message.pk)
    if locked.read_at is None:
        _note_as_read(locked, by)
        events.record(study=message.study, by=by, verb="read", target=message)


def _note_as_read(message: Message, by: User) -> None:
    if message.read_at is None:
        message.read_at, message.read_by = timezone.now(), by
        message.save(update_fields=["read_at", "read_by"])
