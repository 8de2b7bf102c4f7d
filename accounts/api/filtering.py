"""Filter backends: query parameters that narrow a list."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db.models import Q, QuerySet
from rest_framework.exceptions import ValidationError
from rest_framework.filters import BaseFilterBackend
from rest_framework.request import Request
from rest_framework.views import APIView


class ChoiceFilter(BaseFilterBackend):
    """A filter `?name=value` with one condition for each value. Any other value is 422."""

    name: ClassVar[str]
    description: ClassVar[str]
    conditions: ClassVar[Mapping[str, Q]] = {}

    def get_conditions(self, view: APIView) -> Mapping[str, Q]:
        return self.conditions

    def filter_queryset(
        self, request: Request, queryset: QuerySet[Any], view: APIView
    ) -> QuerySet[Any]:
        value = request.query_params.get(self.name)
        if value is None:
            return queryset
        conditions = self.get_conditions(view)
        if value not in conditions:
            raise ValidationError({self.name: [f"choose one of {', '.join(conditions)}"]})
        return queryset.filter(conditions[value])

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        schema: dict[str, Any] = {"type": "string"}
        if self.conditions:
            schema["enum"] = sorted(self.conditions)
        parameter = {"name": self.name, "in": "query", "description": self.description}
        return [parameter | {"schema": schema}]
