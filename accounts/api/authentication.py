"""Who asks: by a token in the header, or by the session of a browser that is signed in."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import authentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.actions import tokens
from accounts.api.throttling import WrongTokens
from accounts.models import ApiToken, User

SCHEME = "Bearer"


class TokenAuthentication(authentication.BaseAuthentication):
    """`Authorization: Bearer TOKEN`. What a token is appears in no message."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        kind, _, given = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if kind.lower() != SCHEME.lower():
            return None
        found = tokens.person_of(given.strip())
        if found is None:
            _count_wrong(request)
            raise AuthenticationFailed("This token is none, has expired, or was revoked.")
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        return f'{SCHEME} realm="Touchstone"'


def _count_wrong(request: Request) -> None:
    """Nobody guesses 256 bits. But whoever goes on with a token that is none is stopped, as others are."""
    rate = WrongTokens()
    if not rate.allow_request(request, APIView()):
        raise Throttled(rate.wait(), "Too many wrong tokens came from this address.")


class SessionAuthentication(authentication.SessionAuthentication):
    """The browser's: what changes something needs the token of a form (X-CSRFToken)."""


class _TokenInSchema(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # it has no types
    target_class = "accounts.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": SCHEME.lower(),
            "description": "A token that a requester or adjudicator made on the page of their account.",
        }


class _SessionInSchema(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "accounts.api.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
