"""The crawl of bench.pages.survey: it follows links as the requester and counts queries."""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

from django.conf import settings
from django.db import connection, reset_queries
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import Resolver404, resolve, reverse

from accounts.backends import SESSION_BACKEND
from accounts.models import Study, User
from annotation import schemes
from annotation.models import Batch
from bench.load.wire import HOST
from bench.pages.steps import OPEN, SETTLED
from jobs.actions import execution
from jobs.models import UNFINISHED
from tests.crawling import Reader, api_patterns, body_of, methods_of, patterns

MOST = 6  # addresses of a name
ONE_OF_EACH = ("batch", "pool", "dataset", "name", "number", "document", "table", "form", "picture")
ATTRIBUTES = ("href", "src", "hx-get")


@dataclass(frozen=True)
class Address:
    name: str
    path: str
    is_page: bool  # or a part of one; else a download
    status: int
    n_queries: int
    cpu_ms: float
    n_bytes: int


def surveyed() -> dict[str, Any]:
    study = Study.objects.get()
    client = _client(study.created_by)
    batch = Batch.objects.get(name=OPEN)
    paths = list(_crawled(client, study))
    _do_jobs(study)
    found = [_measured(client, path) for path in paths]
    reached = {each.name for each in found}
    return {
        "addresses": [asdict(each) for each in found],
        "not_reached": sorted(_get_names() - reached),
        "session": _session(client),
        "session_cookie": settings.SESSION_COOKIE_NAME,
        "sessions": [_session(_client(each)) for each in _annotators()],
        "slug": study.slug,
        "batch": batch.pk,
        "scheme": batch.scheme,
        "labels": list(schemes.get(batch.scheme).labels),
        "depth": batch.prefetch_depth,
    }


def _start_what_starts_itself(client: Client, html: str) -> None:
    """Start the jobs of figures that the page starts in a browser, when it is opened."""
    for form in Reader(html).tags:
        if form.attributes.get("hx-trigger") == "load" and (to := form.attributes.get("hx-post")):
            client.post(to, {"by_itself": "yes"})


def _do_jobs(study: Study) -> None:
    """Do what pages started when they were opened, as a worker does."""
    for job in study.jobs.filter(state__in=UNFINISHED).order_by("pk"):
        execution.run(job)


def _annotators() -> list[User]:
    return list(User.objects.filter(username__startswith="annotator-").order_by("pk"))


def _client(user: User) -> Client:
    client = Client(raise_request_exception=False, SERVER_NAME=HOST)
    client.force_login(user, backend=SESSION_BACKEND)
    return client


def _session(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def _crawled(client: Client, study: Study) -> Iterator[str]:
    """Yield each address once it was read, and follow what it leads to."""
    waiting, seen, taken = _first(study), set[str](), Counter[tuple[object, ...]]()
    while waiting:
        path = waiting.pop(0)
        kind = _kind(path)
        if path in seen or kind is None or taken[kind] or taken[kind[:2]] >= MOST:
            continue
        seen.add(path)
        response = client.get(path)
        if response.status_code == 405:  # an act, not a page
            continue
        taken.update([kind, kind[:2]])
        yield path
        content = body_of(response)  # read to its end, it is closed
        if str(response.headers.get("Content-Type", "")).startswith("text/html"):
            waiting += _links(content.decode(), path)
            _start_what_starts_itself(client, content.decode())
        if to := response.headers.get("Location"):
            waiting.append(to)


def _first(study: Study) -> list[str]:
    """Return where the crawl begins: home, and what no link leads to but a form does."""
    batch = study.batches.get(name=SETTLED)
    return [
        reverse("home"),
        reverse("batch", args=[study.slug, batch.pk]),
        f"{reverse('search', args=[study.slug])}?q=matter",
        reverse("precision_audits", args=[study.slug]),
        reverse("measures", args=[study.slug]),
        reverse("work"),
        reverse("api:api_reference"),
    ]  # fmt: skip


def _kind(path: str) -> tuple[object, ...] | None:
    """Return name, fields, and what it differs in from others of that name; None for another host's or a file."""
    parts = urlsplit(path)
    if parts.path.startswith("/static/") or parts.scheme not in ("", "http"):
        return None
    try:
        match = resolve(parts.path)
    except Resolver404:
        return None
    fields = frozenset(name for name, value in parse_qsl(parts.query) if value)
    if len(fields) > 1:
        return None
    differs = tuple(str(match.kwargs[each]) for each in ONE_OF_EACH if each in match.kwargs)
    return str(match.url_name), fields, differs or match.kwargs.get("member", "")


def _measured(client: Client, path: str) -> Address:
    """Ask once more: what a process does once, as compiling templates, is done by now."""
    reset_queries()
    with CaptureQueriesContext(connection) as queries:
        began = time.process_time()
        response = client.get(path)
        n_bytes = len(body_of(response))
        cpu = time.process_time() - began
    kind = str(response.headers.get("Content-Type", ""))
    is_page = kind.startswith(("text/html", "image/svg")) or not response.headers.get(
        "Content-Disposition"
    )
    name = str(resolve(urlsplit(path).path).url_name)
    query = urlsplit(path).query.partition("=")[0]
    return Address(
        f"{name} ?{query}" if query else name,
        path,
        is_page,
        response.status_code,
        len(queries),
        1000 * cpu,
        n_bytes,
    )  # fmt: skip


def _links(html: str, base: str) -> list[str]:
    values = (
        value
        for tag in Reader(html).tags
        for name, value in tag.attributes.items()
        if name in ATTRIBUTES and value
    )
    return [urljoin(base, each).partition("#")[0] for each in values]


def _get_names() -> set[str]:
    """Return the names of the addresses that answer GET, as far as their views declare methods."""
    every = [*patterns(), *api_patterns()]
    return {str(each.name) for each in every if "GET" in methods_of(each)}
