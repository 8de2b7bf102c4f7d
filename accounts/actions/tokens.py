"""Tokens with which programs use the API.

A token is shown once, to its maker; only its hash is stored.
"""

import hashlib
import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.models import ApiToken, User

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
    return api_token, token


def revoke(*, token: ApiToken, by: User) -> None:
    """End the token. A second call changes nothing."""
    by.api_tokens.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


def n_valid(user: User) -> int:
    """Return how many tokens of the user work at present."""
    return user.api_tokens.valid(timezone.now()).count()


def revoke_all(*, by: User) -> None:
    """End every token of the person."""
    by.api_tokens.filter(revoked_at=None).update(revoked_at=timezone.now())


def valid_token(token: str) -> ApiToken | None:
    """Return the valid token, with its user; None if it is unknown, expired or revoked."""
    now = timezone.now()
    valid = ApiToken.objects.valid(now).select_related("user")
    api_token = valid.filter(
        sha256=sha256(token), user__is_active=True, user__is_simulated=False
    ).first()
    if api_token is not None and api_token.last_used_on != now.date():
        ApiToken.objects.filter(pk=api_token.pk).update(last_used_on=now.date())
    return api_token
