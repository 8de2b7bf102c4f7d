"""Sessions of signed-in users."""

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.actions import tokens
from accounts.models import User


@transaction.atomic
def end_everywhere(*, revoke_tokens: bool = False, by: User) -> None:
    """End every session of the person, the present one too, and their API tokens if wanted."""
    if revoke_tokens:
        tokens.revoke_all(by=by)
    User.objects.filter(pk=by.pk).update(n_sign_outs_everywhere=F("n_sign_outs_everywhere") + 1)


def clear_expired() -> int:
    """Remove the sessions that have ended; returns their number."""
    n_removed, _ = Session.objects.filter(expire_date__lte=timezone.now()).delete()
    return n_removed
