"""The state of the database in words: away or busy, or with a schema of another version."""

from collections.abc import Iterable, Iterator

from django.apps import apps
from django.db import InterfaceError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

DATABASE_ERRORS = (OperationalError, InterfaceError)

NOT_SET_UP = "the database is not set up: run manage.py migrate"
EARLIER = "the database is of an earlier version: back it up, then run manage.py migrate"
LATER = "the database is of a later version"
LACKS = "the database lacks"
SEE = "docs/upgrading.md says how"


def database_error_message(error: Exception) -> str:
    return f"the database is busy or cannot be reached ({' '.join(str(error).split())})"


def schema_flaw() -> str:
    """Return why this version cannot work with the database's schema, and what to do; "" if it can."""
    executor = MigrationExecutor(connection)
    loader = executor.loader
    applied = loader.applied_migrations
    if not applied:
        return NOT_SET_UP
    if unknown := unknown_migrations(f"{app}.{name}" for app, name in applied):
        return f"{LATER} ({unknown[-1]}): start that version, or put a backup back; {SEE}"
    if executor.migration_plan(loader.graph.leaf_nodes()):
        return f"{EARLIER}; {SEE}"
    if missing := next(missing_columns(), ""):
        return f"{LACKS} {missing}, which this version needs: put a backup back; {SEE}"
    return ""


def unknown_migrations(applied: Iterable[str]) -> list[str]:
    """Return those that this version does not have, as app.name: a later version applied them."""
    loader = MigrationLoader(None)
    known = {f"{app}.{name}" for app, name in loader.disk_migrations}
    return sorted(
        each for each in applied if each not in known and each.split(".")[0] in loader.migrated_apps
    )


def missing_columns() -> Iterator[str]:
    """Yield the columns that models have and the database has not.

    A state between two released versions may have changed a migration after it was applied.
    The columns of a table are those of a query without rows: Django's own description of all tables, which parses
    the SQL that made them, takes a third of a second on SQLite.
    """
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        for model in apps.get_models(include_auto_created=True):
            table, found = model._meta.db_table, set[str]()
            if table in tables:
                cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} LIMIT 0")  # noqa: S608
                found = {column[0] for column in cursor.description}
            for field in model._meta.local_concrete_fields:
                if field.column not in found:
                    yield f"{table}.{field.column}"
