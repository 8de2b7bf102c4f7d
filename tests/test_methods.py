"""What each address takes: pages are read, acts are sent with a token, and everything else is refused."""

from collections.abc import Iterator

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.actions import checks, guideline_readings
from annotation.queries import checks as check_queries
from tests.access.table import PEOPLE
from tests.access.world import World, build
from tests.crawling import METHODS, body_of, methods_of, patterns
from tests.parts import part
from tests.test_permissions import ROWS
from tests.undone import undone

# The methods that each view declares, by the name of its address.
DECLARED = {str(each.name): methods_of(each) for each in patterns()}
# Metrics are for a program with a token of its own, and for no browser: tests/config/test_monitoring.py.
NAMES = sorted(DECLARED.keys() - {"metrics"})


@part
def world(folder) -> World:
    return build(folder)


def browser_of(world: World, name: str, *, checks: bool = False) -> Client:
    """Of somebody to whom the address is open, if only with nothing to show there."""
    expected = dict(zip(PEOPLE, ROWS[name].expected, strict=True))
    people = [
        *(person for person in reversed(PEOPLE) if expected[person] not in (302, 403, 404)),
        *(person for person in reversed(PEOPLE[1:]) if expected[person] == 302),
        *(person for person in PEOPLE[1:] if expected[person] == 404),
    ]
    who = people[0]
    client = Client(enforce_csrf_checks=checks)
    if (user := world.persons[who]) is not None:
        client.force_login(user, backend="accounts.backends.RealPeopleBackend")
    return client


def address(world: World, name: str) -> str:
    return reverse(name, kwargs=ROWS[name].options(world))


def statuses(client: Client, href: str) -> Iterator[tuple[str, int]]:
    for method in METHODS:
        response = client.generic(method, href)
        body_of(response)  # a file is closed once it is read
        yield method, response.status_code


def test_pages_take_what_they_are_for_and_nothing_more():
    read, sent = {"GET", "HEAD"}, {"POST"}

    assert {frozenset(each) for name, each in DECLARED.items() if not name.startswith("desk")} == {
        frozenset(each) for each in (read, sent, read | sent)
    }


def test_the_desk_hands_out_items_to_who_reads_it_so_nobody_looks_by_halves():
    assert not [name for name in NAMES if name.startswith("desk") and "HEAD" in DECLARED[name]]


def test_an_address_takes_what_it_is_for_and_refuses_every_other_method(world):
    taken = {}

    for name in NAMES:
        with undone():
            said = statuses(browser_of(world, name), address(world, name))
            taken[name] = {method for method, status in said if status != 405}

    assert taken == {name: DECLARED[name] for name in NAMES}


def test_nothing_is_taken_without_the_token_of_a_form(world):
    """Asked of every address: what takes no POST now may take one tomorrow."""
    for name in NAMES:
        with undone():
            client, href = browser_of(world, name, checks=True), address(world, name)
            for given in ({}, {"csrfmiddlewaretoken": "x" * 64}):
                with CaptureQueriesContext(connection) as queries:
                    response = client.post(href, given)
                assert response.status_code == 403, name
                assert "This form is too old" in response.content.decode(), name
                assert write_statements(queries) == [], name


def write_statements(queries: CaptureQueriesContext) -> list[str]:
    verbs = ("INSERT", "UPDATE", "DELETE")
    return [query["sql"] for query in queries if query["sql"].startswith(verbs)]


def test_reading_changes_nothing(world):
    """But at the desk, which hands out the item that it shows."""
    bob = world.persons["annotator"]
    assert bob is not None
    guideline_readings.confirm(batch=world.batch, by=bob)

    for name in NAMES:
        if "GET" not in DECLARED[name]:
            continue
        with undone():
            client, href = browser_of(world, name), address(world, name)
            for method in ("GET", "HEAD", "OPTIONS"):
                with CaptureQueriesContext(connection) as queries:
                    body_of(client.generic(method, href))
                assert write_statements(queries) == [], f"{method} {name}"


def test_the_desk_hands_out_no_more_to_who_looks_twice(world):
    bob = world.persons["annotator"]
    assert bob is not None
    guideline_readings.confirm(batch=world.batch, by=bob)
    right = [each.right for each in check_queries.questions_of(world.batch)]
    checks.take(batch=world.batch, number=1, answers=right, by=bob)
    client = browser_of(world, "desk")

    first, second = (client.get(address(world, "desk")) for _ in range(2))

    assert first.context["assignment"] == second.context["assignment"]
