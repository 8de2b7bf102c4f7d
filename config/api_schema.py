"""The OpenAPI schema of the API, made once by each process that is asked for it."""

from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator


@cache
def schema() -> dict[str, Any]:
    made: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return made
