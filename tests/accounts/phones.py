"""A phone with an authenticator app."""

from datetime import timedelta

from django.utils import timezone
from pyotp import TOTP

from accounts import one_time_codes
from accounts.actions import second_factors
from accounts.models import User

STEP = timedelta(seconds=30)


class Phone:
    """The app of a user: a second factor is set up with its code of the time before this one."""

    def __init__(self, user: User) -> None:
        salt = second_factors.new_salt()
        self._codes = TOTP(one_time_codes.key(second_factors.secret(user, salt)))
        self.recovery_codes = second_factors.set_up(salt=salt, code=self.code(-1), by=user)

    def code(self, n_steps: int = 0) -> str:
        """What the app shows so many times 30 seconds from now."""
        return self._codes.at(timezone.now() + n_steps * STEP)

    def wrong_code(self) -> str:
        """A code of no time near."""
        near = {self.code(n_steps) for n_steps in range(-3, 4)}
        return next(code for code in (f"{n:06}" for n in range(10)) if code not in near)
