"""Links that are shown once, on the page after a form: to set a password, to join a study.

On the way to that page a link waits in a cookie of whoever made it, and nowhere on the server: who has a
copy of the database has no link that works.
"""

from typing import Any

from django.conf import settings
from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

COOKIE = "once"
KEPT_SECONDS = 60


def redirect_with_link(request: HttpRequest, path: str, link: str) -> HttpResponse:
    """Redirect to the page at the path, whose `render_with_link` shows the link."""
    response = redirect(path)
    response.set_signed_cookie(
        COOKIE,
        link,
        salt=_salt(request, path),
        max_age=KEPT_SECONDS,
        path=path,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )
    return response


def render_with_link(
    request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Render the template with the `link` that waits for this page, or ""; it no longer waits."""
    try:
        salt = _salt(request, request.path)
        link = request.get_signed_cookie(COOKIE, salt=salt, max_age=KEPT_SECONDS)
    except (KeyError, BadSignature):
        return render(request, template, context | {"link": ""}, status=status)
    response = render(request, template, context | {"link": link}, status=status)
    response.delete_cookie(COOKIE, path=request.path, samesite="Strict")
    return response


def _salt(request: HttpRequest, path: str) -> str:
    """Return what ties a link to its maker and its page."""
    return f"{__name__} {request.user.pk} {path}"
