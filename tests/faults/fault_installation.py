"""An installation for tests of faults: its folder, its database, and what they contain."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.jobs.installation import Installation

# What the question of a control item begins with.
CONTROL = "A control stone"


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
    requester: str  # the cookie of who organises it
    scheme: str
    labels: list[str]
    depth: int
    n_judgements: int  # that it asks for, without those of control items


@dataclass(frozen=True)
class Stored:
    client_id: str
    assignment: str
    label: str
    is_surplus: bool


@dataclass(frozen=True)
class BatchContents:
    """The contents of the batch, whose stored counts are right."""

    judgements: list[Stored]
    n_items: int
    n_full: int
    controls: list[str]  # the assignments of control items
    n_verdicts: int  # once it was settled; those of control items are n_of_controls
    n_of_controls: int


class FaultInstallation(Installation):
    def __init__(self, folder: Path, database: str) -> None:
        super().__init__(folder, database, wake_seconds=1)

    def create_work(self, **wanted: Any) -> Work:
        """Migrate and create a batch; tests/faults/work.py has the options."""
        made = self.call("tests.faults.work:create_work", **wanted)
        return Work(**made | {"people": [Person(*each) for each in made["people"]]})

    def set_password(self, user: str, password: str) -> None:
        self.call("tests.faults.work:set_password", user=user, password=password)

    def batch_contents(self) -> BatchContents:
        """Return the contents; raise if a stored count differs from the rows that it counts."""
        found = self.call("tests.faults.batch_contents:batch_contents")
        return BatchContents(
            **found | {"judgements": [Stored(*each) for each in found["judgements"]]}
        )

    def stored(self) -> set[str]:
        """The client ids of the stored judgements, read from the database."""
        return {row[0] for row in self.query("SELECT client_id FROM annotation_judgement")}
