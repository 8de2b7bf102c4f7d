from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.background_questions import LONGEST_ANSWER
from accounts.models.member import Membership
from accounts.models.study import Study


class BackgroundQuestion(models.Model):
    """A wording of a question that annotators are asked about themselves. It never changes: another is another row.

    choices   none where people answer in words
    position  its place among those that are asked, from 1; none once it is asked no more
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="background_questions")
    text = models.TextField()
    choices = models.JSONField(default=list)
    sha256 = models.CharField(max_length=64)
    position = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["study", "sha256"], name="accounts_backgroundquestion_once_per_study"
            ),
            models.CheckConstraint(
                condition=Q(position__isnull=True) | Q(position__gte=1),
                name="accounts_backgroundquestion_position_from_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.study_id}:{self.sha256[:12]}"


class BackgroundAnswer(models.Model):
    """What a member said last. Empty: they skipped the question, or removed what they had said."""

    question = models.ForeignKey(BackgroundQuestion, models.CASCADE, related_name="answers")
    membership = models.ForeignKey(Membership, models.CASCADE, related_name="background_answers")
    text = models.CharField(max_length=LONGEST_ANSWER, blank=True)
    answered_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["question", "membership"], name="accounts_backgroundanswer_once_per_member"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.membership_id} to {self.question_id}"
