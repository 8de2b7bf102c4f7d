from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from accounts.permissions import NotAllowedError
from pages import errors


class NotAllowedMiddleware:
    """Show NotAllowedError of any view as a page with its message."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, NotAllowedError):
            return errors.not_allowed(request, exception)
        return None
