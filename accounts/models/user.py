from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils.crypto import salted_hmac

# How the names of erased people begin; nobody else can choose such a name.
ERASED = "erased-"


class User(AbstractUser):
    """A person, or a simulated annotator of a rehearsal.

    A site administrator has `is_superuser`.
    """

    is_simulated = models.BooleanField(default=False)
    # Takes part in what a session is checked against: one more, and all sessions until now have ended.
    n_sign_outs_everywhere = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            # "!" begins what set_unusable_password() writes: no password ever matches it.
            models.CheckConstraint(
                condition=Q(is_simulated=False) | Q(password__startswith="!"),  # noqa: S106
                name="accounts_user_simulated_people_cannot_sign_in",
            ),
        ]

    @property
    def name_if_erased(self) -> str:
        return f"{ERASED}{self.pk}"

    @property
    def is_erased(self) -> bool:
        return self.username == self.name_if_erased

    def _get_session_auth_hash(self, secret: str | bytes | None = None) -> str:
        """Return the hash that Django compares with each session's.

        It changes with the password and with `n_sign_outs_everywhere`, which ends all sessions.
        """
        return salted_hmac(
            "accounts.models.User.session",
            f"{self.n_sign_outs_everywhere} {self.password}",
            secret=secret,
            algorithm="sha256",
        ).hexdigest()
