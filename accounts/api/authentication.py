"""Authentication by a token in the header, or by the session of a browser."""

from rest_framework import authentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from accounts.actions import tokens
from accounts.api.throttling import WrongTokenThrottle
from accounts.models import ApiToken, User

SCHEME = "Bearer"


class TokenAuthentication(authentication.BaseAuthentication):
    """Authentication by `Authorization: Bearer TOKEN`. No message contains a token."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        kind, _, given = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if kind.lower() != SCHEME.lower():
            return None
        token = tokens.valid_token(given.strip())
        if token is None:
            _throttle(request)
            raise AuthenticationFailed("This token is none, has expired, or was revoked.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return f'{SCHEME} realm="Touchstone"'


def _throttle(request: Request) -> None:
    """Raise Throttled after too many wrong tokens from one address.

    Nobody can guess 256 bits, but such requests cost as much as others.
    """
    rate = WrongTokenThrottle()
    if not rate.allow_request(request, view=None):  # type: ignore[arg-type]  # it asks nothing of a view
        raise Throttled(rate.wait(), "Too many wrong tokens came from this address.")


class SessionAuthentication(authentication.SessionAuthentication):
    """Authentication by session.

    A request that changes something needs a form's CSRF token as X-CSRFToken.
    """
