from typing import ClassVar

from django.db import models
from django.utils import timezone

from accounts.models import Study, User
from corpus.models import Dataset


class Release(models.Model):
    """An extended data set that was given out: its number in the study and its manifest."""

    study = models.ForeignKey(Study, models.PROTECT, related_name="releases")
    dataset = models.ForeignKey(Dataset, models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField()
    is_rehearsal = models.BooleanField()
    manifest = models.JSONField()
    # Where its files were put, in full; they may have been moved since.
    folder = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["study_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["study", "number"], name="exports_release_number_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.study_id} release {self.number}"
