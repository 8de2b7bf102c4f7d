import logging
import time
from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers, has_vary_header
from django.utils.functional import LazyObject

from monitoring import log_context, metrics
from pages import errors

access = logging.getLogger("access")

MB = 1_000_000
# What a form without files may send; Django's own limits are below it.
MOST_WITHOUT_FILES_MB = 10

View = TypeVar("View", bound=Callable[..., Any])


def takes_uploads(view: View) -> View:
    """Mark a view that receives files: its limit is TOUCHSTONE_MAX_UPLOAD_MB in all, not 10 MB."""
    view.takes_uploads = True  # type: ignore[attr-defined]
    return view


# A request that is refused so is a warning. What is not there is asked for by every passing scanner.
REFUSALS = {401, 403, 410, 413, 429}
LONGEST_LOGGED = 200  # letters of a path or reason; others chose them
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


class RequestMiddleware:
    """Give each request an id, one line in the log, and its place in the metrics.

    It precedes all others: whatever they answer passes here.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        # Anybody could choose the id that others search the log for; a proxy of ours replaces it.
        given = request.headers.get("X-Request-Id", "") if settings.N_PROXIES else ""
        request_id = log_context.begin_request(given)
        metrics.REQUESTS_IN_PROGRESS.inc()
        try:
            with connection.execute_wrapper(time_locks):
                response = self.get_response(request)
        finally:
            metrics.REQUESTS_IN_PROGRESS.dec()
        response.headers["X-Request-Id"] = request_id
        seconds = time.perf_counter() - began
        count_request(request, response, seconds)
        log_request(request, response, seconds)
        return response


def time_locks(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    """Execute the statement; measure how long it takes if it is one that waits for other writers.

    On SQLite a transaction takes the only write lock when it begins, on PostgreSQL a query locks rows.
    """
    if sql.startswith("BEGIN IMMEDIATE"):
        waiting = metrics.WRITE_LOCK
    elif " FOR UPDATE" in sql or " FOR NO KEY UPDATE" in sql:
        waiting = metrics.ROW_LOCK
    else:
        return execute(sql, params, many, context)
    with waiting.time():
        return execute(sql, params, many, context)


def count_request(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    view = view_of(request)
    method = request.method if request.method in METHODS else "other"
    metrics.REQUESTS.labels(view, method, response.status_code).inc()
    metrics.REQUEST_SECONDS.labels(view).observe(seconds)


def view_of(request: HttpRequest) -> str:
    """Return the name of the address, which is one of so many; "none" where there is no such address."""
    if request.resolver_match:
        return request.resolver_match.view_name
    return "static" if request.path_info.startswith(settings.STATIC_URL) else "none"


def log_request(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    """Write the one line of the request: INFO, or WARNING where it was refused."""
    status, why = response.status_code, log_context.refusal.get()
    level = logging.WARNING if status in REFUSALS or why else logging.INFO
    if not access.isEnabledFor(level):
        return
    fields: dict[str, object] = {
        "method": printable(request.method or ""),
        "path": printable(request.path),
        "status": status,
        "milliseconds": round(1000 * seconds, 1),
    }
    line = "{method} {path} {status} in {milliseconds} ms".format(**fields)
    # Where a page failed, the database may be away: it is not asked once more.
    if status < 500 and (user := user_number(request)):
        fields["user"] = user
        line += f", user {user}"
    if why:
        fields["why"] = printable(why)
        line += f": {fields['why']}"
    access.log(level, "%s", line, extra={"fields": fields})


def printable(text: str) -> str:
    """Return the beginning of the text on one line, whatever somebody put into it."""
    escaped = text.encode("unicode_escape").decode("ascii")
    return escaped if len(escaped) <= LONGEST_LOGGED else f"{escaped[:LONGEST_LOGGED]}…"


def user_number(request: HttpRequest) -> int | None:
    """Return the number of whoever is signed in, as far as the request asked for it; no query is made for it."""
    user = getattr(request, "user", None)
    if user is not None and not isinstance(user, LazyObject):
        return int(user.pk) if user.is_authenticated else None  # by a token
    session = getattr(request, "session", None)
    if session is None or not session.accessed:
        return None
    number = session.get(SESSION_KEY)
    return int(number) if number else None


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
