"""Pauses: people who are given no more items of a batch, by a decision."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from annotation.models.batch import Batch
from annotation.models.limits import LONGEST_REASON


class Pause(models.Model):
    """A person is handed nothing more in a batch, or (`is_paused` false) is again.

    Rows are added, never changed: each names the one before it in `replaces`, and the end of the line is
    what stands. Cursor.is_paused says the same.
    """

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="pauses")
    annotator = models.ForeignKey(User, models.PROTECT, related_name="pauses")
    replaces = models.OneToOneField("self", models.PROTECT, null=True, related_name="replaced_by")
    is_paused = models.BooleanField()
    # Decided for the whole study: a row in each of its batches, also in those that open later.
    is_of_study = models.BooleanField(default=False)
    reason = models.CharField(max_length=LONGEST_REASON)
    paused_at = models.DateTimeField(default=timezone.now)
    paused_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["batch_id", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["batch", "annotator"],
                condition=Q(replaces=None),
                name="annotation_pause_one_first_per_person",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="annotation_pause_says_why"),
        ]

    def __str__(self) -> str:
        return f"pause of {self.annotator_id} in {self.batch_id}"
