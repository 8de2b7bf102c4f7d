"""The median as an aggregate of the database: a row for each value need not be read to find it."""

from collections.abc import Callable
from statistics import median
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Aggregate, FloatField
from django.db.models.sql.compiler import SQLCompiler


class Median(Aggregate):
    """The median of a column of floats without nulls; None of no rows. Of an even number of rows it is the mean of
    the middle two.

    SQLite has no median: it joins the values, each to 15 digits, and the median of these is found here.
    """

    function = "GROUP_CONCAT"
    name = "Median"
    output_field = FloatField()

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> Any:
        template = "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
        return self.as_sql(compiler, connection, template=template, **context)

    @property
    def convert_value(self) -> Callable[..., float | None]:
        return _found


def _found(value: str | float | None, *_: object) -> float | None:
    return median(map(float, value.split(","))) if isinstance(value, str) else value
