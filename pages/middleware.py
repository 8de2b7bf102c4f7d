from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers, has_vary_header

from pages import errors

MB = 1_000_000
# What a form without files may send; Django's own limits are below it.
MOST_WITHOUT_FILES_MB = 10

View = TypeVar("View", bound=Callable[..., Any])


def takes_uploads(view: View) -> View:
    """Mark a view that receives files: its limit is TOUCHSTONE_MAX_UPLOAD_MB in all, not 10 MB."""
    view.takes_uploads = True  # type: ignore[attr-defined]
    return view


class UploadLimitMiddleware:
    """Refuse too large requests before they are read, with a page that says so.

    It precedes the CSRF middleware, which reads the form.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, options: Any
    ) -> HttpResponse | None:
        takes_files = getattr(view, "takes_uploads", False)
        most = settings.MOST_UPLOAD_MB if takes_files else MOST_WITHOUT_FILES_MB
        sent = request.META.get("CONTENT_LENGTH") or "0"
        if sent.isdecimal() and int(sent) > most * MB:
            return errors.too_large(request, most)
        return None


class NotStoredMiddleware:
    """Tell browsers and proxies to store no reply that depends on who asks: after signing out, Back shows none.

    It precedes the session's middleware, which marks such replies with Vary: Cookie.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if has_vary_header(response, "Cookie") and not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response
