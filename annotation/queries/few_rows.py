"""Rows of tables that have few, found by reading them and not by the items of a batch."""

from collections.abc import Iterable
from typing import TypeVar

from django.db.models import F, Model, QuerySet

M = TypeVar("M", bound=Model)


def at(
    rows: "QuerySet[M]", path: str, keys: "Iterable[int] | QuerySet[Model, int]"
) -> "QuerySet[M]":
    """Return the rows with one of these keys at the path, for rows of which there are few in the database.

    Compares the sum of the key and 0, which no index has: by the index SQLite would begin with all items of a batch
    and look for the few rows of each.
    """
    return rows.alias(key_without_index=F(path) + 0).filter(key_without_index__in=keys)
