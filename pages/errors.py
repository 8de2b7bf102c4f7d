"""Error pages: what happened, to what, and what to do."""

import errno
import sys
from collections.abc import Iterator

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat

from monitoring import log_context
from pages import problems

INSUFFICIENT_STORAGE = 507
# How SQLite says that there is no room: for what is written, and for the index that its processes share.
SQLITE_FULL = {"SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"}
POSTGRESQL_FULL = "53100"


# What a program is told, where the page says nothing of its own.
DEFAULT_DETAILS = {
    400: "The request cannot be read.",
    403: "You may not do this.",
    404: "There is no such thing here.",
    413: "What was sent is too large.",
    INSUFFICIENT_STORAGE: "The server's disk is full: nothing of this was saved.",
}


def error_page(request: HttpRequest, status: int, **context: str) -> HttpResponse:
    """Return the page; below the API's address a JSON problem, except on its reference page."""
    if request.path.startswith(problems.API) and request.path != problems.REFERENCE:
        document = problems.problem(status, context.get("why") or DEFAULT_DETAILS[status])
        return JsonResponse(document, status=status, content_type=problems.PROBLEM)
    return render(request, f"errors/{status}.html", context, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    log_context.refusal.set(str(exception) or type(exception).__name__)
    return error_page(request, 400, why=_exceeded_limit(exception))


def _exceeded_limit(exception: Exception) -> str:
    """Return which limit the request exceeds, as our own forms may too; empty for other errors."""
    if isinstance(exception, RequestDataTooBig):
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0
        return f"The texts of a form may have {filesizeformat(most)} in all, and these have more."
    if isinstance(exception, TooManyFilesSent):
        most = settings.DATA_UPLOAD_MAX_NUMBER_FILES or 0
        return f"At most {most} files are taken at once. Send the others after them."
    if isinstance(exception, TooManyFieldsSent):
        most = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS or 0
        return f"At most {most:,} fields or choices are taken at once."
    return ""


def not_allowed(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, 403, why=str(exception))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, 404)


def too_large(request: HttpRequest, most_mb: int) -> HttpResponse:
    return error_page(request, 413, most=f"{most_mb:,} MB")


def unexpected(request: HttpRequest) -> HttpResponse:
    """Return a page with a reference that people can quote: the request's id, which the log has too.

    A JSON request gets JSON.
    """
    if any(map(_is_disk_full, _causes(sys.exception()))):
        return disk_full(request)
    reference = log_context.request_id.get()
    words = f"an unexpected error, with the reference {reference}"
    if _is_json(request):
        return JsonResponse({"error": words}, status=500)
    return error_page(request, 500, reference=reference, why=words)


def disk_full(request: HttpRequest) -> HttpResponse:
    """Return a page that says that the disk is full. A JSON request gets JSON."""
    if _is_json(request):
        words = "the server's disk is full: nothing of this was saved"
        return JsonResponse({"error": words}, status=INSUFFICIENT_STORAGE)
    return error_page(request, INSUFFICIENT_STORAGE)


def _is_json(request: HttpRequest) -> bool:
    """Return whether a script of the desk sent the request. The API answers in its own way."""
    is_api = request.path.startswith(problems.API)
    return request.content_type == "application/json" and not is_api


def _is_disk_full(error: BaseException) -> bool:
    return (
        getattr(error, "sqlite_errorname", "") in SQLITE_FULL
        or getattr(error, "sqlstate", "") == POSTGRESQL_FULL
        or (isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT))
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the error and its causes: Django's own database errors have no codes."""
    while error is not None:
        yield error
        error = error.__cause__


def form_expired(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return a page for a form without a valid CSRF token: too old, or sent without cookies."""
    log_context.refusal.set(reason)
    return render(request, "errors/form_expired.html", status=403)
