"""The part of HTTP/1.1 that the load needs: a parsed reply, and a persistent connection."""

import asyncio
import re
import zlib
from typing import NamedTuple

HOST = "127.0.0.1"  # and no other: this is no tool to load somebody else's server with
LONGEST = 30  # seconds until a reply is given up

_END_OF_HEAD = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)", re.IGNORECASE)
_CODING = re.compile(rb"\r\ncontent-encoding:[ \t]*(\S+)", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:[ \t]*chunked", re.IGNORECASE)


class WireError(Exception):
    """The received bytes are not a valid reply."""


class Reply(NamedTuple):
    status: int
    head: bytes
    body: bytes  # as it was transferred, still compressed
    n_bytes: int  # on the wire, with the head

    def headers(self, name: str) -> list[str]:
        pattern = rb"\r\n" + re.escape(name.encode()) + rb":[ \t]*([^\r\n]*)"
        return [each.decode("latin-1") for each in re.findall(pattern, self.head, re.IGNORECASE)]

    def content(self) -> bytes:
        """Return the decompressed body."""
        coding = _CODING.search(self.head)
        if coding is None:
            return self.body
        if coding[1] == b"gzip":
            return zlib.decompress(self.body, wbits=31)
        raise WireError(f"a reply in {coding[1]!r}, which was not asked for")


def parsed(received: bytes | bytearray) -> Reply | None:
    """Return the reply in the bytes; None while it is incomplete."""
    end = received.find(_END_OF_HEAD)
    if end < 0:
        return None
    head = bytes(received[: end + 2])
    start = end + len(_END_OF_HEAD)
    status = _status(head)
    if status in (204, 304):
        return Reply(status, head, b"", start)
    if length := _LENGTH.search(head):
        stop = start + int(length[1])
        return (
            Reply(status, head, bytes(received[start:stop]), stop)
            if len(received) >= stop
            else None
        )
    if _CHUNKED.search(head):
        return _chunks(received, status, head, start)
    raise WireError("a reply with neither length nor chunks")


def _status(head: bytes) -> int:
    if not re.match(rb"HTTP/1\.1 \d{3}\b", head):
        raise WireError(f"no HTTP/1.1: {head[:40]!r}")
    return int(head[9:12])


def _chunks(received: bytes | bytearray, status: int, head: bytes, at: int) -> Reply | None:
    body = b""
    while (end := received.find(b"\r\n", at)) >= 0:
        size = int(received[at:end].partition(b";")[0], 16)
        start, at = end + 2, end + 2 + size + 2
        if len(received) < at:
            return None
        if size == 0:
            return Reply(status, head, body, at)
        body += received[start : start + size]
    return None


class Connection(asyncio.Protocol):
    """One connection to a port of this machine.

    Opened at the first request, and again when it broke.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._transport: asyncio.Transport | None = None
        self._received = bytearray()
        self._reply: asyncio.Future[Reply] | None = None

    async def ask(self, request: bytes) -> Reply:
        """Send a request. Raises OSError (a broken connection, no answer in time) and WireError."""
        if self._transport is None or self._transport.is_closing():
            await asyncio.get_running_loop().create_connection(lambda: self, HOST, self._port)
        assert self._transport is not None
        self._received.clear()
        self._reply = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        try:
            async with asyncio.timeout(LONGEST):
                return await self._reply
        except TimeoutError:
            self.close()
            raise

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        if self._reply is None or self._reply.done():
            return
        try:
            reply = parsed(self._received)
        except WireError as error:
            self._reply.set_exception(error)
            return
        if reply is not None:
            self._reply.set_result(reply)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(ConnectionResetError("the server hung up before it answered"))
