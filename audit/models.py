from typing import ClassVar

from django.db import models
from django.utils import timezone


class Event(models.Model):
    """One act of an organiser, or one decision on somebody's work.

    Plain text without foreign keys: the record outlives its objects and never blocks their
    deletion.
    """

    at = models.DateTimeField(default=timezone.now, db_index=True)
    study = models.CharField(max_length=60, blank=True, db_index=True)
    actor = models.CharField(max_length=150)
    verb = models.CharField(max_length=60)
    target = models.CharField(max_length=200)
    details = models.JSONField(default=dict)

    class Meta:
        ordering: ClassVar = ["at", "pk"]
        indexes: ClassVar = [
            # The sign-ins of a person, on the page of their account.
            models.Index(fields=["study", "target", "at"], name="audit_event_of_target"),
        ]

    def __str__(self) -> str:
        return f"{self.actor} {self.verb} {self.target}"
