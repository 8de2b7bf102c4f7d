from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from pages import errors

MB = 1_000_000
# What a form without files may send; Django's own limits are below it.
MOST_WITHOUT_FILES_MB = 10

View = TypeVar("View", bound=Callable[..., Any])


def takes_uploads(view: View) -> View:
    """Marks a view that files are sent to: TOUCHSTONE_MAX_UPLOAD_MB in all, instead of 10 MB."""
    view.takes_uploads = True  # type: ignore[attr-defined]
    return view


class UploadLimitMiddleware:
    """Refuses what is too large before anything of it is read, with a page that says so.

    It stands before the check of the form's token, which reads the form.
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
