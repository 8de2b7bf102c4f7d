"""Through proxies that keep their connections to the server, everybody gets the reply to their own request."""

import contextlib
import http.client
import threading
from collections.abc import Callable

import pytest

from tests.config import proxies
from tests.config.conftest import ICON
from tests.jobs.installation import LONGEST

PATHS = (ICON, "/static/css/base.css", "/static/js/desk/main.js")
N_CLIENTS = 4
# What the proxy keeps is given to another client when one has gone.
REQUESTS_A_CONNECTION = 3
PROXIES: dict[str, Callable] = {
    "nginx, upstream keepalive": proxies.keepalive_nginx,
    "HAProxy, http-reuse safe": lambda *at: proxies.haproxy(*at, reuse="safe"),
    "HAProxy, http-reuse always": lambda *at: proxies.haproxy(*at, reuse="always"),
}


def fetched(port: int, path: str) -> tuple[int, bytes]:
    with contextlib.closing(
        http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST)
    ) as client:
        client.request("GET", path)
        reply = client.getresponse()
        return reply.status, reply.read()


class Client(threading.Thread):
    """An ordinary client, which notes each reply that is not the one to its request."""

    def __init__(
        self, port: int, number: int, n: int, expected: dict[str, tuple[int, bytes]]
    ) -> None:
        super().__init__(daemon=True)
        self.wrong: list[object] = []
        self.n_right = 0
        self._paths = [PATHS[(number + each) % len(PATHS)] for each in range(n)]
        self._expected = expected
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST)

    def run(self) -> None:
        for number, path in enumerate(self._paths):
            if number % REQUESTS_A_CONNECTION == 0:
                self._connection.close()
            try:
                self._connection.request("GET", path)
                reply = self._connection.getresponse()
                got = (reply.status, reply.read())
            except (OSError, http.client.HTTPException) as error:
                self.wrong.append(error)
                self._connection.close()
                continue
            if got == self._expected[path]:
                self.n_right += 1
            else:
                self.wrong.append(got)
        self._connection.close()


class Attacker(threading.Thread):
    """Asks for a file of their own, whose bytes are a reply, and for nothing but its headers."""

    def __init__(self, port: int, path: str, cookie: str) -> None:
        super().__init__(daemon=True)
        self.n = 0
        self.is_over = threading.Event()
        self._port, self._path = port, path
        self._headers = {"Cookie": cookie.removeprefix("Cookie: ")}

    def run(self) -> None:
        while not self.is_over.is_set():
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=5)
            with (
                contextlib.suppress(OSError, http.client.HTTPException),
                contextlib.closing(connection),
            ):
                for path in (self._path, "/sign-in/"):
                    connection.request("HEAD", path, headers=self._headers)
                    connection.getresponse().read()
                    self.n += 1


@pytest.fixture
def proxy(request, port, tmp_path):
    """The port of a proxy before the web server."""
    with PROXIES[request.param](tmp_path / "proxy", port) as proxy:
        yield proxy


@pytest.mark.parametrize("proxy", PROXIES, indirect=True)
@pytest.mark.parametrize("n", [300, pytest.param(3_400, marks=pytest.mark.slow)])
def test_nobody_gets_another_reply_than_their_own_while_somebody_sends_heads(
    proxy, port, addresses, n
):
    expected = {path: fetched(port, path) for path in PATHS}
    file = addresses.pages["release_file"]
    attacker = Attacker(proxy, file.path, addresses.cookie(file.open_to))
    clients = [Client(proxy, number, n // N_CLIENTS, expected) for number in range(N_CLIENTS)]

    attacker.start()
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    attacker.is_over.set()
    attacker.join()

    assert [wrong for each in clients for wrong in each.wrong] == []
    assert sum(each.n_right for each in clients) == n
    assert attacker.n > 0
