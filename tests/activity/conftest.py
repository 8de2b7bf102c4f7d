import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from accounts.models import Study, User
from activity.actions import jobs, running
from activity.models import Job
from tests.activity.handling import KIND, Work


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """What every job does in this test."""
    work = Work()
    monkeypatch.setattr(running, "handler_of", lambda job: work.handler)
    return work


@pytest.fixture
def job(study: Study, alice: User, work: Work) -> Job:
    return jobs.start(study=study, kind=KIND, key="a stone", params={}, by=alice)


@pytest.fixture
def shared_database(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """A database that threads share as processes do: each has a connection of its own.

    The tests' SQLite lies in memory, where a second connection is refused instead of waiting. So its
    tables are copied into a file for the test.
    """
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    in_memory, name = connection.connection, connection.settings_dict["NAME"]
    path = tmp_path / "shared.sqlite3"
    with closing(sqlite3.connect(path)) as file:
        in_memory.backup(file)
    connection.connection = None
    connection.settings_dict["NAME"] = str(path)
    yield
    connection.close()
    connection.settings_dict["NAME"] = name
    connection.connection = in_memory
