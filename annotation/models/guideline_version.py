"""The versions of a guideline that was changed while people judged by it."""

from typing import ClassVar

from django.db import models

from accounts.models import User
from annotation.models.batch import Batch, Guideline


class GuidelineVersion(models.Model):
    """A guideline by which a batch was judged from `created_at` on. Rows are added, from the first change on:
    the guideline that the batch opened with is number 1.
    """

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="guideline_versions")
    number = models.PositiveSmallIntegerField()
    guideline = models.ForeignKey(Guideline, models.PROTECT, related_name="versions")
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["batch_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["batch", "number"], name="annotation_guidelineversion_number_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.batch_id}: version {self.number}"
