"""Requests that two readers could delimit differently, byte by byte."""

import re
import socket

from tests.attack.site import Found, Site

STATUS_LINE = re.compile(rb"HTTP/1\.[01] \d{3} ")
SMUGGLED = b"GET /smuggled/ HTTP/1.1\r\nHost: x\r\n\r\n"
HOST = b"Host: 127.0.0.1\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
ZERO = b"0\r\n\r\n"
REQUESTS: dict[str, bytes] = {
    "both lengths": HOST + b"Content-Length: 4\r\n" + CHUNKED + b"\r\n" + ZERO,
    "chunked, then a length": HOST + CHUNKED + b"Content-Length: 4\r\n\r\n" + ZERO,
    "two lengths": HOST + b"Content-Length: 0\r\nContent-Length: 40\r\n\r\n",
    "two lengths in one": HOST + b"Content-Length: 0, 40\r\n\r\n",
    "a length with a sign": HOST + b"Content-Length: +0\r\n\r\n",
    "a length below nought": HOST + b"Content-Length: -1\r\n\r\n",
    "a length in hexadecimal": HOST + b"Content-Length: 0x0\r\n\r\n",
    "a length with an underscore": HOST + b"Content-Length: 0_0\r\n\r\n",
    "chunked twice": HOST + CHUNKED + CHUNKED + b"\r\n" + ZERO,
    "chunked and identity": HOST + b"Transfer-Encoding: chunked, identity\r\n\r\n" + ZERO,
    "nearly chunked": HOST + b"Transfer-Encoding: xchunked\r\n\r\n" + ZERO,
    "chunked after a tab": HOST + b"Transfer-Encoding:\tchunked\x0b\r\n\r\n" + ZERO,
    "a space before the colon": HOST + b"Transfer-Encoding : chunked\r\n\r\n" + ZERO,
    "a folded header": HOST + b"X: y\r\n " + CHUNKED + b"\r\n" + ZERO,
    "a chunk's size that is no number": HOST + CHUNKED + b"\r\nzz\r\n" + ZERO,
    "a chunk that is longer than it says": HOST + CHUNKED + b"\r\n1\r\nabc\r\n" + ZERO,
    "a chunk's size below nought": HOST + CHUNKED + b"\r\n-1\r\n" + ZERO,
    "a bare line feed": HOST.replace(b"\r\n", b"\n") + b"Content-Length: 0\n\n",
    "a bare carriage return": HOST + b"X: y\rContent-Length: 40\r\n\r\n",
    "a nul in a header": HOST + b"X: \x00\r\n\r\n",
    "two hosts": HOST + b"Host: elsewhere.example\r\nContent-Length: 0\r\n\r\n",
}


def smuggling(site: Site) -> Found:
    """Whatever the server makes of a doubtful request, it does not answer a second one inside it."""
    found = Found("request smuggling: lengths, chunks, line ends")
    for method in (b"POST", b"GET"):
        for name, head in REQUESTS.items():
            raw = method + b" /sign-in/ HTTP/1.1\r\n" + head + SMUGGLED
            replies = _answers(site.port, raw)
            # The second is a request of its own where the first was whole; it must not be answered
            # after one that was refused.
            refused = replies[:12].split(b" ")[1:2] == [b"400"]
            n_replies = len(STATUS_LINE.findall(replies))
            right = not (refused and n_replies > 1) and b" 500 " not in replies
            found.tried(right, f"{method.decode()}, {name}: {replies[:60]!r}")
    return found


def _answers(port: int, raw: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=3) as connection:
        connection.sendall(raw)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        try:
            while more := connection.recv(65536):
                received += more
        except (TimeoutError, ConnectionResetError):
            pass  # what came until then counts
        return received
