"""Fixtures whose rows are built once a process and inserted again for each test that asks for them.

    PARTS = Parts()
    world = PARTS.world()

    @PARTS.fixture
    def alice() -> User: ...

    @PARTS.fixture
    def study(alice: User) -> Study: ...

A part has as parameters other parts, and `folder` where it needs an empty folder. A test names the parts it
needs, as it names any fixture: exactly these and what they need stand in the database when it begins, in its
own transaction, and it may change them. A module overrides parts by `PARTS = Parts(base)` with a `world` of
its own. Tests may run in any order, and may be marked `transaction=True`.
"""

import copy
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction

Maker = Callable[..., Any]


@dataclass(frozen=True)
class Built:
    """What was made: the objects by the name of their part, and the rows by table."""

    objects: dict[str, Any]
    columns: dict[str, list[str]]
    rows: dict[str, list[tuple[Any, ...]]]

    def put_back(self) -> dict[str, Any]:
        """Inserts the rows; returns the objects, copied together so that they refer to each other."""
        with transaction.atomic(), connection.cursor() as cursor:
            for table, rows in self.rows.items():
                named = ", ".join(map(connection.ops.quote_name, self.columns[table]))
                values = ", ".join(["%s"] * len(self.columns[table]))
                into = connection.ops.quote_name(table)
                cursor.executemany(f"INSERT INTO {into} ({named}) VALUES ({values})", rows)
            models = [each for each in apps.get_models() if each._meta.db_table in self.rows]
            for statement in connection.ops.sequence_reset_sql(no_style(), models):
                cursor.execute(statement)
        return copy.deepcopy(self.objects)


class Parts:
    def __init__(self, base: "Parts | None" = None) -> None:
        self.makers: dict[str, Maker] = dict(base.makers) if base else {}
        self.built: dict[tuple[str, ...], Built] = {}

    def fixture(self, make: Maker) -> Any:
        """A fixture of one part."""
        self.makers[make.__name__] = make

        @pytest.fixture(name=make.__name__)
        def part(db: None, world: dict[str, Any]) -> Any:  # by db pytest-django sees what it needs
            return world[make.__name__]

        return part

    def world(self) -> Any:
        """The fixture that inserts the rows, before any other fixture of the test inserts some."""

        @pytest.fixture(autouse=True)
        def world(
            request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
        ) -> dict[str, Any]:
            names = self.needed(request.fixturenames)
            if not names:
                return {}
            request.getfixturevalue("db")
            if names not in self.built:
                self.built[names] = self.build(names, tmp_path_factory.mktemp("world"))
            return self.built[names].put_back()

        return world

    def needed(self, names: Iterable[str]) -> tuple[str, ...]:
        """These parts and what they need, in the one order in which they are always made."""
        asked = self._with_needs(names)
        return tuple(self._with_needs(name for name in self.makers if name in asked))

    def _with_needs(self, names: Iterable[str]) -> dict[str, None]:
        found: dict[str, None] = {}
        for name in names:
            if name in self.makers and name not in found:
                needs = inspect.signature(self.makers[name]).parameters
                found |= self._with_needs(needs) | {name: None}
        return found

    def build(self, names: tuple[str, ...], folder: Path) -> Built:
        """Makes the parts, remembers them and rolls them back."""
        objects: dict[str, Any] = {}
        with transaction.atomic():
            _, before = tables()
            for name in names:
                needs = inspect.signature(self.makers[name]).parameters
                given = {each: folder if each == "folder" else objects[each] for each in needs}
                objects[name] = self.makers[name](**given)
            columns, after = tables()
            transaction.set_rollback(True)
        for table, rows in before.items():
            assert after[table][: len(rows)] == rows, f"building changed what stood in {table}"
        rows = {table: rows[len(before[table]) :] for table, rows in after.items()}
        return Built(objects, columns, {table: new for table, new in rows.items() if new})


def tables() -> tuple[dict[str, list[str]], dict[str, list[tuple[Any, ...]]]]:
    """The columns and the rows of every table of the models."""
    columns, rows = {}, {}
    with connection.cursor() as cursor:
        for table in connection.introspection.django_table_names(include_views=False):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} ORDER BY 1")
            columns[table] = [column[0] for column in cursor.description]
            rows[table] = cursor.fetchall()
    return columns, rows
