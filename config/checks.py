"""System checks of settings."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

SETTINGS = "settings"  # the tag of what every command checks (accounts/commands/base.py)


@register(SETTINGS)
def broker_is_known(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    scheme = settings.BROKER_URL.partition(":")[0]
    if scheme in {"filesystem", "redis", "rediss", "amqp", "amqps"}:
        return []
    return [
        Error(
            f"BROKER_URL begins with {scheme}, which is no broker that Touchstone knows.",
            hint="Leave it unset for the file system, or say redis://HOST:PORT/NUMBER.",
            id="touchstone.E001",
        )
    ]


@register(deploy=True)
def cookies_are_secure(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    if settings.SESSION_COOKIE_SECURE or settings.DEBUG:
        return []
    return [
        Warning(
            "Cookies are sent over plain HTTP too.",
            hint="Behind HTTPS set TOUCHSTONE_SECURE_COOKIES=1.",
            id="touchstone.W001",
        )
    ]
