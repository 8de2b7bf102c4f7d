"""A cookie that tells under which names a browser has signed in before.

Such a browser is not held up by the wrong passwords of others, see `accounts.actions.throttle`. The
cookie has no names, only a keyed hash of each; it signs nobody in.
"""

from collections.abc import Iterable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

COOKIE = "known_names"
MOST_NAMES = 10  # on a machine that many people share, those who came last
SECONDS = 400 * 24 * 60 * 60  # browsers keep no cookie for longer


def knows(request: HttpRequest, name: str) -> bool:
    return bool(names(request.COOKIES.get(COOKIE, ""), [name]))


def names(cookie: str, asked: Iterable[str]) -> set[str]:
    """Return those of the names that the cookie has."""
    marks = cookie.split(".")
    return {name for name in asked if _mark(name) in marks}


def remember(request: HttpRequest, response: HttpResponse, name: str) -> None:
    mark = _mark(name)
    others = [each for each in request.COOKIES.get(COOKIE, "").split(".") if each and each != mark]
    response.set_cookie(
        COOKIE,
        ".".join([mark, *others][:MOST_NAMES]),
        max_age=SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _mark(name: str) -> str:
    return salted_hmac("accounts.known_browsers", name, algorithm="sha256").hexdigest()[:32]
