"""Schema of every operation: authentication, permitted roles and responses to errors."""

from typing import Any

from drf_spectacular import openapi
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.plumbing import force_instance, get_doc
from rest_framework import serializers

from accounts.api.authentication import SCHEME
from accounts.api.problems import ProblemSerializer
from pages.problems import PROBLEM


class AutoSchema(openapi.AutoSchema):
    """Schema of a view, described by docstrings.

    The first line of the docstring of the method, or else of the view, is the summary, the rest the
    description.
    """

    def get_summary(self) -> str:
        return self._docstring().partition("\n")[0].rstrip(".")

    def get_description(self) -> str:  # type: ignore[override]
        roles = getattr(self.view, "roles", ())
        callers = " or ".join(role.value for role in roles) or "requester or adjudicator anywhere"
        rest = self._docstring().partition("\n")[2].strip()
        return "\n\n".join(filter(None, [rest, f"For: {callers}."]))

    def _docstring(self) -> str:
        method = getattr(self.view, self.method.lower())
        return get_doc(method) or get_doc(type(self.view))

    def get_paginated_name(self, serializer_name: str) -> str:
        return f"{serializer_name}Page"

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        problem: Any = self._get_response_for_code(  # type: ignore[no-untyped-call]  # it has no types
            ProblemSerializer, "default", [PROBLEM], direction
        )
        return super()._get_response_bodies(direction) | {"default": problem}

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Any:
        """Return the schema without readOnly for model fields: no request uses the component."""
        schema: Any = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        fields = force_instance(serializer).fields  # type: ignore[no-untyped-call]
        for name, field in fields.items():
            if not isinstance(field, serializers.SerializerMethodField):
                schema["properties"][name].pop("readOnly", None)
        return schema


class TokenExtension(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "accounts.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": SCHEME.lower(),
            "description": "A token that a requester or adjudicator made on the page of their account.",
        }


class SessionExtension(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "accounts.api.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
