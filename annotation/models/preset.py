"""Settings that a new batch begins with."""

from typing import ClassVar

from django.db import models

from accounts.models import Study
from annotation.models.batch import Guideline


class BatchPreset(models.Model):
    """The settings that the first batch of a scheme begins with, in a study that was copied from another.

    `settings` are fields of Batch, as JSON values, and `check`, the questions on the guideline as text.
    """

    study = models.ForeignKey(Study, models.PROTECT, related_name="batch_presets")
    scheme = models.CharField(max_length=40)
    guideline = models.ForeignKey(Guideline, models.PROTECT, related_name="+")
    settings = models.JSONField(default=dict)

    class Meta:
        ordering: ClassVar = ["study_id", "scheme"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["study", "scheme"], name="annotation_batchpreset_once_per_scheme"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.study_id}:{self.scheme}"
