from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.http import HttpResponseClientRefresh

from accounts import guards, known_browsers
from accounts.guards import SecondFactorNeededError
from accounts.permissions import NotAllowedError
from accounts.views.session_start import SIGNED_IN_AS
from pages import errors


class NotAllowedMiddleware:
    """Show NotAllowedError and SecondFactorNeededError of any view as pages with their messages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, SecondFactorNeededError):
            if request.headers.get("HX-Request"):
                return HttpResponseClientRefresh()  # a part of a page: the whole page says why
            context = {"why": str(exception), "next": guards.page_of(request)}
            return render(request, "accounts/second_factor_needed.html", context, status=403)
        if isinstance(exception, NotAllowedError):
            return errors.not_allowed(request, exception)
        return None


class KnownBrowserMiddleware:
    """Let the browser remember, by a cookie, under which name somebody signed in with it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        name = getattr(request, SIGNED_IN_AS, None)
        if name is not None:
            known_browsers.remember(request, response, name)
        return response
