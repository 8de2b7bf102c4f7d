"""Long writes and reads that do not block others (docs/adr/0009-one-writer-at-a-time.md).

SQLite has one writer at a time, and a waiting writer tries again after at most a tenth of a second.
So many rows are written in pieces, with a pause between two of them for other writers.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import islice
from typing import Any, TypeVar

from django.db import connection, transaction
from django.db.models import QuerySet

Row = TypeVar("Row")

# Rows of a piece: well under a second on a slow machine.
PIECE_SIZE = 4_000
# SQLite's longest sleep between two tries, and a little more.
PAUSE = 0.12  # seconds


def no_beat() -> None:
    """Do nothing: the default for `beat`."""


def locks_rows() -> bool:
    """Return whether a transaction locks single rows (PostgreSQL), not the database (SQLite)."""
    return connection.features.has_select_for_update


def atomic_where_rows_are_locked() -> AbstractContextManager[None]:
    """Return a transaction if it blocks nobody else.

    Then all pieces within are written, or none.
    """
    return transaction.atomic() if locks_rows() else nullcontext()


def write_in_pieces(
    rows: Iterable[Row],
    write: Callable[[list[Row]], object],
    *,
    n: int | None = None,
    beat: Callable[[], None] = no_beat,
) -> None:
    """Call `write` with n (or PIECE_SIZE) rows at a time, each piece in its own transaction.

    Rows of an iterator are made before the piece's transaction begins. `beat` is called in each
    transaction, before its piece: if it raises, the piece is not written. Inside an open
    transaction the pieces are part of it.
    """
    source = iter(rows)
    while piece := list(islice(source, n or PIECE_SIZE)):
        with transaction.atomic():
            beat()
            write(piece)
        give_way()


def delete_in_pieces(rows: QuerySet[Any], *, beat: Callable[[], None] = no_beat) -> None:
    """Delete the rows PIECE_SIZE at a time, each piece in its own transaction after a `beat`."""
    while True:
        with transaction.atomic():
            beat()
            some = list(rows.order_by().values_list("pk", flat=True)[:PIECE_SIZE])
            rows.model._base_manager.filter(pk__in=some).delete()
        if len(some) < PIECE_SIZE:
            return
        give_way()


def give_way() -> None:
    """Pause so that others who wait for SQLite's one writer have their turn."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        time.sleep(PAUSE)


@contextmanager
def snapshot() -> Iterator[None]:
    """Read the database of one moment in the body, without blocking writers and without writing.

    Inside an open transaction the body is part of it.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with _reading_sqlite():
            yield
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


@contextmanager
def _reading_sqlite() -> Iterator[None]:
    """Open a transaction that takes no lock at its begin, unlike all others (config.settings)."""
    database: Any = connection
    with connection.cursor() as cursor:  # first: a connection that is opened sets its mode
        cursor.execute("PRAGMA query_only = ON")
    mode, database.transaction_mode = database.transaction_mode, "DEFERRED"
    try:
        with transaction.atomic():
            yield
    finally:
        database.transaction_mode = mode
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA query_only = OFF")
