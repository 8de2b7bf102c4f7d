"""Throttles. Each web process counts in its own memory, so a limit of n is one of n for each."""

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle


class _MinuteThrottle(SimpleRateThrottle):
    setting: str

    def get_rate(self) -> str | None:
        """None, which is no limit, for a setting of 0."""
        n: int = getattr(settings, self.setting)
        return f"{n}/min" if n else None


class RequestThrottle(_MinuteThrottle):
    """Of a user, whatever token they use, or else of an address."""

    scope, setting = "api", "API_REQUESTS_A_MINUTE"

    def get_cache_key(self, request: Request, view: object) -> str:
        who = request.user.pk if request.user.is_authenticated else request.META["REMOTE_ADDR"]
        return f"{self.scope}-{who}"


class WrongTokenThrottle(_MinuteThrottle):
    """Of an address."""

    scope, setting = "api-wrong-tokens", "API_WRONG_TOKENS_A_MINUTE"

    def get_cache_key(self, request: Request, view: object) -> str:
        return f"{self.scope}-{request.META['REMOTE_ADDR']}"
