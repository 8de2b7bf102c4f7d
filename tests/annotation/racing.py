"""Real processes on the database of the test."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
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
    """A process that is ready to begin."""

    def __init__(self, **options: Any) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.annotation.desk_worker", json.dumps(options)],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": database_url(), "PYTHONWARNINGS": "error"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_for(self, word: str) -> None:
        said = self.process.stdout.readline().strip()
        if said != word:
            raise RuntimeError(self.process.communicate(timeout=PATIENCE)[1])

    def go(self) -> None:
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def result(self) -> Any:
        """What it reports. An error of any kind that it met is raised here."""
        reported, errors = self.process.communicate(timeout=PATIENCE)
        if self.process.returncode != 0 or errors:
            raise RuntimeError(errors)
        return json.loads(reported)

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)


@contextmanager
def workers(*options: dict[str, Any]) -> Iterator[list[Worker]]:
    """Processes that all stand ready. None outlives the test."""
    with ExitStack() as stack:
        started = []
        for each in options:
            worker = Worker(**each)
            stack.callback(worker.kill)
            started.append(worker)
        for worker in started:
            worker.wait_for("ready")
        yield started


def race(*options: dict[str, Any]) -> list[Any]:
    """Let processes go at the same moment; what each of them reports."""
    with workers(*options) as started:
        for worker in started:
            worker.go()
        return [worker.result() for worker in started]
