"""Fixtures whose rows are made once a process and inserted again for each test that asks for them.

    @part
    def alice() -> User: ...

    @part
    def study(alice: User) -> Study: ...

A part has as parameters other parts, and `folder` where it needs an empty folder. A test or a fixture names the
parts it needs, and another module overrides them, as with any fixture. Exactly these and what they need are in the
database when the test begins, in its own transaction, and it may change them. It may change the folder too: each
test begins with the files that the parts wrote. Tests may run in any order and may be marked `transaction=True`.

Tests of the same parts that follow each other share the inserted rows: these stand in a transaction around the
tests' own, which is rolled back before a test of other parts.
"""

import inspect
import itertools
import pickle
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction
from pytest_django.plugin import DjangoDbBlocker

Maker = Callable[..., Any]
# Whatever order a test asks in, they are made in the order of their definition.
_numbers = itertools.count()


def part(make: Maker) -> Any:
    """A fixture of the maker's name. Raises ValueError where its module has something of this name already."""
    if make.__name__ in make.__globals__:
        raise ValueError(f"{make.__module__} has {make.__name__} already: give one another name")

    def fixture(db: None, parts_in_place: dict[str, Any], **needs: Any) -> Any:
        return parts_in_place[make.__name__]

    # By these names pytest finds the parts that a part needs, and pytest-django that the test uses the database.
    names = ["db", "parts_in_place", *needs_of(make)]
    parameters = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in names]
    fixture.__signature__ = inspect.Signature(parameters)
    fixture.make, fixture.number = make, next(_numbers)
    return pytest.fixture(name=make.__name__)(fixture)


def needs_of(make: Maker) -> list[str]:
    return [name for name in inspect.signature(make).parameters if name != "folder"]


@pytest.fixture(autouse=True)
def parts_in_place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    """Inserts the rows of the test's parts before any other fixture inserts some; their objects by name."""
    makers = _makers_of(request.node)
    if not makers:
        return {}
    request.getfixturevalue("db")
    shared = request.getfixturevalue("shared_rows")
    key = tuple(makers.values())
    if key not in _built:
        _built[key] = built(makers, lambda: tmp_path_factory.mktemp("parts"))
    if shared.key != key:
        _built[key].insert()
    _built[key].reset_sequences()
    _built[key].restore_folder()
    return _built[key].copies()


# At most one a process, which the hook below finds here.
_shared_rows: list["SharedRows"] = []


@dataclass
class SharedRows:
    """The transaction around those of tests that follow each other and have the same parts."""

    blocker: DjangoDbBlocker
    key: tuple[Maker, ...] = ()

    def change_to(self, key: tuple[Maker, ...]) -> None:
        if key == self.key:
            return
        with self.blocker.unblock():
            if self.key:
                transaction.set_rollback(True)
                self._transaction.__exit__(None, None, None)
            if key:
                self._transaction = transaction.atomic()
                self._transaction.__enter__()
                _built[key].insert()
        self.key = key


@pytest.fixture(scope="session")
def shared_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[SharedRows]:
    shared = SharedRows(django_db_blocker)
    _shared_rows.append(shared)
    yield shared
    shared.change_to(())
    _shared_rows.remove(shared)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Changes the shared rows before the test's own transaction begins.

    A test without the database may close the connection: nothing is shared across it.
    """
    is_within = "db" in item.fixturenames and not commits(item)
    key = tuple(_makers_of(item).values()) if is_within else ()
    for shared in _shared_rows:
        shared.change_to(key if key in _built else ())


def commits(item: pytest.Item) -> bool:
    """Whether the test has no transaction of its own."""
    marker = item.get_closest_marker("django_db")
    is_marked = marker is not None and marker.kwargs.get("transaction", False)
    return is_marked or not {"transactional_db", "live_server"}.isdisjoint(item.fixturenames)


def _makers_of(item: pytest.Item) -> dict[str, Maker]:
    """The makers of the test's parts, each after what it needs."""
    nearest = {name: found[-1].func for name, found in item._fixtureinfo.name2fixturedefs.items()}
    parts = {name: func for name, func in nearest.items() if hasattr(func, "make")}

    def with_needs(name: str) -> Iterator[str]:
        for need in needs_of(parts[name].make):
            yield from with_needs(need)
        yield name

    ordered = sorted(parts, key=lambda name: parts[name].number)
    return {each: parts[each].make for name in ordered for each in with_needs(name)}


@dataclass(frozen=True)
class Built:
    """What was made: the objects by the name of their part, statements that insert the rows, and the folder with
    what was in it.
    """

    pickled: bytes  # which is read faster than copy.deepcopy copies
    inserts: list[tuple[str, list[tuple[Any, ...]]]]
    resets: list[str]
    folder: Path
    contents: dict[Path, bytes | None]

    def insert(self) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            for statement, rows in self.inserts:
                cursor.executemany(statement, rows)

    def reset_sequences(self) -> None:
        """Sets the sequences of PostgreSQL behind the rows: no rollback takes them back."""
        with connection.cursor() as cursor:
            for statement in self.resets:
                cursor.execute(statement)

    def restore_folder(self) -> None:
        # Most tests write nothing there: reading the few files is cheaper than copying them.
        if contents_of(self.folder) != self.contents:
            fill(self.folder, self.contents)

    def copies(self) -> dict[str, Any]:
        """The objects, copied together so that they refer to each other."""
        objects: dict[str, Any] = pickle.loads(self.pickled)
        return objects


_built: dict[tuple[Maker, ...], Built] = {}


def built(makers: Mapping[str, Maker], new_folder: Callable[[], Path]) -> Built:
    """Makes the parts, keeps them and rolls them back. Those that were built for other tests are not made again: the
    rest is made on their rows, and in their folder.
    """
    objects: dict[str, Any] = {}
    begun = _built_of(tuple(makers.values()))
    folder = new_folder() if begun is None else begun.folder
    with transaction.atomic():
        _, before = tables()
        if begun is not None:
            begun.insert()
            begun.reset_sequences()
            begun.restore_folder()
            objects = begun.copies()
        for name, make in [*makers.items()][len(objects) :]:
            known = objects | {"folder": folder}
            objects[name] = make(
                **{each: known[each] for each in inspect.signature(make).parameters}
            )
        columns, after = tables()
        transaction.set_rollback(True)
    for table, rows in before.items():
        assert after[table][: len(rows)] == rows, f"building changed what stood in {table}"
    new = {table: rows[len(before[table]) :] for table, rows in after.items()}
    inserts = [(insert_into(table, columns[table]), rows) for table, rows in new.items() if rows]
    models = [each for each in apps.get_models() if new[each._meta.db_table]]
    resets = connection.ops.sequence_reset_sql(no_style(), models)
    return Built(pickle.dumps(objects), inserts, resets, folder, contents_of(folder))


def _built_of(makers: tuple[Maker, ...]) -> Built | None:
    """The most of what begins these parts, if any was built."""
    for n_makers in range(len(makers) - 1, 0, -1):
        if (found := _built.get(makers[:n_makers])) is not None:
            return found
    return None


def contents_of(folder: Path) -> dict[Path, bytes | None]:
    """The bytes of every file below the folder by its path, None for a folder; each after the folder it is in."""
    return {
        path: None if path.is_dir() else path.read_bytes() for path in sorted(folder.rglob("*"))
    }


def fill(folder: Path, contents: Mapping[Path, bytes | None]) -> None:
    """Leaves exactly these contents in the folder."""
    shutil.rmtree(folder)
    folder.mkdir()
    for path, written in contents.items():
        if written is None:
            path.mkdir()
        else:
            path.write_bytes(written)


def insert_into(table: str, columns: list[str]) -> str:
    quoted = connection.ops.quote_name
    values = ", ".join(["%s"] * len(columns))
    return f"INSERT INTO {quoted(table)} ({', '.join(map(quoted, columns))}) VALUES ({values})"


def tables() -> tuple[dict[str, list[str]], dict[str, list[tuple[Any, ...]]]]:
    """The columns and the rows of every table of the models."""
    columns, rows = {}, {}
    with connection.cursor() as cursor:
        for table in connection.introspection.django_table_names(include_views=False):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} ORDER BY 1")
            columns[table] = [column[0] for column in cursor.description]
            rows[table] = cursor.fetchall()
    return columns, rows
