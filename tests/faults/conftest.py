import os

import pytest

from tests.faults.fault_installation import FaultInstallation
from tests.jobs.installation import database

pytest.register_assert_rewrite("tests.faults.invariants")

FEW = 3


@pytest.fixture(scope="session")
def rounds() -> int:
    """How often each fault happens while people work: FAULT_ROUNDS, which `make test-faults` sets to 10."""
    return int(os.environ.get("FAULT_ROUNDS", FEW))


@pytest.fixture
def installation(tmp_path):
    """An installation on a database of the kind that DATABASE_URL names."""
    with database(tmp_path) as url:
        yield FaultInstallation(tmp_path, url)
