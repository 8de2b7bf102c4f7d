"""The pages that say that something cannot be shown: what happened, to what, and what to do."""

import logging
import uuid

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat

logger = logging.getLogger(__name__)


def page(request: HttpRequest, status: int, **context: str) -> HttpResponse:
    return render(request, f"errors/{status}.html", context, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return page(request, 400, why=_what_is_too_much(exception))


def _what_is_too_much(exception: Exception) -> str:
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
    return page(request, 403, why=str(exception))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return page(request, 404)


def too_large(request: HttpRequest, most_mb: int) -> HttpResponse:
    return page(request, 413, most=f"{most_mb:,} MB")


def unexpected(request: HttpRequest) -> HttpResponse:
    """A reference for people to quote; the log has it beside the traceback, which Django logs."""
    reference = uuid.uuid4().hex[:8]
    logger.error("unexpected error %s at %s", reference, request.path)
    return page(request, 500, reference=reference)


def form_expired(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose CSRF token is gone: the page is too old, or cookies are off."""
    return render(request, "errors/form_expired.html", status=403)
