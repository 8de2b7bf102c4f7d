"""The beginning of a session, by whichever page."""

from django.contrib import auth
from django.http import HttpRequest

from accounts.models import User

# What accounts.middleware.KnownBrowserMiddleware looks for at the request.
SIGNED_IN_AS = "signed_in_as"


def begin(request: HttpRequest, user: User, *, backend: str | None = None) -> None:
    """Sign the user in, and let their browser remember the name."""
    auth.login(request, user, backend=backend)
    setattr(request, SIGNED_IN_AS, user.username)
