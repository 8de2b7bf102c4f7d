"""One after the other instead of all at once."""

import threading
from collections.abc import Callable
from functools import wraps

from django.db import connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase

View = Callable[..., HttpResponseBase]
# After this time a request goes on without the lock: its holder may itself wait for the database.
LONGEST_WAIT = 1.0  # seconds


def has_one_writer() -> bool:
    return not connection.features.has_select_for_update


def one_request_at_a_time(view: View) -> View:
    """Of the requests to this view a process answers one at a time, where the database has one writer.

    For a view that costs little but Python, which runs one thread at a time anyhow: on SQLite threads that
    hand it to each other at every query ask for the one write lock in vain, and sleep in between. (While
    PostgreSQL works on one's query, another one can run.) Other views are answered meanwhile.
    """
    turn = threading.Lock()

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **options: object) -> HttpResponseBase:
        has_turn = has_one_writer() and turn.acquire(timeout=LONGEST_WAIT)
        try:
            return view(request, *args, **options)
        finally:
            if has_turn:
                turn.release()

    return guarded
