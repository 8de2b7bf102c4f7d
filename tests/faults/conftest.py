import os

import pytest

from tests.faults.places import Place
from tests.jobs.installation import database

pytest.register_assert_rewrite("tests.faults.kept")

FEW = 3


@pytest.fixture(scope="session")
def rounds() -> int:
    """How often each fault happens while people work: FAULT_ROUNDS, which `make test-faults` sets to 10."""
    return int(os.environ.get("FAULT_ROUNDS", FEW))


@pytest.fixture
def place(tmp_path):
    """On a database of the kind that DATABASE_URL names."""
    with database(tmp_path) as url:
        yield Place(tmp_path, url)
