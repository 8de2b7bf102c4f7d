"""The OpenAPI schema of the API, generated once in each process that is asked for it."""

from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator


@cache
def api_schema() -> dict[str, Any]:
    document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return document
