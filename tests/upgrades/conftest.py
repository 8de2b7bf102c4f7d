import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.jobs.installation import Installation, scratch_database


@pytest.fixture
def place(tmp_path) -> Iterator[Installation]:
    """An installation with an empty database."""
    with empty(tmp_path) as made:
        yield made


@contextmanager
def empty(folder: Path) -> Iterator[Installation]:
    """An installation with an empty database; the folder is an empty one for its data."""
    server = os.environ.get("DATABASE_URL", "")
    if server.startswith("postgres"):
        with scratch_database(server) as url:
            yield Installation(folder, url, 1)
    else:
        yield Installation(folder, f"sqlite:///{folder / 'kept.sqlite3'}", 1)
