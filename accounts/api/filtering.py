"""Parameters of an address that narrow a list: each a choice of words, or a thing's key."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from accounts.api.problems import Invalid


@dataclass(frozen=True)
class Choice:
    """?name=value, where each value that there is stands for a condition."""

    name: str
    about: str
    choices: Mapping[str, Q]

    @property
    def parameter(self) -> OpenApiParameter:
        return OpenApiParameter(self.name, str, description=self.about, enum=list(self.choices))


def narrowed(request: Request, rows: QuerySet[Any], *choices: Choice) -> QuerySet[Any]:
    """Rows for which everything that the address says is so; a value that there is not is 422."""
    for each in choices:
        value = request.query_params.get(each.name)
        if value is None:
            continue
        if value not in each.choices:
            raise Invalid({each.name: [f"choose one of {', '.join(each.choices)}"]})
        rows = rows.filter(each.choices[value])
    return rows
