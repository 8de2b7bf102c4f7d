"""The pages that say that something cannot be shown: what happened, to what, and what to do."""

import errno
import logging
import sys
import uuid
from collections.abc import Iterator

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat

from pages import problems

logger = logging.getLogger(__name__)

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
    """The page; below the API's address a problem in JSON, but of the one page that is there."""
    if request.path.startswith(problems.API) and request.path != problems.REFERENCE:
        document = problems.problem(status, context.get("why") or DEFAULT_DETAILS[status])
        return JsonResponse(document, status=status, content_type=problems.PROBLEM)
    return render(request, f"errors/{status}.html", context, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, 400, why=_exceeded_limit(exception))


def _exceeded_limit(exception: Exception) -> str:
    """Of what one of our own forms may send, too; "" where it is something else."""
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
    """A reference for people to quote; the log has it beside the traceback, which Django logs.

    Whoever sends JSON is answered in JSON.
    """
    if any(map(_is_disk_full, _causes(sys.exception()))):
        return disk_full(request)
    reference = uuid.uuid4().hex[:8]
    logger.error("unexpected error %s at %s", reference, request.path)
    words = f"an unexpected error, with the reference {reference}"
    if _is_json(request):
        return JsonResponse({"error": words}, status=500)
    return error_page(request, 500, reference=reference, why=words)


def disk_full(request: HttpRequest) -> HttpResponse:
    """The disk is full. Whoever sends JSON is answered in JSON."""
    if _is_json(request):
        words = "the server's disk is full: nothing of this was saved"
        return JsonResponse({"error": words}, status=INSUFFICIENT_STORAGE)
    return error_page(request, INSUFFICIENT_STORAGE)


def _is_json(request: HttpRequest) -> bool:
    """The desk's scripts; the API answers in its own way."""
    is_api = request.path.startswith(problems.API)
    return request.content_type == "application/json" and not is_api


def _is_disk_full(error: BaseException) -> bool:
    return (
        getattr(error, "sqlite_errorname", "") in SQLITE_FULL
        or getattr(error, "sqlstate", "") == POSTGRESQL_FULL
        or (isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT))
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, and what it was raised from: Django's own database errors carry no codes."""
    while error is not None:
        yield error
        error = error.__cause__


def form_expired(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose CSRF token is gone: the page is too old, or cookies are off."""
    return render(request, "errors/form_expired.html", status=403)
