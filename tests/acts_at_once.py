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


def at_once(
    study: Study, *acts: Callable[[], Any], lock: Callable[[Study], Any] = lock_study
) -> list[Any]:
    """Return what each act returned, or the exception that it raised.

    Each has read all that it reads before it locks the study, or what else `lock` locks, when the first goes on.
    """
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    sessions: list[int] = []
    with ThreadPoolExecutor() as threads:
        begun: list[Future[Any]] = []
        with transaction.atomic():
            lock(study)
            for act in acts:
                begun.append(threads.submit(_in_own_connection, act, sessions))
                _until(lambda: _n_waiting() == sum(not each.done() for each in begun))
    # The server ends a session a moment after it was left, and drops no database that has one.
    _until(lambda: not _value("count(*)", "pid = ANY(%s)", sessions))
    return [each.exception() or each.result() for each in begun]


def _in_own_connection(act: Callable[[], Any], sessions: list[int]) -> Any:
    try:
        sessions.append(_value("pg_backend_pid()", "pid = pg_backend_pid()"))
        return act()
    finally:
        connection.close()


def _n_waiting() -> int:
    return _value("count(*)", "datname = current_database() AND wait_event_type = 'Lock'")


def _value(what: str, where: str, *params: Any) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(f"SELECT {what} FROM pg_stat_activity WHERE {where}", params)
        return int(cursor.fetchone()[0])


def _until(is_so: Callable[[], bool]) -> None:
    give_up_at = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < give_up_at, "the acts neither ended nor came to their lock"
        time.sleep(0.01)
