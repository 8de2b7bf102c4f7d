from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from annotation.schemes import WrongSchemeError
from pages import errors


class WrongSchemeMiddleware:
    """A page that the scheme of a batch does not have is not found; the page says why."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, WrongSchemeError):
            return errors.error_page(request, 404, why=f"There is no such thing here: {exception}.")
        return None
