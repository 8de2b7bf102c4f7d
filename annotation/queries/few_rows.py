"""Rows of tables that have few, found by reading them and not by the items of a batch."""

from collections.abc import Iterable
from typing import TypeVar

from django.db.models import Model, OuterRef, QuerySet, Subquery

M = TypeVar("M", bound=Model)


def at(
    rows: "QuerySet[M]", path: str, keys: "Iterable[int] | QuerySet[Model, int]"
) -> "QuerySet[M]":
    """Return the rows with one of these keys at the path, for rows of which there are few in the database."""
    found: QuerySet[M] = rows.alias(key_of_each=key(rows, path))  # type: ignore[assignment]  # of the same model
    return found.filter(key_of_each__in=keys)


def key(rows: "QuerySet[M]", path: str) -> Subquery:
    """Return an expression for the key at a path such as item__batch, which is asked of each row by itself.

    Joined, SQLite would begin with all items of the batch, or all judgements, and look for the few rows of each.
    """
    first, rest = path.split("__", 1)
    related: type[Model] = rows.model._meta.get_field(first).related_model  # type: ignore[assignment]
    return Subquery(related._default_manager.filter(pk=OuterRef(first)).order_by().values(rest))
