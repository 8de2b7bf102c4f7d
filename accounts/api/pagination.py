"""Pagination of long lists: ?page=2&page_size=500."""

from typing import Any

from rest_framework.pagination import PageNumberPagination
from rest_framework.views import APIView


class Pages(PageNumberPagination):
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 500
    page_query_description = "page number, from 1"
    page_size_query_description = (
        f"results on a page: {page_size} by default, at most {max_page_size}"
    )

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        """Return the framework's parameters without `required: false`, which is the default."""
        parameters = super().get_schema_operation_parameters(view)
        return [{k: v for k, v in each.items() if k != "required"} for each in parameters]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        link = {"type": ["string", "null"]}
        properties = {
            "count": {"type": "integer", "description": "results on all pages"},
            "next": link | {"description": "the address of the next page"},
            "previous": link | {"description": "the address of the previous page"},
            "results": schema,
        }
        return {"type": "object", "properties": properties, "required": list(properties)}
