from typing import ClassVar

from django.db import models
from django.utils import timezone

from accounts.models.member import Membership
from accounts.models.study import Study


class ConsentText(models.Model):
    """A text that somebody agreed to. Kept for good."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="consent_texts")
    sha256 = models.CharField(max_length=64)
    text = models.TextField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["study", "sha256"], name="accounts_consenttext_once_per_study"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.study_id}:{self.sha256[:12]}"


class Consent(models.Model):
    """A member's agreement to a text. Rows are only added."""

    membership = models.ForeignKey(Membership, models.CASCADE, related_name="consents")
    text = models.ForeignKey(ConsentText, models.PROTECT, related_name="consents")
    consented_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["consented_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["membership", "text"], name="accounts_consent_once_per_wording"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.membership_id} to {self.text_id}"
