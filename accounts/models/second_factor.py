from typing import ClassVar

from django.db import models
from django.utils import timezone

from accounts.models.user import User


class SecondFactor(models.Model):
    """What a user needs besides the password to sign in: the codes of an app.

    The key of the codes is not stored: it is derived from `salt` and the secret key.
    """

    user = models.OneToOneField(User, models.CASCADE, related_name="second_factor")
    salt = models.CharField(max_length=64)
    # The newest step of 30 seconds whose code was used: that code and earlier ones are used up.
    last_step = models.BigIntegerField()
    n_wrong = models.PositiveIntegerField(default=0)  # codes since the last right one
    last_wrong_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"of {self.user_id}"


class RecoveryCode(models.Model):
    """A code that replaces one of the app, once. Only its hash is stored, until it is used."""

    factor = models.ForeignKey(SecondFactor, models.CASCADE, related_name="recovery_codes")
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["factor", "sha256"], name="accounts_recoverycode_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return self.sha256[:12]
