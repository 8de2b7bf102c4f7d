import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from tests.jobs.installation import LONGEST

PAUSE = 1.0  # seconds between two bytes


def unchanged(client: socket.socket) -> socket.socket:
    return client


@contextmanager
def slow_connections(
    port: int, n: int, wrapped: Callable[[socket.socket], socket.socket] = unchanged
) -> Iterator[None]:
    """Clients that all send a request byte by byte, for as long as they are listened to."""
    is_over, clients = threading.Event(), []

    def drip() -> None:
        while not is_over.wait(PAUSE):
            for each in clients:
                with contextlib.suppress(OSError):
                    each.send(b"x")

    dripping = threading.Thread(target=drip)
    with ExitStack() as stack:
        for _ in range(n):
            client = wrapped(socket.create_connection(("127.0.0.1", port), timeout=LONGEST))
            clients.append(stack.enter_context(client))
            client.sendall(b"GET /sign-in/ HTTP/1.1\r\nX-Slow: ")
        dripping.start()
        try:
            yield
        finally:
            is_over.set()
            dripping.join()
