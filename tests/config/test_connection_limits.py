"""What one client may take of the started web server: connections, time, and bodies of the signed-out."""

import socket
import threading

import pytest
from waitress import wasyncore

from config import connection_limits, web
from config.connection_limits import MOST_HEADERS, MOST_SIGNED_OUT
from config.management.commands import serve
from tests.config.raw_http import Connection
from tests.config.serving import until
from tests.config.slow_clients import slow_connections

MB = 1_000_000
LARGE = 3 * MB  # under every limit of the application


# Bodies


def begun(connection: Connection, path: str, *headers: str, size: int = LARGE) -> None:
    """Send the headers of a form with a large file, and nothing of the file."""
    length = f"Content-Length: {size}"
    connection.send("POST", path, length, "Content-Type: multipart/form-data; boundary=b", *headers)


@pytest.mark.parametrize(
    "path", ["/", "/sign-in/", "/nowhere/", "/studies/lighthouses/datasets/import/"]
)
@pytest.mark.parametrize(
    "headers",
    [
        [],
        ["Cookie: sessionid=0123456789abcdefghijklmnopqrstuv"],
        ["Authorization: Bearer touchstone_0123456789"],
        ["Expect: 100-continue"],
    ],
    ids=["signed out", "invented session", "invented token", "asks for leave"],
)
def test_nothing_is_read_of_a_large_body_from_who_has_not_signed_in(port, path, headers):
    with Connection(port) as connection:
        begun(connection, path, *headers)

        assert connection.read("POST").status == 413
        assert connection.is_at_its_end()


def test_a_large_body_without_a_length_is_read_as_far_as_a_small_one(port):
    chunk = b"8000\r\n" + bytes(0x8000) + b"\r\n"
    with Connection(port) as connection:
        connection.send("POST", "/sign-in/", "Transfer-Encoding: chunked")

        for _ in range(MOST_SIGNED_OUT // 0x8000):
            connection.send_bytes(chunk)

        assert connection.read("POST").status == 413


def test_who_has_signed_in_sends_as_much_as_the_application_takes(port, addresses):
    page, body = addresses.pages["dataset_import"], bytes(LARGE)
    with Connection(port) as connection:
        begun(connection, page.path, addresses.cookie(page.open_to), size=len(body))
        connection.send_bytes(body)

        # The application has read it, and misses the token of the form.
        assert connection.read("POST").status == 403


def test_a_small_form_of_the_signed_out_reaches_the_application(port):
    with Connection(port) as connection:
        connection.send("POST", "/sign-in/", f"Content-Length: {MOST_SIGNED_OUT - 1}")
        connection.send_bytes(bytes(MOST_SIGNED_OUT - 1))

        assert connection.read("POST").status == 403


def test_headers_are_limited(port):
    with Connection(port) as connection:
        connection.send("GET", "/sign-in/?q=" + "x" * MOST_HEADERS)

        assert connection.read("GET").status == 431


HIDDEN = b"GET /hidden/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.parametrize(
    "lengths",
    [
        ["Content-Length: {}", "Transfer-Encoding: chunked"],
        ["Transfer-Encoding: chunked", "Content-Length: {}"],
        ["Transfer-Encoding: xchunked", "Content-Length: {}"],
        ["Transfer-Encoding : chunked", "Content-Length: {}"],
        ["Transfer-Encoding: \x0bchunked", "Content-Length: {}"],
        ["Transfer-Encoding: chunked, identity", "Content-Length: {}"],
        ["Transfer-Encoding:", " chunked", "Content-Length: {}"],
        ["Content-Length: 0", "Content-Length: {}"],
        ["Content-Length: 0, {}"],
        ["Content-Length: +{}"],
        ["Content-Length: 0x{}"],
    ],
    ids=str,
)
def test_a_request_whose_end_can_be_read_in_two_ways_is_refused_with_all_that_follows(
    port, lengths
):
    body = b"0\r\n\r\n" + HIDDEN
    with Connection(port) as connection:
        said = [each.format(len(body)) for each in lengths]
        connection.send("POST", "/sign-in/", *said, body=body)

        assert connection.read("POST").status in (400, 501)
        assert connection.is_at_its_end()


# Connections


def test_five_hundred_slow_connections_leave_the_server_at_work_for_others(port):
    with slow_connections(port, 500):
        for _ in range(5):
            with Connection(port) as connection:
                connection.send("GET", "/sign-in/")

                assert connection.read("GET").status == 200


@pytest.fixture
def hasty_port(monkeypatch):
    """Where a server listens that waits a second, not a minute."""
    monkeypatch.setattr(connection_limits, "LONGEST_WAIT", 1)
    monkeypatch.setattr(connection_limits, "LOOK_EVERY", 1)
    listening = serve.listening_socket("127.0.0.1", 0)
    server = web.create_server(lambda environ, start: [], listening, threads=1)
    running = threading.Thread(target=server.run, daemon=True)
    running.start()
    yield listening.getsockname()[1]
    server.close()
    running.join()
    server.task_dispatcher.shutdown()
    wasyncore.close_all(server._map)


@pytest.mark.parametrize(
    "beginning", ["GET / HTTP/1.1\r\nX-Slow: ", "POST / HTTP/1.1\r\nContent-Length: 9999\r\n\r\n"]
)
def test_a_request_that_is_not_whole_in_time_is_closed_however_often_a_byte_comes(
    hasty_port, beginning
):
    with socket.create_connection(("127.0.0.1", hasty_port)) as client:
        client.sendall(beginning.encode())

        assert until(lambda: is_closed_after_a_byte(client), "the end of the connection")


def is_closed_after_a_byte(client: socket.socket) -> bool:
    client.settimeout(0.2)
    try:
        client.send(b"x")
        return client.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True
