"""The page to continue with after an intermediate one."""

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme


def next_href(request: HttpRequest, otherwise: str = "home") -> str:
    """Return the address in `next` if it is on this site, else the view named `otherwise`."""
    path = request.POST.get("next") or request.GET.get("next") or ""
    # A whole path: redirect() would take a bare word for the name of a view.
    is_ours = path.startswith("/") and url_has_allowed_host_and_scheme(
        path, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return path if is_ours else reverse(otherwise)
