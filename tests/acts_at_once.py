"""Acts at the same moment, each in a connection of its own. SQLite has one writer at a time: nothing to show there."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.actions.locks import lock_study
from accounts.models import Study

PATIENCE = 30


def at_once(study: Study, *acts: Callable[[], Any]) -> list[Any]:
    """Return what each act returned, or the exception that it raised.

    Each has read all that it reads before it locks the study when the first of them goes on.
    """
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    with ThreadPoolExecutor() as threads:
        begun: list[Future[Any]] = []
        with transaction.atomic():
            lock_study(study)
            for act in acts:
                begun.append(threads.submit(_in_own_connection, act))
                _until_they_wait(begun)
        return [each.exception() or each.result() for each in begun]


def _in_own_connection(act: Callable[[], Any]) -> Any:
    try:
        return act()
    finally:
        connection.close()


def _until_they_wait(begun: list[Future[Any]]) -> None:
    """Wait until each is over or waits for a lock."""
    give_up_at = time.monotonic() + PATIENCE
    while _n_waiting() < sum(not each.done() for each in begun):
        assert time.monotonic() < give_up_at, "an act neither ended nor came to its lock"
        time.sleep(0.01)


def _n_waiting() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return int(cursor.fetchone()[0])
