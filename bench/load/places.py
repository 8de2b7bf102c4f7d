"""Scratch installations of Touchstone: a folder and a database, removed afterwards."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

ROOT = Path(__file__).resolve().parents[2]
HERE = {"127.0.0.1", "localhost", "::1"}
LONGEST_FILL = 600  # seconds


class UnavailableError(Exception):
    """There is no such database server; the message says why."""


@dataclass(frozen=True)
class Place:
    folder: Path
    database: str  # its address

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment without the settings of the caller's own installation."""
        ours = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("TOUCHSTONE_") and name not in ("DATABASE_URL", "BROKER_URL")
        }
        return {**ours, "TOUCHSTONE_DATA": str(self.folder), "DATABASE_URL": self.database}

    @property
    def database_name(self) -> str:
        return urlsplit(self.database).path.removeprefix("/")

    def run(self, *command: str) -> str:
        """Run a Python program of the project; return its output."""
        done = subprocess.run(
            [sys.executable, *command],
            env=self.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=LONGEST_FILL,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr[-3000:]}")
        return done.stdout

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return rows of the database, queried past the application."""
        with closing(self._connect()) as connection:
            found: list[tuple[Any, ...]] = connection.execute(sql).fetchall()
            return found

    def _connect(self) -> Any:
        if self.database.startswith("sqlite:"):
            return sqlite3.connect(self.database.removeprefix("sqlite:///"), timeout=30)
        return psycopg.connect(self.database)


@contextmanager
def sqlite(folder: Path) -> Iterator[Place]:
    yield Place(folder, f"sqlite:///{folder / 'touchstone.sqlite3'}")


@contextmanager
def postgresql(folder: Path) -> Iterator[Place]:
    """Make a database on the server that BENCH_DATABASE_URL names, if that is on this machine."""
    server = os.environ.get("BENCH_DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")
    if urlsplit(server).hostname not in HERE:
        raise UnavailableError(
            "BENCH_DATABASE_URL names another machine: only this one is measured"
        )
    name = f"touchstone_bench_{os.getpid()}_{folder.name}".lower().replace("-", "_")
    try:
        connection = psycopg.connect(server, autocommit=True, connect_timeout=5)
    except psycopg.OperationalError as error:
        raise UnavailableError(f"no PostgreSQL: {' '.join(str(error).split())}") from error
    with connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        try:
            yield Place(folder, urlunsplit(urlsplit(server)._replace(path=f"/{name}")))
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


KINDS: dict[str, Callable[[Path], AbstractContextManager[Place]]] = {
    "sqlite": sqlite,
    "postgresql": postgresql,
}
