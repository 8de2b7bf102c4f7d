"""Workers as threads, each with a database connection of its own."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connections

LONGEST = 20  # seconds that anybody waits for anybody


def do(act: Callable[[], object]) -> None:
    try:
        act()
    finally:
        connections.close_all()


@contextmanager
def at_work(*acts: Callable[[], object]) -> Iterator[None]:
    """The acts run while the body runs, and have ended after it."""
    threads = [threading.Thread(target=do, args=(act,), daemon=True) for act in acts]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join(LONGEST)
        assert not thread.is_alive()
