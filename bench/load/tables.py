"""Many rows written straight into a table, as fast as the database takes them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from django.db import connection, models
from django.db.models import Max

Thing = TypeVar("Thing")


class Table:
    """A writer of a model's rows: some fields vary, the others are those of `like`.

    `like` is an unsaved instance. Varying values are given as the database takes them: JSON
    serialised, a UUID as 32 digits.
    """

    def __init__(self, like: models.Model, *varying: str) -> None:
        fields = like._meta.concrete_fields
        given = [field for name in varying for field in fields if field.name == name]
        alike = [field for field in fields if field not in given]
        self._table = like._meta.db_table
        self._columns = [str(field.column) for field in [*given, *alike]]
        self._alike = tuple(
            field.get_db_prep_save(field.pre_save(like, add=True), connection) for field in alike
        )

    def write(self, rows: Iterable[tuple[Any, ...]]) -> None:
        quoted = connection.ops.quote_name
        into = f"{quoted(self._table)} ({', '.join(map(quoted, self._columns))})"
        whole = (row + self._alike for row in rows)
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                with cursor.copy(f"COPY {into} FROM STDIN") as copy:
                    for row in whole:
                        copy.write_row(row)
            else:
                places = ", ".join(["%s"] * len(self._columns))
                cursor.executemany(f"INSERT INTO {into} VALUES ({places})", whole)  # type: ignore[arg-type]  # any iterable will do


def next_key(model: type[models.Model]) -> int:
    last = model._default_manager.aggregate(last=Max("pk"))["last"]
    return (last or 0) + 1


def count_on(written: Sequence[type[models.Model]], style: Any) -> None:
    """Let the database number new rows after those that were written with their keys."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(style, list(written)):
            cursor.execute(statement)


def hurry() -> None:
    """Let this connection write without durability.

    Nothing has to survive a power cut before all is written.
    """
    statements = {
        "sqlite": [
            "PRAGMA synchronous=OFF",
            "PRAGMA journal_mode=OFF",
            "PRAGMA foreign_keys=OFF",
            "PRAGMA cache_size=-500000",
        ],
        "postgresql": ["SET synchronous_commit=off", "SET session_replication_role=replica"],
    }
    with connection.cursor() as cursor:
        for statement in statements[connection.vendor]:
            cursor.execute(statement)


def settle() -> None:
    """Do a database's own work of the minutes after an import, so that it is not measured."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
            cursor.execute("CHECKPOINT")


def in_parts(things: Iterable[Thing], n: int) -> Iterator[list[Thing]]:
    part: list[Thing] = []
    for thing in things:
        part.append(thing)
        if len(part) == n:
            yield part
            part = []
    if part:
        yield part
