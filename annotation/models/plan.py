"""Plans of analysis: what will be computed of a batch's judgements, written down before they are known."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from annotation.models.batch import Batch


class AnalysisPlan(models.Model):
    """A plan of a batch, as it was frozen. Rows are only added: a later one changes the plan, and both stay.

    `n_judgements` is how many judgements people had submitted in the batch until then, whatever became of them.
    """

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="analysis_plans")
    text = models.TextField()
    sha256 = models.CharField(max_length=64)
    n_judgements = models.PositiveIntegerField()
    frozen_at = models.DateTimeField(default=timezone.now)
    frozen_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["batch_id", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~Q(text=""), name="annotation_analysisplan_says_something"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.batch_id}: {self.sha256[:12]}"

    @property
    def is_before_judgements(self) -> bool:
        """Whether nobody had submitted a judgement of the batch when it was frozen."""
        return self.n_judgements == 0
