"""Tokens with which programs use the API.

A token is shown once, to its maker; only its hash is stored.
"""

import hashlib
import secrets
from datetime import date, timedelta

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.models import ApiToken, User
from audit import events

# So that one is known for what it is wherever it turns up.
PREFIX = "touchstone_"
N_BYTES = 32  # 256 bits of chance: nobody guesses one, so its hash needs no salt and no slowness


class TokenError(Exception):
    """The token cannot be made; the message says why."""


def sha256(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8")).hexdigest()


@transaction.atomic
def make(*, name: str, days: int, by: User) -> tuple[ApiToken, str]:
    """Return a new token and its text, which is not stored. Raises TokenError."""
    permissions.require_may_use_api(by)
    if study := permissions.studies_closed_to(by).first():
        raise TokenError(
            f"the study {study.title} requires a second factor of you:"
            " set one up on the page of your account"
        )
    # Two forms sent at once: the second waits here, and finds the name taken.
    User.objects.select_for_update().get(pk=by.pk)
    if by.api_tokens.filter(name=name, revoked_at=None).exists():
        raise TokenError(
            f"you have a token {name} already: revoke it first, or choose another name"
        )
    token = PREFIX + secrets.token_urlsafe(N_BYTES)
    now = timezone.now()
    api_token = ApiToken(
        user=by,
        name=name,
        sha256=sha256(token),
        created_at=now,
        expires_at=now + timedelta(days=days),
    )
    api_token.full_clean()
    api_token.save()
    events.record(study=None, by=by, verb="made", target=api_token)
    return api_token, token


@transaction.atomic
def revoke(*, token: ApiToken, by: User) -> None:
    """End the token. A second call changes nothing."""
    valid = by.api_tokens.filter(pk=token.pk, revoked_at=None)
    if valid.update(revoked_at=timezone.now()):
        events.record(study=None, by=by, verb="revoked", target=token)


def n_valid(user: User) -> int:
    """Return how many tokens of the user work at present."""
    return user.api_tokens.valid(timezone.now()).count()


def revoke_all(*, by: User) -> int:
    """End every token of the person; return their number. The caller records the event."""
    return by.api_tokens.filter(revoked_at=None).update(revoked_at=timezone.now())


def revocation_details(n_revoked: int) -> dict[str, int]:
    """Return the details of an event that revoked so many tokens beside what it is about."""
    return {"n_tokens_revoked": n_revoked} if n_revoked else {}


def valid_token(token: str) -> ApiToken | None:
    """Return the valid token, with its user; None if it is unknown, expired or revoked."""
    now = timezone.now()
    valid = ApiToken.objects.valid(now).select_related("user")
    api_token = valid.filter(
        sha256=sha256(token), user__is_active=True, user__is_simulated=False
    ).first()
    if api_token is not None and api_token.last_used_on != now.date():
        if api_token.last_used_on is None:
            _record_first_use(api_token, now.date())
        else:
            ApiToken.objects.filter(pk=api_token.pk).update(last_used_on=now.date())
    return api_token


@transaction.atomic
def _record_first_use(token: ApiToken, day: date) -> None:
    unused = ApiToken.objects.filter(pk=token.pk, last_used_on=None)
    if unused.update(last_used_on=day):  # by one of two requests at once
        events.record(study=None, by=token.user, verb="used", target=token)
