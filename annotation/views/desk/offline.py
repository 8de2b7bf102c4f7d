"""The service worker, which keeps the desk usable after a reload without a network (docs/adr/0006).

It keeps the scripts and styles that the desk needs, and of the pages of people only the desk: a copy for the
person whom it was made for, until anybody signs in or out.
"""

import json
from functools import cache
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from accounts.models import User

# The header of a page that may be kept; its value is the person it was made for.
KEPT_FOR = "X-Kept-For"
SCRIPT = Path(settings.BASE_DIR, "static", "js", "service_worker.js")


@cache
def _release() -> str:
    """The version of the program and of its static files: what one release kept is of no use to the next."""
    files = getattr(staticfiles_storage, "manifest_hash", "")
    return f"{settings.VERSION}-{files}" if files else settings.VERSION


def copy_name() -> str:
    """The name of the browser's cache of private pages; all of them begin alike."""
    return f"touchstone-private-{_release()}"


def may_be_kept(page: HttpResponse, person: User) -> HttpResponse:
    """The page, marked as one that the service worker may keep for the person."""
    page[KEPT_FOR] = quote(person.get_username())
    return page


def _addresses_of_another_person() -> list[str]:
    """How the addresses begin where people sign in and out."""
    plain = [reverse(name) for name in ("sign_in", "sign_out", "sign_out_everywhere")]
    links = [reverse(name, args=["x"]).removesuffix("x/") for name in ("join", "password_link")]
    return plain + links


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """The script, at the root of the site: it has to see that somebody signs out."""
    given = {
        "files": f"touchstone-files-{_release()}",
        "copies": copy_name(),
        "keptFor": KEPT_FOR,
        "static": settings.STATIC_URL,
        "ending": _addresses_of_another_person(),
    }
    text = f"const GIVEN = {json.dumps(given)};\n{SCRIPT.read_text(encoding='utf-8')}"
    return HttpResponse(text, content_type="text/javascript; charset=utf-8")
