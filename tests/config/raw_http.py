"""HTTP/1.1 byte by byte: what a client or a proxy reads that takes the server at its word."""

import contextlib
import socket
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from tests.jobs.installation import LONGEST

END_OF_HEADERS = b"\r\n\r\n"


class NotAReplyError(Exception):
    """What came is not the beginning of a reply."""


@dataclass(frozen=True)
class RawReply:
    status: int
    headers: dict[str, str]  # names in small letters
    body: bytes


class Connection:
    """A kept connection, on which requests and replies follow each other."""

    def __init__(self, port: int, *, timeout: float = LONGEST) -> None:
        self._port = port
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self._received = b""

    def send(self, method: str, path: str, *lines: str, body: bytes = b"") -> None:
        """Send a request; `lines` are headers besides Host, or another Host."""
        host = (
            ""
            if any(line.startswith("Host:") for line in lines)
            else f"Host: 127.0.0.1:{self._port}"
        )
        head = "\r\n".join(filter(None, [f"{method} {path} HTTP/1.1", host, *lines]))
        self.send_bytes(head.encode("latin-1") + END_OF_HEADERS + body)

    def send_bytes(self, raw: bytes) -> None:
        """Send it, or as much of it as a server takes that has answered already and ended the connection."""
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._socket.sendall(raw)

    def read(self, method: str) -> RawReply:
        """Return the reply to a request of this method, as RFC 9112 delimits it.

        Raises NotAReplyError if something else comes first, EOFError if the connection ends.
        """
        while END_OF_HEADERS not in self._received:
            self._receive()
            # Waitress refuses with HTTP/1.0 what it cannot read, and closes.
            if not self._received.startswith(b"HTTP/1."[: len(self._received)]):
                raise NotAReplyError(self._received[:200])
        head, _, self._received = self._received.partition(END_OF_HEADERS)
        first, *rest = head.decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip() for name, _, value in (each.partition(":") for each in rest)
        }
        status = int(first.split()[1])
        if method == "HEAD" or status in (204, 304):
            return RawReply(status, headers, b"")
        return RawReply(status, headers, self._body(headers))

    def is_at_its_end(self) -> bool:
        """Wait for what else comes; return whether it is the connection's end and nothing before it.

        A server that ends one on which more was sent than it read resets it.
        """
        try:
            return not self._received and self._socket.recv(1) == b""
        except ConnectionResetError:
            return True

    def _body(self, headers: dict[str, str]) -> bytes:
        if "content-length" in headers:
            return self._take(int(headers["content-length"]))
        if headers.get("transfer-encoding") != "chunked":
            raise NotAReplyError(f"no length in {headers}")
        body = b""
        while size := int(self._line(), 16):
            body += self._take(size)
            self._line()
        self._line()
        return body

    def _line(self) -> bytes:
        while b"\r\n" not in self._received:
            self._receive()
        line, _, self._received = self._received.partition(b"\r\n")
        return line

    def _take(self, n: int) -> bytes:
        while len(self._received) < n:
            self._receive()
        taken, self._received = self._received[:n], self._received[n:]
        return taken

    def _receive(self) -> None:
        received = self._socket.recv(65536)
        if not received:
            raise EOFError
        self._received += received

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
