"""Who may do what by the API, asked of every address: by a token as by a session, and by nothing else.

What each person gets by a session stands in tests/access/rows/api.py, and is held by tests/test_permissions.py.
"""

import re

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.access.rows.api import ROWS
from tests.access.table import PEOPLE, address_of
from tests.access.world import World, build
from tests.api.programs import Program
from tests.crawling import api_patterns, body_of
from tests.parts import part

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
# These are a page, and what there is not: no program reads them with a token.
NO_ENDPOINTS = {"api_reference", "api_nothing"}
NAMES = sorted(set(ROWS) - NO_ENDPOINTS)
READ_AND_SENT = {"api_item_notes", "api_reviews", "api_batch_reservations"}
# What an address may hold instead of what it names.
PARTS = {
    "str": ("a%00b", "%ED%A0%80", "x" * 3000),
    "int": ("0", "9" * 30, "1"),
    "slug": ("lighthouses", "nowhere", "x" * 3000),
    "uuid": ("00000000-0000-0000-0000-000000000000",) * 3,
    "path": ("a%00b", "%ED%A0%80", "x" * 3000),
}


@part
def world() -> World:
    return build()


@pytest.mark.parametrize("person", PEOPLE)
def test_a_token_has_the_rights_of_its_person(world, person):
    program = Program(world.persons[person])

    for name in NAMES:
        row = ROWS[name]
        href = address_of(name, row.options(world))
        with transaction.atomic():
            act = program.post if row.method == "post" else program.get
            reply = act(href)
            body_of(reply)
            transaction.set_rollback(True)

        assert reply.status_code == row.expected[PEOPLE.index(person)], href


def test_only_what_an_address_is_for_is_taken(world):
    program = Program(world.persons["requester"])
    for name in NAMES:
        row = ROWS[name]
        reads = row.method == "get"
        wanted = {"GET", "HEAD"} if reads else {"POST"}
        wanted |= {"POST"} if name in READ_AND_SENT else set()

        taken = set()
        for method in METHODS:
            reply = program.client.generic(
                method, address_of(name, row.options(world)), headers=program.headers
            )
            body_of(reply)
            taken |= {method} if reply.status_code != 405 else set()

        assert taken == wanted, name


def test_a_session_changes_nothing_without_the_token_of_a_form(world):
    client = Client(enforce_csrf_checks=True)
    client.force_login(world.persons["requester"], backend="accounts.backends.RealPeopleBackend")

    for name in NAMES:
        if ROWS[name].method == "get" and name not in READ_AND_SENT:
            continue
        with CaptureQueriesContext(connection) as queries:
            href = address_of(name, ROWS[name].options(world))
            reply = client.post(href, {}, content_type="application/json")
        assert reply.status_code == 403, name
        assert "CSRF" in reply.json()["detail"]
        assert write_statements(queries) == []


def test_a_session_acts_with_the_token_of_a_form(world):
    client = Client(enforce_csrf_checks=True)
    client.force_login(world.persons["requester"], backend="accounts.backends.RealPeopleBackend")
    page = client.get("/account/").text
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]

    reply = client.post(
        address_of("api_batch_pause", ROWS["api_batch_pause"].options(world)),
        {},
        content_type="application/json",
        headers={"X-CSRFToken": token},
    )

    assert reply.json()["state"] == "paused"


def write_statements(queries: CaptureQueriesContext) -> list[str]:
    verbs = ("INSERT", "UPDATE", "DELETE")
    return [query["sql"] for query in queries if query["sql"].startswith(verbs)]


def test_reading_changes_nothing_but_the_day_of_the_tokens_use(world):
    program = Program(world.persons["requester"])
    program.get("studies/")

    for name in NAMES:
        if ROWS[name].method == "get":
            with CaptureQueriesContext(connection) as queries:
                body_of(program.get(address_of(name, ROWS[name].options(world))))
            assert write_statements(queries) == [], name


def test_no_address_breaks_on_what_no_database_holds(world):
    program = Program(world.persons["requester"])

    for pattern in api_patterns():
        for choice in range(3):
            href = re.sub(
                r"<(\w+):\w+>",
                lambda part, choice=choice: PARTS[part[1]][choice],
                str(pattern.pattern),
            )
            for reply in (program.get(f"/api/v1/{href}"), program.post(f"/api/v1/{href}")):
                body_of(reply)
                assert reply.status_code < 500, href


@pytest.mark.parametrize("value", ["\0", "9" * 30, "-1", "²", "x" * 3000])
def test_no_parameter_breaks_a_list(world, value):
    program = Program(world.persons["requester"])
    names = ("page", "page_size", "state", "kind", "scheme", "source", "judged", "label")

    for name in ("api_studies", "api_batches", "api_items", "api_judgements", "api_disputes"):
        href = address_of(name, ROWS[name].options(world))
        for parameter in (*names, "batch", "annotator", "standing"):
            assert program.get(href, **{parameter: value}).status_code in (200, 404, 422)


@pytest.mark.parametrize(
    "header",
    ["Bearer", "Bearer ", "Bearer a b", "Basic YTpi", "bearer touchstone_x", "é", "Token x"],
)
def test_a_header_that_is_no_token_signs_nobody_in(world, header):
    reply = Client().get("/api/v1/studies/", headers={"Authorization": header})

    assert reply.status_code == 401
    assert reply.headers["WWW-Authenticate"] == 'Bearer realm="Touchstone"'
