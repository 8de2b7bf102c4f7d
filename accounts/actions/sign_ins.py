"""Sign-ins in the audit record: who, when, and the network they came from; no browser, no whole address."""

from datetime import timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from accounts import addresses
from accounts.models import User
from audit import events
from audit.models import Event

SIGNED_IN, SIGNED_OUT = "signed in", "signed out"
FAILED, FAILED_AS_NOBODY = "failed to sign in as", "failed to sign in"
# These are kept for settings.SIGN_IN_DAYS. Events of passwords and tokens are kept for good.
KEPT_FOR_A_TIME = (SIGNED_IN, SIGNED_OUT, FAILED, FAILED_AS_NOBODY)


def record(*, by: User, address: str | None) -> None:
    events.record(
        study=None, by=by, verb=SIGNED_IN, target=by, address=addresses.shortened(address)
    )


def record_failure(*, name: str, address: str | None) -> None:
    """Record a wrong password. A name that nobody has is left out: it may be a password."""
    user = User.objects.filter(username=name).first()
    events.record(
        study=None,
        by=None,
        verb=FAILED if user else FAILED_AS_NOBODY,
        target=user,
        address=addresses.shortened(address),
    )


def record_end(*, by: User) -> None:
    events.record(study=None, by=by, verb=SIGNED_OUT, target=by)


def recent(user: User) -> QuerySet[Event]:
    """Return the sign-ins under the person's name and those that failed, newest first."""
    return Event.objects.filter(
        study="", target=events.target_text(user), verb__in=[SIGNED_IN, FAILED]
    ).order_by("-at", "-pk")


def forget(user: User) -> None:
    """Remove the sign-ins of a person who is erased."""
    Event.objects.filter(
        study="", target=events.target_text(user), verb__in=KEPT_FOR_A_TIME
    ).delete()


def clear_old() -> int:
    """Remove the sign-ins that are older than settings.SIGN_IN_DAYS; return their number."""
    long_ago = timezone.now() - timedelta(days=settings.SIGN_IN_DAYS)
    old = Event.objects.filter(study="", verb__in=KEPT_FOR_A_TIME, at__lt=long_ago)
    n_removed, _ = old.delete()
    return n_removed
