"""How long work writes and reads without standing in anybody's way (docs/adr/0009-one-writer-at-a-time.md).

SQLite has one writer at a time, and who comes second tries again at most a tenth of a second later. So what
has many rows is written in pieces, and between two of them everybody who waits gets a try.
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
    """What is asked before a piece, where nothing is to be asked."""


def locks_rows() -> bool:
    """Whether a transaction holds up only who wants the same rows (PostgreSQL), not everybody (SQLite)."""
    return connection.features.has_select_for_update


def atomic_where_rows_are_locked() -> AbstractContextManager[None]:
    """One transaction where that holds up nobody else; then the pieces within are written all, or none."""
    return transaction.atomic() if locks_rows() else nullcontext()


def write_in_pieces(
    rows: Iterable[Row],
    write: Callable[[list[Row]], object],
    *,
    n: int | None = None,
    beat: Callable[[], None] = no_beat,
) -> None:
    """Give `write` the rows n (or PIECE_SIZE) at a time, each piece in a transaction of its own.

    Rows that are made on the way are made before the transaction begins. `beat` is called in each
    transaction, before its piece: what it raises ends the work, and the piece is not written. Within a
    transaction that is open already, the pieces are part of it.
    """
    source = iter(rows)
    while piece := list(islice(source, n or PIECE_SIZE)):
        with transaction.atomic():
            beat()
            write(piece)
        give_way()


def delete_in_pieces(rows: QuerySet[Any], *, beat: Callable[[], None] = no_beat) -> None:
    """Delete the rows PIECE_SIZE at a time, each piece in a transaction of its own, after a `beat`."""
    while True:
        with transaction.atomic():
            beat()
            some = list(rows.order_by().values_list("pk", flat=True)[:PIECE_SIZE])
            rows.model._base_manager.filter(pk__in=some).delete()
        if len(some) < PIECE_SIZE:
            return
        give_way()


def give_way() -> None:
    """Let those who wait for the one writer of SQLite have their turn."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        time.sleep(PAUSE)


@contextmanager
def snapshot() -> Iterator[None]:
    """What the body reads is the database of one moment; it holds up no writer, and cannot write.

    Within a transaction that is open already it is that one.
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
    """A transaction that takes no lock when it begins, as all others do (config.settings)."""
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
