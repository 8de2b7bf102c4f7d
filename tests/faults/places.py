"""Where a Touchstone of the test's own lives: its folder and its database; and what stands in there."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.jobs.installation import ROOT, Installation

# Seconds: many times what making the work and looking through the books takes.
LONGEST_ACT = 600


@dataclass(frozen=True)
class Person:
    name: str
    session: str  # the cookie of somebody who has signed in


@dataclass(frozen=True)
class Work:
    """A batch that waits for its annotators."""

    desk: str  # the page's address
    session_cookie: str
    people: list[Person]
    scheme: str
    labels: list[str]
    depth: int
    n_judgements: int  # that it asks for


@dataclass(frozen=True)
class Stored:
    client_id: str
    assignment: str
    label: str
    is_surplus: bool


@dataclass(frozen=True)
class Books:
    """What stands in the database, whose counts are right."""

    judgements: list[Stored]
    n_items: int
    n_full: int


class Place(Installation):
    def __init__(self, folder: Path, database: str) -> None:
        super().__init__(folder, database, wake_seconds=1)

    def with_work(self, **wanted: Any) -> Work:
        """Migrate, and make a batch: tests/faults/making.py says what can be wanted."""
        made = self._said("making", **wanted)
        return Work(**made | {"people": [Person(*each) for each in made["people"]]})

    def books(self) -> Books:
        """Raises where a count on a row is not what the rows that it counts say."""
        told = self._said("books")
        return Books(**told | {"judgements": [Stored(*each) for each in told["judgements"]]})

    def stored(self) -> set[str]:
        """The client ids of what is stored now, asked past the application."""
        return {row[0] for row in self.query("SELECT client_id FROM annotation_judgement")}

    def _said(self, name: str, **options: Any) -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, "-m", "tests.faults.process", name, json.dumps(options)],
            env=self.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_ACT,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        said: dict[str, Any] = json.loads(done.stdout)
        return said
