"""Rows that all tests of a module look at, made once instead of once a test.

    made = made_once(build)

    @pytest.fixture
    def world(db, made):
        return copy.deepcopy(made)  # so that no test sees what another one did to an instance

The rows stay in an open transaction until the last test of the module; each test runs in a savepoint inside
it, so its own changes are rolled back. A module with such a fixture therefore has no test that is marked
`transaction=True`, and starts no other process or thread that reads the database.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection, transaction


def made_once(build: Callable[[Path], Any]) -> Any:
    """A fixture of module scope: what `build` makes in the database and in an empty folder."""

    @pytest.fixture(scope="module")
    def made(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[Any]:
        outer = transaction.atomic()
        outer._from_testcase = True  # blocks that ask to be outermost may stand inside it
        with ExitStack() as stack:
            # Django's TestCase closes the connection after each test, which would end the transaction.
            stack.enter_context(patch.object(connection, "close", lambda: None))
            with django_db_blocker.unblock():
                stack.enter_context(outer)
                stack.callback(transaction.set_rollback, True)
                found = build(tmp_path_factory.mktemp("world"))
            yield found
            with django_db_blocker.unblock():
                stack.close()

    return made
