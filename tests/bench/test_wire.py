import asyncio
import gzip
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from bench.load.wire import HOST, Connection, WireError, parsed

PLAIN = b"HTTP/1.1 200 OK\r\nContent-length: 5\r\nSet-Cookie: a=1; Path=/\r\nset-cookie: b=2\r\n\r\nhello"
CHUNKED = (
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n"
)


@pytest.mark.parametrize("whole", [PLAIN, CHUNKED], ids=["with its length", "in chunks"])
def test_a_reply_is_read_once_it_is_whole(whole):
    early = [parsed(whole[:n]) for n in range(len(whole))]

    reply = parsed(whole)

    assert early == [None] * len(whole)
    assert (reply.status, reply.body, reply.n_bytes) == (200, b"hello", len(whole))


def test_a_header_that_comes_twice_is_given_twice():
    assert parsed(PLAIN).headers("Set-Cookie") == ["a=1; Path=/", "b=2"]


def test_a_compressed_body_is_unpacked_and_counted_as_it_came():
    packed = gzip.compress(b"hello " * 100)
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)

    reply = parsed(head + packed)

    assert reply.content() == b"hello " * 100
    assert reply.n_bytes == len(head) + len(packed)


def test_a_reply_without_a_body_is_whole_with_its_head():
    assert parsed(b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n").body == b""


@pytest.mark.parametrize(
    "received",
    [b"SSH-2.0-OpenSSH_9.2\r\n\r\n", b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
     b"HTTP/1.1 200 OK\r\nServer: x\r\n\r\n"],
    ids=["no HTTP", "an older HTTP", "no end in sight"],
)  # fmt: skip
def test_what_is_no_reply_is_refused(received):
    with pytest.raises(WireError):
        parsed(received)


def answer(listener: socket.socket, replies: list[bytes], made: list[socket.socket]) -> None:
    """One reply to each request; where it is empty, hang up instead."""
    waiting = iter(replies)
    for reply in waiting:
        connection, _ = listener.accept()
        made.append(connection)
        with connection:
            while connection.recv(100) and reply:
                connection.sendall(reply)
                reply = next(waiting, b"")


async def one_by_one(connection: Connection, n: int) -> list[object]:
    found: list[object] = []
    for _ in range(n):
        try:
            found.append((await connection.ask(b"go")).body)
        except OSError as error:
            found.append(type(error))
    connection.close()
    await asyncio.sleep(0)  # its end is told in the loop's next round
    return found


def asked(replies: list[bytes]) -> tuple[list[object], int]:
    """What is found on one connection, and how often it was made."""
    made: list[socket.socket] = []
    with socket.create_server((HOST, 0)) as listener:
        server = threading.Thread(target=answer, args=(listener, replies, made), daemon=True)
        server.start()
        connection = Connection(listener.getsockname()[1])
        with ThreadPoolExecutor() as beside:  # this thread may have the loop of a browser already
            work = beside.submit(lambda: asyncio.run(one_by_one(connection, len(replies))))
            found = work.result(20)
        server.join(10)
    return found, len(made)


def test_a_connection_is_kept_for_what_is_asked_next():
    assert asked([PLAIN, CHUNKED, PLAIN]) == ([b"hello"] * 3, 1)


def test_a_connection_that_broke_is_made_again():
    assert asked([PLAIN, b"", PLAIN]) == ([b"hello", ConnectionResetError, b"hello"], 2)
