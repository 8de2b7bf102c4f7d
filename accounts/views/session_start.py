"""The beginning of a session, by whichever page."""

from django.contrib import auth
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest

from accounts import addresses
from accounts.actions import sign_ins
from accounts.models import User

# What accounts.middleware.KnownBrowserMiddleware looks for at the request.
SIGNED_IN_AS = "signed_in_as"


@transaction.atomic
def begin(request: HttpRequest, user: User, *, backend: str | None = None) -> None:
    """Sign the user in, record it, and let their browser remember the name.

    Raises PermissionDenied for somebody who was deactivated or erased since the request began.
    """
    active = User.objects.select_for_update().filter(is_active=True)
    try:
        user.refresh_from_db(from_queryset=active)
    except User.DoesNotExist as error:
        raise PermissionDenied("This account was deactivated.") from error
    auth.login(request, user, backend=backend)
    sign_ins.record(by=user, address=addresses.of_request(request))
    setattr(request, SIGNED_IN_AS, user.username)
