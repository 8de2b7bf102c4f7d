"""Errors are pages that say what happened; nothing about the inside gets out."""

import errno
import sqlite3
from io import StringIO

import psycopg
import pytest
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import Http404
from django.test import Client, override_settings
from django.urls import path

from accounts.permissions import NotAllowedError
from config.urls import (
    handler400,  # noqa: F401  found here by name
    handler403,  # noqa: F401
    handler404,  # noqa: F401
    handler500,  # noqa: F401
)
from config.urls import urlpatterns as real
from tests import logged_lines


def raising(error: Exception, cause: Exception | None = None):
    def view(request):
        raise error from cause

    return view


def sqlite_error(name: str) -> sqlite3.Error:
    error = sqlite3.OperationalError("in SQLite's words")
    error.sqlite_errorname = name
    return error


AWAY = OperationalError("in the database's words")
NO_ROOM = {
    "sqlite": (AWAY, sqlite_error("SQLITE_FULL")),
    "sqlite-opened": (AWAY, sqlite_error("SQLITE_IOERR_SHMSIZE")),
    "postgresql": (AWAY, psycopg.errors.DiskFull()),
    "file": (OSError(errno.ENOSPC, "in the system's words"),),
}

urlpatterns = [
    path("gone/", raising(Http404("a secret"))),
    path("denied/", raising(PermissionDenied("This page is for the requester of the study."))),
    path("refused/", raising(NotAllowedError("bob is not requester in the study lighthouses"))),
    path("broken/", raising(RuntimeError("a secret"))),
    *(path(f"full/{name}/", raising(*errors)) for name, errors in NO_ROOM.items()),
    path("locked/", raising(AWAY, sqlite_error("SQLITE_BUSY"))),
    *real,
]


@pytest.fixture
def client(db) -> Client:
    with override_settings(ROOT_URLCONF=__name__):
        yield Client(raise_request_exception=False)


@pytest.fixture
def log() -> StringIO:
    """What is logged at INFO, as it is written."""
    written = StringIO()
    with logged_lines.written_to(written):
        yield written


def test_what_is_not_there_is_said_without_saying_what(client):
    response = client.get("/gone/")

    assert response.status_code == 404
    assert "Page not found" in response.text
    assert "secret" not in response.text


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("/denied/", "for the requester of the study"),
        ("/refused/", "bob is not requester in the study lighthouses"),
    ],
)
def test_what_is_refused_says_which_role_is_missing(client, address, why):
    response = client.get(address)

    assert response.status_code == 403
    assert why in response.text


def test_the_unexpected_gives_the_requests_id_which_its_one_traceback_in_the_log_has_too(
    client, log
):
    response = client.get("/broken/")

    assert response.status_code == 500
    assert "secret" not in response.text
    reference = response.text.split("<strong>")[1].split("</strong>")[0]
    assert reference == response.headers["X-Request-Id"]
    assert log.getvalue().count("Traceback") == 1
    assert f"ERROR django.request request={reference}: Internal Server Error: /broken/" in (
        log.getvalue()
    )


def test_a_script_that_sends_json_is_told_the_reference_in_json(client):
    response = client.post("/broken/", "{}", content_type="application/json")

    assert response.status_code == 500
    reference = response.headers["X-Request-Id"]
    assert response.json() == {"error": f"an unexpected error, with the reference {reference}"}


@pytest.mark.parametrize(
    ("address", "status"), [("/gone/", 404), ("/denied/", 403), ("/refused/", 403)]
)
def test_a_refusal_is_the_one_line_of_its_request(client, log, address, status):
    reference = client.get(address).headers["X-Request-Id"]

    (line,) = log.getvalue().splitlines()
    assert f"access request={reference}: GET {address} {status} in " in line
    assert "bob" not in line


def test_what_somebody_writes_into_an_address_stays_on_its_line_and_is_cut(client, log):
    client.get("/x%0AERROR%20forged/" + 5000 * "y")

    (line,) = log.getvalue().splitlines()
    assert "/x\\nERROR forged/yyy" in line
    assert len(line) < 400


@pytest.mark.parametrize("name", NO_ROOM)
def test_a_full_disk_is_said_to_be_full_and_nothing_to_be_saved(client, name):
    response = client.get(f"/full/{name}/")

    assert response.status_code == 507
    assert "The disk is full" in response.text
    assert "Nothing of what you sent just now was saved" in response.text
    assert "words" not in response.text


def test_a_script_that_sends_json_is_told_in_json_that_the_disk_is_full(client):
    response = client.post("/full/sqlite/", "{}", content_type="application/json")

    assert response.status_code == 507
    assert response.json() == {"error": "the server's disk is full: nothing of this was saved"}


def test_a_database_that_fails_for_another_reason_is_not_said_to_be_full(client):
    assert client.get("/locked/").status_code == 500


def test_every_page_comes_with_a_policy_that_lets_nothing_in_from_elsewhere(client):
    policy = client.get("/gone/").headers["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
