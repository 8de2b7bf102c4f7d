"""Messages between annotators and organisers that are not about one item."""

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Study, User
from annotation.models.batch import Batch
from annotation.models.limits import LONGEST_REASON
from annotation.models.work import ReviewAct


class Message(models.Model):
    """What an annotator writes to the organisers of a study: a question, or their reply to a refusal of pay.

    `batch` is the one it is about; none: the study. `refusal` is the act that refused pay, to which a
    person replies once. A message is open until it is read or answered.
    """

    study = models.ForeignKey(Study, models.PROTECT, related_name="messages")
    batch = models.ForeignKey(Batch, models.PROTECT, null=True, related_name="messages")
    refusal = models.ForeignKey(ReviewAct, models.PROTECT, null=True, related_name="replies")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True)
    text = models.CharField(max_length=LONGEST_REASON)
    sent_at = models.DateTimeField(default=timezone.now)
    sent_by = models.ForeignKey(User, models.PROTECT, related_name="messages")
    read_at = models.DateTimeField(null=True)
    read_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["sent_at", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(text=""), name="annotation_message_says_something"),
            models.UniqueConstraint(
                fields=["refusal", "sent_by"], name="annotation_message_one_reply_to_a_refusal"
            ),
            models.CheckConstraint(
                condition=Q(read_at=None, read_by=None)
                | Q(read_at__isnull=False, read_by__isnull=False),
                name="annotation_message_read_at_and_by",
            ),
        ]

    def __str__(self) -> str:
        return str(self.public_id)


class MessageAnswer(models.Model):
    """What an organiser answers to a message. Rows are added, never changed."""

    message = models.ForeignKey(Message, models.PROTECT, related_name="answers")
    text = models.CharField(max_length=LONGEST_REASON)
    answered_at = models.DateTimeField(default=timezone.now)
    answered_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["message_id", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~Q(text=""), name="annotation_messageanswer_says_something"
            ),
        ]

    def __str__(self) -> str:
        return f"answer to {self.message_id}"


class Notice(models.Model):
    """What a requester tells everybody in a batch. Each annotator sees it until they dismiss it."""

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="notices")
    text = models.CharField(max_length=LONGEST_REASON)
    written_at = models.DateTimeField(default=timezone.now)
    written_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["batch_id", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(text=""), name="annotation_notice_says_something"),
        ]

    def __str__(self) -> str:
        return f"notice {self.pk} in {self.batch_id}"


class NoticeDismissal(models.Model):
    """An annotator has read a notice and is shown it no more."""

    notice = models.ForeignKey(Notice, models.PROTECT, related_name="dismissals", db_index=False)
    dismissed_at = models.DateTimeField(default=timezone.now)
    dismissed_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["notice", "dismissed_by"],
                name="annotation_noticedismissal_once_per_person",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.notice_id} dismissed by {self.dismissed_by_id}"
