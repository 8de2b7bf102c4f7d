"""Long lists, a page at a time: ?page=2&page_size=500."""

from collections.abc import Callable, Iterable
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.shapes import Out

MOST = 500


class Pages(PageNumberPagination):
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = MOST


Rows = Callable[[list[Any]], Iterable[Any]]


def paged(
    request: Request,
    rows: Any,
    out: type[serializers.Serializer[Any]],
    *,
    made: Rows = list,
) -> Response:
    """The page that the address asks for of rows that are in order (a query set or a list).

    `made` makes what is shown of all the rows of the page at once.
    """
    pages = Pages()
    page: list[Any] | None = pages.paginate_queryset(rows, request)
    return pages.get_paginated_response(out(made(list(page or [])), many=True).data)


def in_schema(out: type[serializers.Serializer[Any]]) -> type[serializers.Serializer[Any]]:
    """What `paged` answers."""
    name = f"{out.__name__.removesuffix('Out')}Page"
    fields: dict[str, Any] = {
        "__doc__": None,
        "count": serializers.IntegerField(help_text="how many there are on all pages"),
        "next": serializers.CharField(allow_null=True, help_text="the address of the next page"),
        "previous": serializers.CharField(allow_null=True, help_text="that of the one before"),
        "results": out(many=True),
    }
    return type(name, (Out,), fields)


PARAMETERS = [
    OpenApiParameter("page", int, description="which page, from 1"),
    OpenApiParameter(
        "page_size", int, description=f"how many on a page: 100 unless said, at most {MOST}"
    ),
]
