"""Second factors: codes of an app, and recovery codes for who has lost it.

The key of the codes is derived from the secret key and a random salt that is stored: who has only a
copy of the database can compute no code.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts import one_time_codes, permissions
from accounts.actions import sessions, tokens
from accounts.errors import ActionError
from accounts.models import RecoveryCode, SecondFactor, User
from audit import events

N_RECOVERY_CODES = 10
N_RECOVERY_DIGITS = 16
N_KEY_BYTES = 20  # as RFC 4226 recommends


class WrongCodeError(Exception):
    """The code is not right, or was used already."""


class CodesLockedError(Exception):
    """Too many codes were wrong. Until `free_at` none is accepted."""

    def __init__(self, free_at: datetime) -> None:
        super().__init__("too many codes were wrong")
        self.free_at = free_at


class SecondFactorError(ActionError):
    """The second factor cannot be set up or removed; the message says why."""


@dataclass(frozen=True)
class Accepted:
    """A right code: whether it was a recovery code, and whether wrong ones had locked them before."""

    is_recovery_code: bool
    was_locked: bool


def new_salt() -> str:
    return secrets.token_urlsafe(32)


def secret(user: User, salt: str) -> bytes:
    """Return the key of the user's codes."""
    value = f"{user.pk} {salt}"
    return salted_hmac("accounts.SecondFactor", value, algorithm="sha256").digest()[:N_KEY_BYTES]


def of_user(user: User) -> SecondFactor | None:
    """Return the user's second factor, if they have one."""
    return SecondFactor.objects.filter(user=user).first()


def n_recovery_codes(user: User) -> int:
    """Return how many recovery codes are left."""
    return RecoveryCode.objects.filter(factor__user=user).count()


def set_up(*, salt: str, code: str, by: User) -> list[str]:
    """Give the person the second factor whose codes follow from the salt; return its recovery codes.

    All their sessions and API tokens end: a password alone was enough for them. Raises WrongCodeError, or
    SecondFactorError for somebody who has one.
    """
    step = one_time_codes.step(secret(by, salt), _normalized(code), at=timezone.now())
    if step is None:
        raise WrongCodeError
    with transaction.atomic():
        # Two forms sent at once: the second waits here, and finds what the first made.
        User.objects.select_for_update().get(pk=by.pk)
        if permissions.has_second_factor(by):
            raise SecondFactorError(f"{by.username} has a second factor already")
        factor = SecondFactor.objects.create(user=by, salt=salt, last_step=step)
        n_revoked = sessions.end_everywhere(revoke_tokens=True, by=by)
        events.record(
            study=None,
            by=by,
            verb="set up a second factor for",
            target=by,
            **tokens.revocation_details(n_revoked),
        )
        return _renew_recovery_codes(factor)


def check(*, code: str, by: User) -> Accepted:
    """Use up a code of the app, or a recovery code, of the person.

    Raises WrongCodeError, CodesLockedError after too many wrong ones wherever they came from, and
    SecondFactorError for somebody who has no second factor.
    """
    now = timezone.now()
    # A transaction of its own: a wrong code is counted, whatever follows.
    with transaction.atomic(durable=True):
        # Two codes sent at once: the second waits here, and finds the first used up or counted.
        factor = SecondFactor.objects.select_for_update().filter(user=by).first()
        if factor is None:
            raise SecondFactorError(f"{by.username} has no second factor")
        if free_at := _locked_until(factor, now):
            raise CodesLockedError(free_at)
        accepted = _use_up(factor, _normalized(code), now)
        if accepted is None:
            _count_wrong_code(factor, now)
        else:
            factor.n_wrong = 0
            factor.save(update_fields=["last_step", "n_wrong"])
            if accepted.is_recovery_code:
                events.record(study=None, by=by, verb="used a recovery code of", target=by)
    if accepted is not None:
        return accepted
    if free_at := _locked_until(factor, now):
        raise CodesLockedError(free_at)
    raise WrongCodeError


def make_recovery_codes(*, code: str, by: User) -> list[str]:
    """Return new recovery codes, which are not stored; the old ones end. Raises what `check` raises."""
    check(code=code, by=by)
    with transaction.atomic():
        factor = SecondFactor.objects.select_for_update().filter(user=by).first()
        if factor is None:  # removed since the code was right
            raise SecondFactorError(f"{by.username} has no second factor")
        events.record(study=None, by=by, verb="made new recovery codes for", target=by)
        return _renew_recovery_codes(factor)


def remove_own(*, code: str, by: User) -> None:
    """Remove one's own second factor. Raises what `check` raises."""
    check(code=code, by=by)
    _remove(user=by, by=by)


def remove(*, user: User, by: User) -> None:
    """Remove somebody's second factor, as an administrator.

    Raises SecondFactorError for oneself, where it takes a code, and for somebody who has none.
    """
    permissions.require_administrator(by)
    if user == by:
        raise SecondFactorError("you remove your own with a code, on the page of your account")
    _remove(user=user, by=by)


def remove_by_command(*, user: User) -> None:
    """Remove the second factor of whoever has lost it, by the shell. Raises SecondFactorError."""
    _remove(user=user, by=user, by_command=True)


@transaction.atomic
def _remove(*, user: User, by: User, by_command: bool = False) -> None:
    n_deleted, _ = SecondFactor.objects.filter(user=user).delete()
    if not n_deleted:
        raise SecondFactorError(f"{user.username} has no second factor")
    details = {"by_command": True} if by_command else {}
    events.record(study=None, by=by, verb="removed the second factor of", target=user, **details)


def _use_up(factor: SecondFactor, code: str, now: datetime) -> Accepted | None:
    """Return None for a wrong code. A right one of the app is used up by `last_step`, unsaved."""
    was_locked = factor.n_wrong >= settings.AXES_FAILURE_LIMIT
    step = one_time_codes.step(secret(factor.user, factor.salt), code, at=now)
    if step is not None and step > factor.last_step:
        factor.last_step = step
        return Accepted(is_recovery_code=False, was_locked=was_locked)
    n_deleted, _ = factor.recovery_codes.filter(sha256=_hash_of(code)).delete()
    if n_deleted:
        return Accepted(is_recovery_code=True, was_locked=was_locked)
    return None


def _count_wrong_code(factor: SecondFactor, now: datetime) -> None:
    factor.n_wrong += 1
    factor.last_wrong_at = now
    factor.save(update_fields=["n_wrong", "last_wrong_at"])
    if factor.n_wrong == settings.AXES_FAILURE_LIMIT:
        events.record(
            study=None, by=factor.user, verb="entered too many wrong codes for", target=factor.user
        )


def _locked_until(factor: SecondFactor, now: datetime) -> datetime | None:
    """Return when the next code may be tried; None if that is now.

    Only a right code sets the count back: whoever guesses on after the wait has one try for each.
    """
    if factor.n_wrong < settings.AXES_FAILURE_LIMIT or factor.last_wrong_at is None:
        return None
    free_at: datetime = factor.last_wrong_at + settings.AXES_COOLOFF_TIME
    return free_at if free_at > now else None


def _renew_recovery_codes(factor: SecondFactor) -> list[str]:
    factor.recovery_codes.all().delete()
    codes = [_recovery_code() for _ in range(N_RECOVERY_CODES)]
    RecoveryCode.objects.bulk_create(
        RecoveryCode(factor=factor, sha256=_hash_of(_normalized(code))) for code in codes
    )
    return codes


def _recovery_code() -> str:
    """Return a random code in groups of four digits, which a phone's numeric keyboard can type."""
    digits = f"{secrets.randbelow(10**N_RECOVERY_DIGITS):0{N_RECOVERY_DIGITS}}"
    return "-".join(digits[at : at + 4] for at in range(0, N_RECOVERY_DIGITS, 4))


def _hash_of(code: str) -> str:
    """Return what is stored of a recovery code: without the secret key nobody can try codes against it."""
    return salted_hmac("accounts.RecoveryCode", code, algorithm="sha256").hexdigest()


def _normalized(code: str) -> str:
    """Return the code without the spaces and hyphens that group its digits."""
    return "".join(code.split()).replace("-", "")
