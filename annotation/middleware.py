from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from annotation.schemes import NoVerdictError
from pages import errors


class NoVerdictMiddleware:
    """What is asked of a batch whose items end with no verdict, and needs one, is not there: 404, in words."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, NoVerdictError):
            return errors.page(request, 404, why=f"There is no such thing here: {exception}.")
        return None
