"""How often one may ask. Counted in the memory of each web process: a limit of n is one of n for each."""

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle


class _Rate(SimpleRateThrottle):
    per_minute: str  # the setting

    def get_rate(self) -> str | None:
        """0 is no limit."""
        n: int = getattr(settings, self.per_minute)
        return f"{n}/min" if n else None


class Requests(_Rate):
    """Of a person, whatever token they use; of whoever is nobody by their address."""

    scope, per_minute = "api", "API_REQUESTS_A_MINUTE"

    def get_cache_key(self, request: Request, view: object) -> str:
        who = request.user.pk if request.user.is_authenticated else request.META["REMOTE_ADDR"]
        return f"{self.scope}-{who}"


class WrongTokens(_Rate):
    """From an address."""

    scope, per_minute = "api-wrong-tokens", "API_WRONG_TOKENS_A_MINUTE"

    def get_cache_key(self, request: Request, view: object) -> str:
        return f"{self.scope}-{request.META['REMOTE_ADDR']}"
