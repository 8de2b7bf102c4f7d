"""The wait after too many wrong passwords, which django-axes counts."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from axes.handlers.database import AxesDatabaseHandler
from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib import auth
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from accounts import known_browsers
from accounts.actions import sign_ins


class Wait(NamedTuple):
    free_at: datetime  # the present, if the name may be tried at once
    is_of_address: bool = False  # whatever the name


def wait(*, username: str, address: str | None, is_known: bool, now: datetime) -> Wait:
    """Return when the name may next be tried from the address.

    The name waits at this address, at every address, or the address with every name, whichever ends
    last. Of these, a browser that has signed in under the name before waits for the first only: what
    others do elsewhere, or with other names, does not shut a person out.
    """
    window: timedelta = settings.AXES_COOLOFF_TIME
    # A row for each name, address and browser, counted until its last attempt is older than the wait.
    attempts = list(
        AccessAttempt.objects.filter(
            Q(username=username) | Q(ip_address=address), attempt_time__gte=now - window
        )
        .order_by("-attempt_time")
        .values_list("username", "ip_address", "failures_since_start", "attempt_time")
    )

    def free_at(limit: int, counts: Callable[[str, str | None], bool]) -> datetime:
        n_failures = 0
        for name, place, failures, last in attempts:
            n_failures += failures if counts(name, place) else 0
            if n_failures >= limit:
                end: datetime = last + window
                return end
        return now

    here = Wait(
        free_at(
            settings.AXES_FAILURE_LIMIT, lambda name, place: (name, place) == (username, address)
        )
    )
    if is_known:
        return here
    anywhere = Wait(free_at(settings.SIGN_IN_FAILURES_OF_NAME, lambda name, _: name == username))
    any_name = Wait(
        free_at(settings.SIGN_IN_FAILURES_OF_ADDRESS, lambda _, place: place == address),
        is_of_address=True,
    )
    return max(here, anywhere, any_name, key=lambda wait: wait.free_at)


def wait_of_request(request: HttpRequest, username: str) -> Wait:
    """Return the wait of an attempt, which axes has marked with its time and address."""
    return wait(
        username=username,
        address=request.axes_ip_address,  # type: ignore[attr-defined]
        is_known=known_browsers.knows(request, username),
        now=request.axes_attempt_time,  # type: ignore[attr-defined]
    )


def is_own_password(request: HttpRequest, password: str) -> bool:
    """Return whether it is the password of whoever is signed in, who may have found an open browser.

    A wrong one counts, and after too many the answer is the page of the wait; a right one sets the
    count back: all as at the sign-in.
    """
    user = auth.authenticate(request, username=request.user.get_username(), password=password)
    if user is None:
        return False
    AxesProxyHandler.user_logged_in(sender=type(user), request=request, user=user)
    return True


class Handler(AxesDatabaseHandler):  # type: ignore[misc]  # it has no types
    """The counts of axes with three limits in place of one, and an event for each (AXES_HANDLER)."""

    @transaction.atomic
    def user_login_failed(
        self,
        sender: str,
        credentials: dict[str, Any],
        request: HttpRequest | None = None,
        **kwargs: Any,
    ) -> None:
        # Who has to wait is not told whether the password is right, so nothing failed.
        was_tried = request is not None and not request.axes_locked_out  # type: ignore[attr-defined]
        super().user_login_failed(sender, credentials, request, **kwargs)
        if request is not None and was_tried:
            sign_ins.record_failure(
                name=credentials["username"],
                address=request.axes_ip_address,  # type: ignore[attr-defined]
            )

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Return AXES_FAILURE_LIMIT if the attempt has to wait by any limit, else 0."""
        username = (credentials or {}).get("username") or ""
        has_to_wait = (
            wait_of_request(request, username).free_at > request.axes_attempt_time  # type: ignore[attr-defined]
        )
        return int(settings.AXES_FAILURE_LIMIT) if has_to_wait else 0


def clear_expired() -> int:
    """Remove the wrong passwords that are older than the wait; returns their number."""
    long_ago = timezone.now() - settings.AXES_COOLOFF_TIME
    n_removed: int
    n_removed, _ = AccessAttempt.objects.filter(attempt_time__lt=long_ago).delete()
    return n_removed
