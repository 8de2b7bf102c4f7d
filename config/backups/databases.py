"""A copy of the database of one moment, while others write, and the way back into an empty one.

SQLite has its backup interface, PostgreSQL pg_dump and pg_restore.
"""

import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from psycopg import pq
from psycopg.conninfo import make_conninfo

from config.backups.errors import BackupError

FILES = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
TITLES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
STEP = 2_000  # pages of SQLite: 8 MB
# The first version of PostgreSQL with transaction_timeout.
TIMEOUTS = 17
# Another server has other users, and nobody is there to be asked for a password.
OPTIONS = ("--no-owner", "--no-privileges", "--no-password")


def engine() -> str:
    return connection.vendor


def name() -> str:
    return str(connection.settings_dict["NAME"])


def own_files() -> list[Path]:
    """The files of SQLite, which may be missing."""
    if connection.vendor != "sqlite":
        return []
    return [Path(f"{name()}{ending}") for ending in ("", "-wal", "-shm")]


def applied_migrations() -> list[str]:
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied)


def is_empty() -> bool:
    """Return whether there is no table. A file that SQLite would make is not made."""
    if not all(file.exists() and file.stat().st_size for file in own_files()[:1]):
        return True
    return not connection.introspection.table_names()


def copy_into(file: Path) -> None:
    connection.ensure_connection()
    if connection.vendor == "sqlite":
        _copy_sqlite(connection.connection, file)
    else:
        _run("pg_dump", "--format=custom", *OPTIONS, f"--file={file}")


def restore(file: Path) -> None:
    """Fill the empty database: all of it, or nothing."""
    connection.ensure_connection()
    if connection.vendor == "sqlite":
        _restore_sqlite(file, connection.connection)
        connection.close()
        return
    target = make_conninfo(dbname=connection.connection.info.dbname)
    transaction = ("--exit-on-error", "--single-transaction")
    _run("pg_restore", *transaction, *OPTIONS, f"--dbname={target}", str(file))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # or the first pages are slow


def _copy_sqlite(source: sqlite3.Connection, file: Path) -> None:
    """Copy what is committed now, in one read transaction: no writer waits for it or makes it begin again."""
    file.touch()
    try:
        with (
            closing(sqlite3.connect(file)) as target,
            file.open("rb") as written,
            _read_transaction(source),
        ):
            target.execute("PRAGMA synchronous = OFF")
            # Each step is on the disk before the next: a judgement would wait for all of it at once.
            source.backup(target, pages=STEP, progress=lambda *_: os.fdatasync(written.fileno()))
            target.execute("PRAGMA journal_mode = DELETE")  # one file, without -wal and -shm
            os.fsync(written.fileno())
    except sqlite3.Error as error:
        raise BackupError(f"SQLite cannot copy the database: {error}") from error


@contextmanager
def _read_transaction(source: sqlite3.Connection) -> Iterator[None]:
    source.execute("BEGIN")
    try:
        source.execute("SELECT name FROM sqlite_master").fetchone()  # it begins with the first read
        yield
    finally:
        source.execute("ROLLBACK")


def _restore_sqlite(file: Path, target: sqlite3.Connection) -> None:
    try:
        # Read-only: a file that is not there is an error, and not made.
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as source:
            source.backup(target)
    except sqlite3.Error as error:
        raise BackupError(f"SQLite cannot copy the database: {error}") from error


def _run(program: str, *options: str) -> None:
    """Run a program of PostgreSQL on the connection's database. Raises BackupError if it fails."""
    path = shutil.which(program)
    server = _server_version()
    if path is None:
        raise BackupError(
            f"there is no {program} on this machine: install PostgreSQL's client programs of version"
            f" {server} (on Debian: apt-get install postgresql-client-{server})"
        )
    if flaw := client_flaw(program, _major_version(path), server):
        raise BackupError(f"{path} {flaw}")
    done = subprocess.run(  # noqa: S603  our own arguments
        [path, *options],
        env=os.environ | _connection_variables(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BackupError(f"{program} failed: {' '.join(done.stderr.split()) or done.returncode}")


def client_flaw(program: str, version: int, server: int) -> str:
    """Return why a program of that major version cannot be used with the server, and what to do.

    From 17 on pg_restore sets transaction_timeout, which servers before 17 do not know.
    """
    if version < server or (program == "pg_restore" and version >= TIMEOUTS > server):
        return (
            f"is of version {version} and the server of version {server}: install PostgreSQL's client"
            f" programs of version {server} (on Debian: apt-get install postgresql-client-{server})"
        )
    return ""


def dump_flaw(version: int, server: int) -> str:
    """Return where a dump by that version of pg_dump cannot be restored."""
    if version >= TIMEOUTS > server:
        return (
            f"pg_dump is of version {version} and the server of version {server}: this backup can only"
            f" be restored to a server of version {TIMEOUTS} or later. Install PostgreSQL's client"
            f" programs of version {server} (on Debian: apt-get install postgresql-client-{server})"
        )
    return ""


def dump_note() -> str:
    """Return what is to be known of the dump that was made; "" if nothing is."""
    path = shutil.which("pg_dump")
    if connection.vendor != "postgresql" or path is None:
        return ""
    return dump_flaw(_major_version(path), _server_version())


def _server_version() -> int:
    connection.ensure_connection()
    version: int = connection.connection.info.server_version
    return version // 10_000


def _major_version(path: str) -> int:
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)  # noqa: S603
    found = re.search(r"\d+", done.stdout)
    if found is None:
        raise BackupError(f"{path} does not say of which version it is: {done.stdout.strip()}")
    return int(found[0])


def _connection_variables() -> dict[str, str]:
    """The connection's parameters as libpq's environment variables.

    Everybody on the machine can read a command line, and nobody else a process's environment.
    """
    info = connection.connection.info
    parameters = info.get_parameters() | {"password": info.password}
    variables = {
        each.keyword.decode(): each.envvar.decode()
        for each in pq.Conninfo.get_defaults()
        if each.envvar
    }
    return {
        variables[name]: value for name, value in parameters.items() if value and name in variables
    }
