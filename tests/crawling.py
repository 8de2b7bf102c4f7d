"""What a browser would find: pages are fetched, read, and every address in them is followed.

Nothing is run: an address is what stands in an attribute, and what a script would fetch stands in hx-*.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import unquote, urljoin, urlsplit

from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.staticfiles import finders
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory
from django.test import client as test_client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import User

HOST = "http://testserver"
# Attributes that name an address; hx-get and the like are what htmx fetches.
ADDRESSES = ("href", "src", "action", "formaction", "data-href", "poster")
HTMX = {"HX-Request": "true"}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")


@dataclass(frozen=True, eq=False)
class Tag:
    name: str
    attributes: dict[str, str]
    within: tuple[str, ...]  # the elements around it, outermost first


class Reader(HTMLParser):
    """The tags of a page, and its texts."""

    VOID = frozenset(
        [
            "area",
            "base",
            "br",
            "col",
            "embed",
            "hr",
            "img",
            "input",
            "link",
            "meta",
            "source",
            "track",
            "wbr",
        ]
    )

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[Tag] = []
        self.texts: list[tuple[str, tuple[Tag, ...]]] = []
        self._open: list[Tag] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        around = tuple(each.name for each in self._open)
        found = Tag(tag, {name: value or "" for name, value in attrs}, around)
        self.tags.append(found)
        if tag not in self.VOID:
            self._open.append(found)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        names = [each.name for each in self._open]
        if tag in names:
            del self._open[len(names) - 1 - names[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append((data, tuple(self._open)))

    @property
    def text(self) -> str:
        return " ".join(" ".join(text for text, _ in self.texts).split())


@dataclass(frozen=True)
class Reply:
    """What came back: `sent` is all of it that left the server, as text."""

    asked: str  # GET /work/
    status: int
    sent: str
    html: str = ""  # the body, where it is a page or a part of one
    location: str = ""
    type: str = ""
    vary: str = ""

    def __str__(self) -> str:
        return f"{self.asked} -> {self.status}"

    @property
    def read(self) -> Reader:
        return read(self.html)


@lru_cache(maxsize=64)
def read(html: str) -> Reader:
    """The page, parsed once for those who look at it one after another."""
    return Reader(html)


@contextmanager
def without_contexts() -> Iterator[None]:
    """Replies that say nothing of their templates: Django's client copies the context of each part of a page."""
    with patch.object(test_client, "store_rendered_templates", lambda *args, **options: None):
        yield


def body_of(response: HttpResponseBase) -> bytes:
    if response.streaming:
        return b"".join(response.streaming_content)  # type: ignore[attr-defined]
    return bytes(response.content)  # type: ignore[attr-defined]


def messages_in(response: HttpResponseBase) -> str:
    """What is said on the next page may travel in a cookie, packed: whoever holds it can read it."""
    cookie = response.cookies.get(CookieStorage.cookie_name)
    if cookie is None or not cookie.value:
        return ""
    storage = CookieStorage(RequestFactory().get("/"))
    return " ".join(str(message) for message in storage._decode(cookie.value) or [])  # type: ignore[attr-defined]


def reply_of(asked: str, response: HttpResponseBase) -> Reply:
    body = body_of(response).decode("utf-8", "replace")
    parts = [
        response.reason_phrase,
        *(f"{name}: {value}" for name, value in response.items()),
        *(cookie.OutputString() for cookie in response.cookies.values()),
        messages_in(response),
        body,
    ]
    content_type = response.get("Content-Type", "")
    return Reply(
        asked,
        response.status_code,
        "\n".join([*parts, *map(unquote, parts[1:3])]),
        html=body if content_type.startswith("text/html") else "",
        location=response.get("Location", ""),
        type=content_type,
        vary=response.get("Vary", ""),
    )


@cache
def static_file(path: str) -> Reply:
    """A file under /static/ as it lies; one that is named and not there is an error."""
    found = finders.find(path)
    assert found, f"/static/{path} is not there"
    return Reply(
        f"GET /static/{path}", 200, Path(found).read_text(encoding="utf-8", errors="replace")
    )


def addresses(html: str, base: str) -> set[str]:
    """The addresses of this host that a page names, without what stands behind a #."""
    found = set()
    for tag in read(html).tags:
        for name, value in tag.attributes.items():
            if not (name in ADDRESSES or name.startswith("hx-")):
                continue
            if name.startswith("hx-") and not value.startswith(("/", "?")):
                continue  # hx-trigger, hx-swap and the like
            found.add(of_this_host(value, base))
    return found - {""}


def of_this_host(href: str, base: str) -> str:
    """The address as the server gets it; "" where it is another's."""
    to = urlsplit(urljoin(HOST + base, href))
    if f"{to.scheme}://{to.netloc}" != HOST:
        return ""
    return to.path + (f"?{to.query}" if to.query else "")


def everywhere(href: str) -> bool:
    return True


@dataclass
class Crawler:
    """One person's browser without a script; `user` is None for who is signed out."""

    user: User | None
    follows: Callable[[str], bool] = everywhere
    replies: list[Reply] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.client = Client()
        self._seen: set[str] = set()
        if self.user is not None:
            self.client.force_login(self.user, backend="accounts.backends.RealPeopleBackend")

    def get(self, href: str, headers: dict[str, str] | None = None) -> Reply:
        with without_contexts():
            return self._kept(f"GET {href}", self.client.get(href, headers=headers or {}))

    def post(self, href: str, data: Any = None) -> Reply:
        with without_contexts():
            return self._kept(f"POST {href}", self.client.post(href, data or {}))

    def send(self, href: str, data: Any) -> Reply:
        """As JSON."""
        with without_contexts():
            response = self.client.post(href, data, content_type="application/json")
            return self._kept(f"POST {href}", response)

    def _kept(self, asked: str, response: HttpResponseBase) -> Reply:
        reply = reply_of(asked, response)
        self.replies.append(reply)
        return reply

    def crawl(self, starts: Iterable[str]) -> None:
        """Fetch these, and whatever they lead to, each address once; once more where htmx gets a part."""
        waiting = list(starts)
        while waiting:
            href = waiting.pop(0)
            if href in self._seen:
                continue
            self._seen.add(href)
            if href.startswith("/static/"):
                self.replies.append(static_file(href.removeprefix("/static/")))
                continue
            waiting += filter(self.follows, self._look(href))

    def _look(self, href: str) -> set[str]:
        reply = self.get(href)
        if reply.location:
            return {of_this_host(reply.location, href)} - {""}
        found = addresses(reply.html, href)
        if "HX-Request" in reply.vary:
            found |= addresses(self.get(href, HTMX).html, href)
        return found


def patterns(resolver: URLResolver | None = None) -> list[URLPattern]:
    """Every address of a page that there is. The API's are in a name space of its own: api_patterns()."""
    found = []
    for each in (resolver or get_resolver()).url_patterns:
        if isinstance(each, URLPattern):
            found.append(each)
        elif each.namespace is None:
            found += patterns(each)
    return found


@cache
def methods_of(pattern: URLPattern) -> frozenset[str]:
    """Return the methods that an API view defines, or that another view declares by a decorator of
    django.views.decorators.http; all METHODS where it declares none.
    """
    view: Any = pattern.callback
    if (api_view := getattr(view, "cls", None)) is not None:
        names = api_view.http_method_names
        return frozenset(each.upper() for each in names if hasattr(api_view, each))
    while view is not None:
        declared = inspect.getclosurevars(view).nonlocals.get("request_method_list")
        if declared is not None:
            return frozenset(declared)
        view = getattr(view, "__wrapped__", None)
    return frozenset(METHODS)


def api_patterns() -> list[URLPattern]:
    """Every address of the API. Its page is not among the pages above either."""
    (api,) = [
        each
        for each in get_resolver().url_patterns
        if isinstance(each, URLResolver) and each.namespace
    ]
    return patterns(api)
