"""One-use links with which people set their own password.

There is no e-mail: somebody hands them over.

Nothing is stored. A link is signed for the current state of the user. It ends when it is used, when
the password changes, the person signs in or is signed out everywhere, and after settings.PASSWORD_RESET_TIMEOUT. A link made
by a requester also ends when the person's rights change.
"""

import re
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.actions import tokens
from accounts.models import Membership, Role, RoleGrant, Study, User
from audit import events


class LinkRefusedError(Exception):
    """This person may not make a link for that one; the message says why."""


class LinkEndedError(Exception):
    """The link is not valid, was used, or has expired."""


class _Links(PasswordResetTokenGenerator):
    key_salt = "accounts.actions.passwords by an administrator"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        return f"{super()._make_hash_value(user, timestamp)}{user.is_active} {user.n_sign_outs_everywhere}"


class _RequestersLinks(_Links):
    """Links that end when the person's rights change.

    Otherwise a requester could keep a link to an annotator who becomes an administrator later.
    """

    key_salt = "accounts.actions.passwords by a requester"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        grants = RoleGrant.objects.filter(membership__user=user).order_by("pk")
        rights = [user.is_superuser, *grants.values_list("pk", flat=True)]
        return f"{super()._make_hash_value(user, timestamp)}{rights}"


_administrator_links, _requester_links = _Links(), _RequestersLinks()


def link_token(user: User, *, by_administrator: bool) -> str:
    """Return the token of a new link. It contains the user's key, which `user_of_link` reads."""
    links = _administrator_links if by_administrator else _requester_links
    return f"{user.pk}-{links.make_token(user)}"


def links_end_at() -> datetime:
    """Return when a link that is made now expires."""
    return timezone.now() + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)


def user_of_link(token: str) -> User:
    """Return the user whose password the link sets. Raises LinkEndedError."""
    parts = re.fullmatch(r"([0-9]{1,18})-([0-9a-z-]+)", token)
    user = parts and User.objects.filter(pk=int(parts[1]), is_simulated=False).first()
    if parts and user:
        token = parts[2]
        if _requester_links.check_token(user, token) or _administrator_links.check_token(
            user, token
        ):
            return user
    raise LinkEndedError


@transaction.atomic
def change(*, password: str, revoke_tokens: bool = False, by: User) -> None:
    """Set one's own password, which ends all sessions of the person, and their API tokens if wanted."""
    _set(password, revoke_tokens, "changed the password", by)


def _set(password: str, revoke_tokens: bool, verb: str, user: User) -> None:
    n_revoked = tokens.revoke_all(by=user) if revoke_tokens else 0
    user.set_password(password)
    user.save(update_fields=["password"])
    events.record(
        study=None, by=user, verb=verb, target=user, **tokens.revocation_details(n_revoked)
    )


@transaction.atomic
def set_by_link(*, token: str, password: str, revoke_tokens: bool = False) -> User:
    """Set the password, which ends the link and all sessions, and the person's API tokens if wanted.

    Raises LinkEndedError.
    """
    user = user_of_link(token)
    # Two who use it at once: the second waits here, and its link was for another password.
    user = User.objects.select_for_update().get(pk=user.pk)
    user_of_link(token)
    _set(password, revoke_tokens, "set a password by a link", user)
    return user


def require_may_make_link(*, maker: User, user: User, study: Study) -> None:
    """Raise LinkRefusedError unless this requester of the study may make a link for the person.

    Whoever holds a link can sign in as that person. So the person may be an annotator and nothing else:
    what an adjudicator or another requester decides must be theirs. Nor may they have a role in a study
    in which `maker` is not requester.
    """
    if user.is_simulated:
        raise LinkRefusedError(f"{user.username} is simulated and never signs in")
    if not user.is_active:
        raise LinkRefusedError(f"{user.username} is deactivated and cannot sign in")
    if user.is_superuser:
        raise LinkRefusedError(f"{user.username} is an administrator")
    held = RoleGrant.objects.filter(membership__user=user)
    if not held.filter(membership__study=study).exists():
        raise LinkRefusedError(f"{user.username} is not in the study {study.slug}")
    own = Membership.objects.with_role(Role.REQUESTER).filter(user=maker).values("study")
    if held.exclude(membership__study__in=own).exists():
        raise LinkRefusedError(
            f"{user.username} is in another study too, in which you are not requester"
        )
    if held.exclude(role=Role.ANNOTATOR).exists():
        raise LinkRefusedError(f"{user.username} has roles besides annotator")


@transaction.atomic
def make_password_link(*, study: Study, user: User, by: User) -> str:
    """Return the token of a link with which a member sets a password. Raises LinkRefusedError."""
    permissions.require(by, study, Role.REQUESTER)
    require_may_make_link(maker=by, user=user, study=study)
    events.record(study=study, by=by, verb="made a password link for", target=user)
    return link_token(user, by_administrator=False)


@transaction.atomic
def make_password_link_for_anybody(*, user: User, by: User) -> str:
    """Return the token of a link that an administrator makes for any user who can sign in.

    Raises LinkRefusedError for a simulated user and a deactivated one.
    """
    permissions.require_administrator(by)
    if user.is_simulated:
        raise LinkRefusedError(f"{user.username} is simulated and never signs in")
    if not user.is_active:
        raise LinkRefusedError(f"{user.username} is deactivated and cannot sign in")
    events.record(study=None, by=by, verb="made a password link for", target=user)
    return link_token(user, by_administrator=True)
