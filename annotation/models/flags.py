"""Messages from the desk about an item, and their answers."""

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from annotation.models.limits import LONGEST_REASON
from annotation.models.work import Assignment


class Flag(models.Model):
    """A message from the desk about an item. It changes nothing; it is open until it is answered."""

    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="flags")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True)
    message = models.TextField()
    flagged_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["flagged_at", "pk"]

    def __str__(self) -> str:
        return str(self.public_id)


class FlagAnswer(models.Model):
    """What a requester or an adjudicator answers to who flagged. Rows are added, never changed."""

    flag = models.ForeignKey(Flag, models.PROTECT, related_name="answers")
    text = models.CharField(max_length=LONGEST_REASON)
    answered_at = models.DateTimeField(default=timezone.now)
    answered_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["flag_id", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~Q(text=""), name="annotation_flaganswer_says_something"
            ),
        ]

    def __str__(self) -> str:
        return f"answer to {self.flag_id}"
