"""The page to go to after sign-in or consent."""

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme


def next_href(request: HttpRequest, otherwise: str = "home") -> str:
    """The address in the parameter `next` if it is on this host; else that of the view `otherwise`."""
    path = request.POST.get("next") or request.GET.get("next") or ""
    # A whole path: redirect() would take a bare word for the name of a view.
    is_on_this_host = path.startswith("/") and url_has_allowed_host_and_scheme(
        path, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return path if is_on_this_host else reverse(otherwise)
