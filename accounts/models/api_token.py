from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models.user import User


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def valid(self, now: datetime) -> "ApiTokenQuerySet":
        return self.filter(revoked_at=None, expires_at__gt=now)


class ApiToken(models.Model):
    """A token with which a program acts in the API as its user. Only the token's hash is stored."""

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    sha256 = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    # A day and no time: this much tells whether it is in use, and is written once a day.
    last_used_on = models.DateField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "name"],
                condition=Q(revoked_at=None),
                name="accounts_apitoken_name_is_unique",
            ),
        ]

    def __str__(self) -> str:
        return self.name
