"""Replies to HEAD, byte by byte from the started server: Django's test client would hide a body."""

import pytest

from tests.config.conftest import ICON
from tests.config.raw_http import Connection, NotAReplyError


@pytest.fixture
def connection(port):
    """One that is kept, as between a proxy and the server: it carries the requests of everybody."""
    with Connection(port) as connection:
        yield connection


def requests(addresses):
    """Path and headers of every kind of request, by its name."""
    yield "static file", ICON, []
    yield "no static file", "/static/nothing.svg", []
    yield "no page", "/nowhere/", []
    yield "wrong host", "/", ["Host: elsewhere.example"]
    yield "another's page", addresses.pages["study"].path, [addresses.cookie("annotator")]
    yield "wrong token", addresses.pages["api_studies"].path, ["Authorization: Bearer none"]
    for name, page in addresses.pages.items():
        yield f"{name}, signed out", page.path, []
        if page.open_to != "anonymous":
            yield f"{name}, {page.open_to}", page.path, [addresses.cookie(page.open_to)]


def test_no_reply_to_head_has_a_body_whatever_is_asked_by_whom(connection, addresses):
    connection.send("GET", ICON)
    icon = connection.read("GET").body
    statuses = set()
    for name, path, headers in requests(addresses):
        connection.send("HEAD", path, *headers)
        connection.send("GET", ICON)

        try:
            statuses.add(connection.read("HEAD").status)
            following = connection.read("GET")
        except (NotAReplyError, EOFError) as error:
            pytest.fail(f"after HEAD {path} ({name}) came {error!r}")

        assert (following.status, following.body) == (200, icon), name
    assert statuses >= {200, 302, 400, 401, 403, 404, 405}


@pytest.mark.parametrize("name", ["sign_in", "health", "release_file", "study", "api_study"])
def test_head_says_how_long_the_body_of_get_is(connection, addresses, name):
    page = addresses.pages[name]
    headers = [] if page.open_to == "anonymous" else [addresses.cookie(page.open_to)]

    connection.send("HEAD", page.path, *headers)
    connection.send("GET", page.path, *headers)

    length = connection.read("HEAD").headers["content-length"]
    assert int(length) == len(connection.read("GET").body) > 0
