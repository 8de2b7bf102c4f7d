"""What an adjudicator was shown, and what they wish not to be shown."""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from accounts.models import User
from annotation.models.batch import Batch


class SourcesShown(models.Model):
    """An adjudicator asked for the runs, scores and references of a batch. What they decide afterwards says so."""

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="sources_shown")
    shown_to = models.ForeignKey(User, models.PROTECT, related_name="+")
    shown_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["batch_id", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["batch", "shown_to"], name="annotation_sourcesshown_once_per_person"
            ),
        ]

    def __str__(self) -> str:
        return f"sources of {self.batch_id} shown to {self.shown_to_id}"


class AdjudicatorPreference(models.Model):
    """How a person wants to adjudicate, in all studies. Without a row: votes are shown."""

    adjudicator = models.OneToOneField(
        User, models.PROTECT, related_name="adjudicator_preference", primary_key=True
    )
    hides_votes = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"preference of {self.adjudicator_id}"
