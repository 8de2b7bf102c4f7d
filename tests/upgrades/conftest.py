import os
from collections.abc import Iterator

import pytest

from tests.jobs.installation import Installation, scratch_database


@pytest.fixture
def place(tmp_path) -> Iterator[Installation]:
    """An installation with an empty database."""
    server = os.environ.get("DATABASE_URL", "")
    if server.startswith("postgres"):
        with scratch_database(server) as url:
            yield Installation(tmp_path, url, 1)
    else:
        yield Installation(tmp_path, f"sqlite:///{tmp_path / 'kept.sqlite3'}", 1)
