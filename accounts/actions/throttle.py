"""The wait after too many wrong passwords, which django-axes counts."""

from datetime import datetime, timedelta

from axes.models import AccessAttempt
from django.conf import settings
from django.utils import timezone


def free_at(*, username: str, address: str | None, now: datetime) -> datetime:
    """Return when the name may next be tried from the address; `now` if it may be tried at once."""
    wait: timedelta = settings.AXES_COOLOFF_TIME
    attempts = AccessAttempt.objects.filter(
        username=username, ip_address=address, attempt_time__gte=now - wait
    )
    # A row for each browser, counted until its last attempt is older than the wait.
    n_failures = 0
    for attempt in attempts.order_by("-attempt_time"):
        n_failures += attempt.failures_since_start
        if n_failures >= settings.AXES_FAILURE_LIMIT:
            last: datetime = attempt.attempt_time
            return last + wait
    return now


def clear_expired() -> int:
    """Remove the wrong passwords that are older than the wait; returns their number."""
    long_ago = timezone.now() - settings.AXES_COOLOFF_TIME
    n_removed: int
    n_removed, _ = AccessAttempt.objects.filter(attempt_time__lt=long_ago).delete()
    return n_removed
