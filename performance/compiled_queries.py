"""Queries whose SQL is compiled once.

Django compiles a queryset to SQL each time it is evaluated. In a request that comes a hundred times
a second this is most of the work (docs/adr/0006-the-desk-under-load.md). Here each connection
compiles the queryset once, and later calls only insert the values.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Expression, QuerySet
from django.db.models.query import get_related_populators
from django.db.models.sql import UpdateQuery
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row")
# What is made of the values that the database gives.
Reader = Callable[[Sequence[Any]], Any]


class Param(Expression):
    """A placeholder of a value in a queryset. `index` is its position in a list."""

    def __init__(self, name: str, index: int | None = None) -> None:
        super().__init__()
        self.name, self.index = name, index

    def as_sql(self, compiler: object, connection: object) -> tuple[str, list["Param"]]:  # type: ignore[override]
        return "%s", [self]


@dataclass(frozen=True)
class CompiledSql:
    """SQL with its parameters in order: constants and placeholders."""

    sql: str
    params: Sequence[object]
    locks: bool
    read: Callable[[Iterable[Sequence[Any]]], list[Any]]

    def filled(self, values: Mapping[str, Any], connection: BaseDatabaseWrapper) -> list[Any]:
        return [
            _database_value(_value(each, values), connection) if isinstance(each, Param) else each
            for each in self.params
        ]


class Compiled(Generic[Row]):
    """A queryset as a function of its values.

    `build` is called with a Param (a list of them for a list) for each keyword argument, and with
    positional arguments as they are: these change the SQL, such as the number of rows. The rows are
    those of the queryset: models with their selected relations, or tuples of values_list. A list of
    values is not empty, and no compared value is None.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Row]]) -> None:
        self._build = build

    def all(self, *fixed: object, **values: object) -> list[Row]:
        connection = connections[DEFAULT_DB_ALIAS]
        compiled = self._compiled(connection, (), fixed, values)
        if compiled.locks and connection.get_autocommit():  # Django checks it only when it compiles
            raise TransactionManagementError("rows are locked until a transaction ends: begin one")
        with connection.cursor() as cursor:
            cursor.execute(compiled.sql, compiled.filled(values, connection))
            rows = cursor.fetchall()
        return compiled.read(rows)

    def first(self, *fixed: object, **values: object) -> Row | None:
        return next(iter(self.all(*fixed, **values)), None)

    def get(self, *fixed: object, **values: object) -> Row:
        """Return the only row, or the first of several. Raises DoesNotExist of the model if there is none."""
        row = self.first(*fixed, **values)
        if row is None:
            model = self._build(*fixed, **values).model
            raise model.DoesNotExist(f"no {model._meta.object_name} is {values}")
        return row

    def update(self, changed: Mapping[str, object], *fixed: object, **values: object) -> int:
        """Set fields of all rows; return their number. An expression becomes part of the SQL."""
        connection = connections[DEFAULT_DB_ALIAS]
        plain = {
            f"set {name}": value
            for name, value in changed.items()
            if not isinstance(value, Expression)
        }
        compiled = self._compiled(connection, tuple(changed.items()), fixed, values)
        with connection.cursor() as cursor:
            cursor.execute(compiled.sql, compiled.filled({**values, **plain}, connection))
            return int(cursor.rowcount)

    def _compiled(
        self,
        connection: BaseDatabaseWrapper,
        changed: Sequence[tuple[str, object]],
        fixed: Sequence[object],
        values: Mapping[str, object],
    ) -> CompiledSql:
        """Return the compiled SQL, cached on its connection: SQL and converters depend on it."""
        shape = (
            tuple(
                (name, repr(value) if isinstance(value, Expression) else None)
                for name, value in changed
            ),
            tuple(fixed),
            tuple((name, len(each)) for name, each in values.items() if isinstance(each, list)),
        )
        cache: dict[object, CompiledSql] = vars(connection).setdefault("touchstone_compiled", {})
        compiled = cache.get((self, shape))
        if compiled is None:
            params = {name: _places(name, value) for name, value in values.items()}
            queryset = self._build(*fixed, **params)
            compiled = _update(queryset, changed) if changed else _select(queryset, connection)
            cache[self, shape] = compiled
        return compiled


def _places(name: str, value: object) -> Param | list[Param]:
    if isinstance(value, list):
        return [Param(name, index) for index in range(len(value))]
    return Param(name)


def _value(place: Param, values: Mapping[str, Any]) -> Any:
    value = values[place.name]
    return value if place.index is None else value[place.index]


def _database_value(value: object, connection: BaseDatabaseWrapper) -> object:
    """Return the value as the field prepares it for the database."""
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    if isinstance(value, UUID) and not connection.features.has_native_uuid_field:
        return value.hex
    return value


def _select(queryset: QuerySet[Any, Any], connection: BaseDatabaseWrapper) -> CompiledSql:
    compiler = queryset.query.get_compiler(connection=connection)
    sql, params = compiler.as_sql()
    converters = compiler.get_converters([each[0] for each in compiler.select])
    as_row = _model_reader(compiler) if compiler.query.default_cols else tuple

    def read(rows: Iterable[Sequence[Any]]) -> list[Any]:
        converted = compiler.apply_converters(rows, converters) if converters else rows
        return [as_row(row) for row in converted]

    locks = compiler.query.select_for_update and connection.features.has_select_for_update
    return CompiledSql(sql, params, locks, read)


def _model_reader(compiler: Any) -> Reader:
    """Return a function that makes models of rows, as Django's ModelIterable does."""
    info = compiler.klass_info
    first, last = info["select_fields"][0], info["select_fields"][-1] + 1
    names = [populator[0].target.attname for populator in compiler.select[first:last]]
    populators = get_related_populators(info, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]
    annotated = list((compiler.annotation_col_map or {}).items())

    def read(row: Sequence[Any]) -> Any:
        instance = info["model"].from_db(DEFAULT_DB_ALIAS, names, row[first:last])
        for populator in populators:
            populator.populate(row, instance)
        for name, position in annotated:
            setattr(instance, name, row[position])
        return instance

    return read


def _update(queryset: QuerySet[Any, Any], changed: Sequence[tuple[str, object]]) -> CompiledSql:
    query: Any = queryset.query.chain(UpdateQuery)
    query.add_update_values(
        {
            name: value if isinstance(value, Expression) else Param(f"set {name}")
            for name, value in changed
        }
    )
    sql, params = query.get_compiler(using=DEFAULT_DB_ALIAS).as_sql()
    return CompiledSql(sql, params, False, list)
