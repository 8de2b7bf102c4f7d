"""Errors in the format of RFC 9457 (application/problem+json).

    {"type": "/api/v1/#problem-refused", "title": "Refused", "status": 409,
     "detail": "the batch one is draft, not open"}

An invalid request has `errors` as well, each with a JSON pointer into the request's body:

    "errors": [{"pointer": "#/decisions/3/paid_reason", "detail": "This field may not be blank."}]
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, NotAuthenticated, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from accounts.errors import ActionError
from accounts.permissions import NotAllowedError
from pages.problems import PROBLEM, problem


class Conflict(APIException):
    status_code = status.HTTP_409_CONFLICT


class ErrorSerializer(serializers.Serializer[Any]):
    pointer = serializers.CharField(help_text="position in the request: #/decisions/3/reason")
    detail = serializers.CharField(help_text="the error")


class ProblemSerializer(serializers.Serializer[Any]):
    """An error (RFC 9457)."""

    type = serializers.CharField(help_text="the kind of problem, as an address")
    title = serializers.CharField(help_text="the kind of problem in words")
    status = serializers.IntegerField(help_text="the HTTP status")
    detail = serializers.CharField(help_text="the problem in a sentence")
    errors = ErrorSerializer(  # type: ignore[assignment]  # a field; the class has no such attribute
        many=True, required=False, help_text="the invalid fields"
    )


def handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response to an error, or None for a defect, which becomes status 500.

    REST_FRAMEWORK["EXCEPTION_HANDLER"] names it. Errors of a serializer are 422, errors of an
    action 409.
    """
    if isinstance(error, NotAllowedError):
        error = PermissionDenied(str(error))
    elif isinstance(error, ActionError):
        error = Conflict(str(error))
    response = exception_handler(error, context)
    if response is None:
        return None
    errors: list[dict[str, str]] = []
    if isinstance(error, ValidationError):
        response.status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
        errors = list(_errors(error.detail))
    response.data = problem(response.status_code, _detail(error), errors)
    response.content_type = PROBLEM
    return response


def _detail(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return "The request is invalid: see errors."
    if isinstance(error, Http404):
        return "There is no such thing here."
    if isinstance(error, NotAuthenticated):
        return "Send a token: Authorization: Bearer TOKEN."
    if isinstance(error, APIException):
        return str(error.detail)
    return str(error) or "You may not do this."


def _errors(detail: Any, pointer: str = "#") -> Iterator[dict[str, str]]:
    """Yield each message with a pointer to its field, or to the whole object."""
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
    """Return the name as a part of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")
