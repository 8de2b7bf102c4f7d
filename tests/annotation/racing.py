"""Real processes on the database of the test."""

import atexit
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.db import connection

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60


def database_url() -> str:
    """Where the test's database is, as DATABASE_URL says it."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    user, password = quote(settings["USER"]), quote(settings["PASSWORD"])
    host, port = settings["HOST"], settings["PORT"] or 5432
    return f"postgres://{user}:{password}@{host}:{port}/{settings['NAME']}"


class Worker:
    """A process that does one task after the other."""

    def __init__(self) -> None:
        self.database, self.is_idle = database_url(), True
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  closed by kill()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.annotation.desk_worker"],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": self.database, "PYTHONWARNINGS": "error"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
        )

    def take(self, task: dict[str, Any]) -> None:
        """Let it make ready for a task, which it begins with go()."""
        self.is_idle = False
        self._write(json.dumps(task))

    def wait_for(self, word: str) -> None:
        if self._line() != word:
            raise RuntimeError(self._errors())

    def go(self) -> None:
        self._write("go")

    def result(self) -> Any:
        """What it reports. An error of any kind that it met is raised here."""
        reported = self._line()
        errors = self._errors()
        if not reported or errors:
            raise RuntimeError(errors)
        self.is_idle = True
        return json.loads(reported)

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.wait(timeout=PATIENCE)
        self.process.stdin.close()
        self.process.stdout.close()
        self.errors.close()

    def _write(self, line: str) -> None:
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def _line(self) -> str:
        """The next line that it writes, or "" where it ended or wrote none for too long."""
        too_late = threading.Timer(PATIENCE, self.process.kill)
        too_late.start()
        try:
            return self.process.stdout.readline().strip()
        finally:
            too_late.cancel()

    def _errors(self) -> str:
        self.errors.seek(0)
        return self.errors.read()


_idle: list[Worker] = []


def dismiss() -> None:
    """End the processes that wait for a task."""
    while _idle:
        _idle.pop().kill()


atexit.register(dismiss)


def idle_worker() -> Worker:
    """A process that waits for a task: to start one takes a hundred times as long as most tasks."""
    if _idle and _idle[-1].database != database_url():
        dismiss()
    return _idle.pop() if _idle else Worker()


@contextmanager
def workers(*tasks: dict[str, Any]) -> Iterator[list[Worker]]:
    """Processes that all stand ready. Who has not reported when the test ends is killed."""
    started = [idle_worker() for _ in tasks]
    try:
        for worker, task in zip(started, tasks, strict=True):
            worker.take(task)
        for worker in started:
            worker.wait_for("ready")
        yield started
    finally:
        for worker in started:
            if worker.is_idle:
                _idle.append(worker)
            else:
                worker.kill()


def race(*options: dict[str, Any]) -> list[Any]:
    """Let processes go at the same moment; what each of them reports."""
    with workers(*options) as started:
        for worker in started:
            worker.go()
        return [worker.result() for worker in started]
