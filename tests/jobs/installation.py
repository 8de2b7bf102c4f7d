"""A Touchstone with a data folder, a database and a worker of its own, all of them real processes.

The database is of the kind that DATABASE_URL names (SQLite in the data folder, or a scratch database on
the same PostgreSQL server), the broker is the one that BROKER_URL names, with a queue of its own, or the
file system.
"""

import atexit
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import redis

from tests import migrated_database, once_a_run

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = "template.sqlite3"
LEASE_SECONDS = 2
# Seconds until a wait is given up: many times what it takes on a busy machine.
LONGEST = 90
# Many times what creating work and checking a batch takes.
LONGEST_CALL = 600
# What a test finds in its installation: a user alice and her study "stones".
BEGINNING: tuple[list[object], ...] = (
    ["create_user", "alice"],
    ["create_study", "stones", "--title", "Stones", "--requester", "alice"],
)


def _new_queue() -> str:
    """A name that no other installation has; what Redis keeps under it goes with this process."""
    name = f"tests-{uuid.uuid4().hex}"
    broker = os.environ.get("BROKER_URL", "")
    if broker.startswith("redis"):
        atexit.register(_forget_queue, broker, name)
    return name


def _forget_queue(broker: str, name: str) -> None:
    with redis.Redis.from_url(broker) as server:
        for key in server.scan_iter(f"*{name}*"):
            server.delete(key)


@dataclass(frozen=True)
class Installation:
    data: Path
    database: str
    wake_seconds: float
    queue: str = field(default_factory=_new_queue)
    # Variables that other hosts of the installation have too.
    shared: Mapping[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "TOUCHSTONE_DATA": str(self.data),
            "DATABASE_URL": self.database,
            "TOUCHSTONE_QUEUE": self.queue,
            "TOUCHSTONE_LEASE_SECONDS": str(LEASE_SECONDS),
            "TOUCHSTONE_WAKE_SECONDS": str(self.wake_seconds),
            # On a busy machine torch's threads wait for one another longer than they work.
            "OMP_NUM_THREADS": "1",
            **self.shared,
        }

    def run(self, *commands: list[object]) -> str:
        """Management commands, one after another; gives what they print."""
        written = [json.dumps([str(part) for part in command]) for command in commands]
        done = subprocess.run(
            [sys.executable, "-m", "tests.jobs.command_sequence", *written],
            env=self.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def call(self, name: str, **options: Any) -> Any:
        """What a function of a module of the tests returns in a process of its own (tests/faults/process.py)."""
        done = subprocess.run(
            [sys.executable, "-m", "tests.faults.process", name, json.dumps(options)],
            env=self.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_CALL,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return json.loads(done.stdout)

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """What the database says; committed, where it is a change."""
        with closing(self.connect()) as connection:
            cursor = connection.execute(sql)
            rows = cursor.fetchall() if cursor.description else []
            connection.commit()
        return rows

    def connect(self) -> Any:
        if self.database.startswith("sqlite:"):
            return sqlite3.connect(self.database.removeprefix("sqlite:///"), timeout=30)
        return psycopg.connect(self.database)

    def count(self, table: str, condition: str = "true") -> int:
        n: int = self.query(f"SELECT count(*) FROM {table} WHERE {condition}")[0][0]
        return n

    @contextmanager
    def worker(self, within: Sequence[str] = ()) -> Iterator["Worker"]:
        """A worker; `within` is a command that runs another one, such as unshare."""
        log = self.data / f"worker {uuid.uuid4().hex[:6]}.log"
        command = [
            *within,
            sys.executable,
            "-m",
            "celery",
            "-A",
            "config",
            "worker",
            "-B",
            "-l",
            "INFO",
        ]
        with log.open("wb") as file:
            process = subprocess.Popen(
                command,
                env=self.environment,
                cwd=ROOT,
                stdout=file,
                stderr=file,
                start_new_session=True,  # a process group of its own, to be killed as a whole
            )
        worker = Worker(process, log)
        try:
            yield worker
        finally:
            worker.kill()


@dataclass(frozen=True)
class Worker:
    """A Celery worker with its beat and its pool."""

    process: subprocess.Popen[bytes]
    log: Path

    def kill(self) -> None:
        """As a power cut would: all of its processes at once, without a chance to tidy up."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def until(self, holds: Callable[[], object], what: str) -> None:
        """Wait for what the worker does."""
        deadline = time.monotonic() + LONGEST
        while not holds():
            assert self.process.poll() is None, f"the worker ended:\n{self.tail()}"
            assert time.monotonic() < deadline, f"waited in vain for {what}:\n{self.tail()}"
            time.sleep(0.05)

    def tail(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")[-4000:]


def sqlite_in(folder: Path) -> str:
    """The address of the database that an installation has by itself."""
    return f"sqlite:///{folder / 'touchstone.sqlite3'}"


@contextmanager
def installed(folder: Path, *, wake_seconds: float = 1) -> Iterator[Installation]:
    """An installation with a user alice and her study "stones"."""
    with database(folder, *BEGINNING) as url:
        yield Installation(folder, url, wake_seconds)


@contextmanager
def database(folder: Path, *commands: list[object]) -> Iterator[str]:
    """The address of a migrated database in which the commands have run."""
    template = _template(json.dumps(commands))
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        path = folder / "worker.sqlite3"
        shutil.copy(template.removeprefix("sqlite:///"), path)
        yield f"sqlite:///{path}"
        return
    with scratch_database(server, _name(template)) as url:
        yield url


@cache
def _template(commands: str) -> str:
    """The address of a database that is copied for each test: on SQLite of this run, else of this process."""
    server = os.environ.get("DATABASE_URL", "")
    if server.startswith("postgres"):
        source = "template1" if commands == NO_COMMANDS else _name(_template(NO_COMMANDS))
        folder = Path(tempfile.mkdtemp(prefix="touchstone-template-"))
        atexit.register(shutil.rmtree, folder)
        scratch = scratch_database(server, source)
        url = scratch.__enter__()
        atexit.register(scratch.__exit__, None, None, None)
        migration = [["migrate", "--verbosity", 0]] if commands == NO_COMMANDS else []
        Installation(folder, url, 1).run(*migration, *json.loads(commands))
        return url
    name = f"template-{hashlib.sha256(commands.encode()).hexdigest()[:12]}"
    made = once_a_run.folder(name, lambda folder: _fill(folder, commands))
    return _template_in(made)


NO_COMMANDS = json.dumps([])


def _template_in(folder: Path) -> str:
    return f"sqlite:///{folder / TEMPLATE}"


def _fill(folder: Path, commands: str) -> None:
    migrated_database.copy_to(folder / TEMPLATE)
    if commands != NO_COMMANDS:
        Installation(folder, _template_in(folder), 1).run(*json.loads(commands))


def _name(url: str) -> str:
    """The name of a database on the server."""
    return url.rpartition("/")[2]


@contextmanager
def scratch_database(server: str, template: str = "template1") -> Iterator[str]:
    """The address of a new database on the PostgreSQL server, a copy of the template."""
    name = f"touchstone_worker_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
