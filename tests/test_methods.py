"""What each address takes: pages are read, acts are sent with a token, and everything else is refused."""

from dataclasses import dataclass

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.actions import checks, guideline_readings
from annotation.queries import checks as check_queries
from tests.access.table import PEOPLE
from tests.access.world import World, build
from tests.crawling import METHODS, body_of, methods_of, patterns, without_contexts
from tests.jobs.clients import SignedInOnce
from tests.parts import part
from tests.test_permissions import ROWS
from tests.undone import undone

pytestmark = pytest.mark.each_landing

# The methods that each view declares, by the name of its address.
DECLARED = {str(each.name): methods_of(each) for each in patterns()}
# Metrics are for a program with a token of its own, and for no browser: tests/config/test_monitoring.py.
NAMES = sorted(DECLARED.keys() - {"metrics"})
READING = ("GET", "HEAD", "OPTIONS")


@part
def world() -> World:
    return build()


def who_reads(name: str) -> str:
    """Somebody to whom the address is open, if only with nothing to show there."""
    expected = dict(zip(PEOPLE, ROWS[name].expected, strict=True))
    people = [
        *(person for person in reversed(PEOPLE) if expected[person] not in (302, 403, 404)),
        *(person for person in reversed(PEOPLE[1:]) if expected[person] == 302),
        *(person for person in PEOPLE[1:] if expected[person] == 404),
    ]
    return people[0]


def browsers(world: World, *, checks: bool = False) -> dict[str, SignedInOnce]:
    return {who: SignedInOnce(user, checks=checks) for who, user in world.persons.items()}


def address(world: World, name: str) -> str:
    return reverse(name, kwargs=ROWS[name].options(world))


@dataclass(frozen=True)
class Said:
    """What came of a request."""

    status: int
    written: list[str]  # the statements that changed something


def asked(client: Client, method: str, href: str) -> Said:
    with without_contexts(), CaptureQueriesContext(connection) as queries:
        response = client.generic(method, href)
        body_of(response)  # a file is closed once it is read
    return Said(response.status_code, write_statements(queries))


@part
def said(world: World) -> dict[str, dict[str, Said]]:
    """What each address says to each method, one after another; then all that they did is undone."""
    people, found = browsers(world), {}
    for name in NAMES:
        with undone():
            client, href = people[who_reads(name)].anew(), address(world, name)
            # What reads first, so that it finds what is there and not what was sent.
            methods = (*READING, *(each for each in METHODS if each not in READING))
            found[name] = {method: asked(client, method, href) for method in methods}
    return found


def test_pages_take_what_they_are_for_and_nothing_more():
    read, sent = {"GET", "HEAD"}, {"POST"}

    assert {frozenset(each) for name, each in DECLARED.items() if not name.startswith("desk")} == {
        frozenset(each) for each in (read, sent, read | sent)
    }


def test_the_desk_hands_out_items_to_who_reads_it_so_nobody_looks_by_halves():
    assert not [name for name in NAMES if name.startswith("desk") and "HEAD" in DECLARED[name]]


def test_an_address_takes_what_it_is_for_and_refuses_every_other_method(said):
    taken = {
        name: {method for method, each in of_name.items() if each.status != 405}
        for name, of_name in said.items()
    }

    assert taken == {name: DECLARED[name] for name in NAMES}


def test_nothing_is_taken_without_the_token_of_a_form(world):
    """Asked of every address: what takes no POST now may take one tomorrow."""
    people = browsers(world, checks=True)

    for name in NAMES:
        with undone():
            client, href = people[who_reads(name)].anew(), address(world, name)
            for given in ({}, {"csrfmiddlewaretoken": "x" * 64}):
                with without_contexts(), CaptureQueriesContext(connection) as queries:
                    response = client.post(href, given)
                assert response.status_code == 403, name
                assert "This form is too old" in response.content.decode(), name
                assert write_statements(queries) == [], name


def write_statements(queries: CaptureQueriesContext) -> list[str]:
    verbs = ("INSERT", "UPDATE", "DELETE")
    return [query["sql"] for query in queries if query["sql"].startswith(verbs)]


def test_reading_changes_nothing(world, said):
    """But at the desk, which hands out the item that it shows: the annotator looks once they are let to it."""
    bob = world.persons["annotator"]
    assert bob is not None
    guideline_readings.confirm(batch=world.batch, by=bob)
    annotator = SignedInOnce(bob)

    for name in NAMES:
        if "GET" not in DECLARED[name]:
            continue
        found = said[name]
        if who_reads(name) == "annotator":
            with undone():
                client, href = annotator.anew(), address(world, name)
                found = {method: asked(client, method, href) for method in READING}
        for method in READING:
            assert found[method].written == [], f"{method} {name}"


def test_the_desk_hands_out_no_more_to_who_looks_twice(world):
    bob = world.persons["annotator"]
    assert bob is not None
    guideline_readings.confirm(batch=world.batch, by=bob)
    right = [each.right for each in check_queries.questions_of(world.batch)]
    checks.take(batch=world.batch, number=1, answers=right, by=bob)
    client = SignedInOnce(bob).anew()

    first, second = (client.get(address(world, "desk")) for _ in range(2))

    assert first.context["assignment"] == second.context["assignment"]
