"""Serialisation of requests to one view."""

import threading
from collections.abc import Callable
from functools import wraps

from django.db import connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from monitoring import metrics

View = Callable[..., HttpResponseBase]
# After this time a request goes on without the lock: its holder may itself wait for the database.
LONGEST_WAIT = 1.0  # seconds


def has_one_writer() -> bool:
    return not connection.features.has_select_for_update


def acquired(turn: threading.Lock) -> bool:
    with metrics.TURN.time():
        return turn.acquire(timeout=LONGEST_WAIT)


def one_request_at_a_time(view: View) -> View:
    """Answer one request to this view at a time in each process, if the database has one writer.

    For a view that needs little but Python, which runs one thread at a time anyway: on SQLite,
    threads that switch at every query wait for the write lock in vain, and sleep in between. (While
    PostgreSQL works on one thread's query, another thread can run.) Other views are answered
    meanwhile.
    """
    turn = threading.Lock()

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **options: object) -> HttpResponseBase:
        has_turn = has_one_writer() and acquired(turn)
        try:
            return view(request, *args, **options)
        finally:
            if has_turn:
                turn.release()

    return guarded
