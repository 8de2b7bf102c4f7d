"""The transfer of a browser's first visit to the desk: the page, its styles, its scripts."""

import re
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import urljoin

from bench.load.annotators import Desk
from bench.load.wire import HOST, Connection, Reply

_IMPORTED = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']""")
_IN_STYLE = re.compile(r"""url\(\s*["']?(?!data:|#)([^"')]+)|@import\s+["']([^"']+)["']""")


class Part(NamedTuple):
    path: str
    n_bytes: int  # with the reply's head
    encoding: str


async def measure(desk: Desk, session: str) -> list[Part]:
    cookies = f"{desk.session_cookie}={session}"
    parts: dict[str, Part] = {}
    todo = [desk.path]
    while todo:
        path = todo.pop()
        if path in parts:
            continue
        packed = await _got(desk.port, path, cookies, "gzip, deflate, br")
        plain = await _got(desk.port, path, cookies, "identity")
        coding = ", ".join(packed.headers("content-encoding")) or "none"
        parts[path] = Part(path, packed.n_bytes, coding)
        kind = ", ".join(plain.headers("content-type"))
        todo += [urljoin(path, each) for each in leads_to(kind, plain.body.decode())]
    return list(parts.values())


async def _got(port: int, path: str, cookies: str, coding: str) -> Reply:
    connection = Connection(port)
    head = f"GET {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\nCookie: {cookies}\r\nAccept-Encoding: {coding}"
    try:
        reply = await connection.ask(f"{head}\r\n\r\n".encode())
    finally:
        connection.close()
    if reply.status != 200:
        raise RuntimeError(f"{path} answers {reply.status}")
    return reply


def leads_to(kind: str, text: str) -> list[str]:
    """Return the files that a page, a style sheet or a script makes a browser fetch at once."""
    if "html" in kind:
        links = _Links()
        links.feed(text)
        return links.found
    if "css" in kind:
        return [one or other for one, other in _IN_STYLE.findall(text)]
    if "javascript" in kind:
        return _IMPORTED.findall(text)
    return []


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and (source := given.get("src")):
            self.found.append(source)
        if tag == "link" and given.get("rel") in ("stylesheet", "modulepreload"):
            self.found.append(given.get("href") or "")
