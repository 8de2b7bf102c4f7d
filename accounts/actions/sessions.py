"""Sessions of signed-in users."""

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.actions import tokens
from accounts.models import User
from audit import events


@transaction.atomic
def sign_out_everywhere(*, revoke_tokens: bool, by: User) -> None:
    """`end_everywhere` as an act of the person."""
    n_revoked = end_everywhere(revoke_tokens=revoke_tokens, by=by)
    events.record(
        study=None,
        by=by,
        verb="signed out everywhere",
        target=by,
        **tokens.revocation_details(n_revoked),
    )


@transaction.atomic
def end_everywhere(*, revoke_tokens: bool = False, by: User) -> int:
    """End every session of the person, the present one too, and their API tokens if wanted.

    Returns the number of tokens. Records no event.
    """
    n_revoked = tokens.revoke_all(by=by) if revoke_tokens else 0
    User.objects.filter(pk=by.pk).update(n_sign_outs_everywhere=F("n_sign_outs_everywhere") + 1)
    return n_revoked


def clear_expired() -> int:
    """Remove the sessions that have ended; returns their number."""
    n_removed, _ = Session.objects.filter(expire_date__lte=timezone.now()).delete()
    return n_removed


def of_user(user: User) -> list[Session]:
    """Return the stored sessions of the person. Each says whose it is only once it is decoded."""
    key = str(user.pk)
    sessions = Session.objects.order_by("expire_date").iterator()
    return [session for session in sessions if session.get_decoded().get(SESSION_KEY) == key]
