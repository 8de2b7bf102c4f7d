"""What went wrong, as RFC 9457 has it (application/problem+json), whatever raised it.

    {"type": "/api/v1/#problem-refused", "title": "Refused", "status": 409,
     "detail": "the batch one is draft, not open"}

A request that cannot be meant has `errors` besides, one for each field, by a pointer into what was sent:

    "errors": [{"pointer": "#/decisions/3/paid_reason", "detail": "This field may not be blank."}]
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions, serializers, status
from rest_framework.exceptions import APIException
from rest_framework.response import Response
from rest_framework.views import exception_handler

from accounts.api.shapes import Out
from accounts.permissions import NotAllowedError
from pages.problems import PROBLEM, problem


class Refused(APIException):
    """An action says that it cannot be done as things stand: 409."""

    status_code = status.HTTP_409_CONFLICT


class Invalid(exceptions.ValidationError):
    """What was sent cannot be meant: 422."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY


class ErrorOut(Out):
    pointer = serializers.CharField(
        help_text="where it stands in what was sent: #/decisions/3/reason"
    )
    detail = serializers.CharField(help_text="what is wrong with it")


class ProblemOut(Out):
    """Whatever went wrong (RFC 9457)."""

    type = serializers.CharField(help_text="which kind of problem it is, as an address")
    title = serializers.CharField(help_text="the same in words")
    status = serializers.IntegerField(help_text="the status of the reply")
    detail = serializers.CharField(help_text="what is the matter, in a sentence")
    errors = ErrorOut(  # type: ignore[assignment]  # a field, and no attribute once the class is made
        many=True, required=False, help_text="where a field is wrong: each of them"
    )


@contextmanager
def refusing(*errors: type[Exception]) -> Iterator[None]:
    """What an action refuses by one of these is 409, in its own words."""
    try:
        yield
    except errors as error:
        raise Refused(str(error)) from error


def handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """REST_FRAMEWORK["EXCEPTION_HANDLER"]. None: it is a defect, and answered as one."""
    if isinstance(error, NotAllowedError):
        error = PermissionDenied(str(error))
    response = exception_handler(error, context)
    if response is None:
        return None
    errors: list[dict[str, str]] = []
    if isinstance(error, exceptions.ValidationError):
        response.status_code = Invalid.status_code
        errors = list(_errors(error.detail))
    response.data = problem(response.status_code, _detail(error), errors)
    response.content_type = PROBLEM
    return response


def _detail(error: Exception) -> str:
    if isinstance(error, exceptions.ValidationError):
        return "What was sent cannot be meant: see errors."
    if isinstance(error, Http404):
        return "There is no such thing here."
    if isinstance(error, APIException):
        return str(error.detail)
    return str(error) or "You may not do this."


def _errors(detail: Any, pointer: str = "#") -> Iterator[dict[str, str]]:
    """Each message with where it belongs; what belongs to no field stands at the object itself."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            own = name == "non_field_errors"
            yield from _errors(inner, pointer if own else f"{pointer}/{_escaped(str(name))}")
    elif isinstance(detail, list) and all(isinstance(each, str) for each in detail):
        for each in detail:
            yield {"pointer": pointer, "detail": str(each)}
    elif isinstance(detail, list):
        for number, inner in enumerate(detail):
            yield from _errors(inner, f"{pointer}/{number}")
    else:
        yield {"pointer": pointer, "detail": str(detail)}


def _escaped(name: str) -> str:
    """As a JSON pointer has it (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")
