"""Limits of requests.

Each web process counts in its own memory, so a limit holds for each process.
"""

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from accounts import addresses


class _MinuteThrottle(SimpleRateThrottle):
    setting: str

    def get_rate(self) -> str | None:
        """Return the rate a minute, or None (no limit) if the setting is 0."""
        n: int = getattr(settings, self.setting)
        return f"{n}/min" if n else None


class RequestThrottle(_MinuteThrottle):
    """Limit the requests of a user, by whatever tokens, or of an address if nobody is signed in."""

    scope, setting = "api", "API_REQUESTS_A_MINUTE"

    def get_cache_key(self, request: Request, view: object) -> str:
        who = request.user.pk if request.user.is_authenticated else addresses.of_request(request)
        return f"{self.scope}-{who}"


class WrongTokenThrottle(_MinuteThrottle):
    """Limit the requests with wrong tokens from one address."""

    scope, setting = "api-wrong-tokens", "API_WRONG_TOKENS_A_MINUTE"

    def get_cache_key(self, request: Request, view: object) -> str:
        return f"{self.scope}-{addresses.of_request(request)}"
