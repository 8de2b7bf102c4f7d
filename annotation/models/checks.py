"""Checks of the guideline: questions that people answer before they work on a batch, and their attempts."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Study, User

# Who has used them up cannot work on the batch.
MOST_ATTEMPTS = 2


class ComprehensionCheck(models.Model):
    """Questions, each as check_questions.Question.to_dict(). A row never changes: other questions are another row."""

    study = models.ForeignKey(Study, models.PROTECT, related_name="checks")
    questions = models.JSONField()
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["study", "sha256"], name="annotation_check_text_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"check:{self.sha256[:12]}"


class CheckAttempt(models.Model):
    """What a person chose, an index for each question, in an attempt at the check of a batch. Rows are only added."""

    batch = models.ForeignKey("annotation.Batch", models.PROTECT, related_name="check_attempts")
    taken_by = models.ForeignKey(User, models.PROTECT, related_name="check_attempts")
    number = models.PositiveSmallIntegerField()
    answers = models.JSONField()
    is_passed = models.BooleanField()
    taken_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["batch", "taken_by", "number"], name="annotation_checkattempt_once"
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=MOST_ATTEMPTS),
                name="annotation_checkattempt_number_is_allowed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.batch_id}:{self.taken_by_id}#{self.number}"
