"""Every address and every person: what each gets, down to the single object.

An address that is new must be given a row in tests/access/rows/ before this passes.
"""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from accounts.models import Study
from tests.access import rows
from tests.access.rows.annotation_desk import ROWS as DESK
from tests.access.table import PEOPLE, Row, address_of
from tests.access.world import World, build
from tests.crawling import body_of, without_contexts
from tests.jobs.clients import SignedInOnce, client_of
from tests.parts import part
from tests.undone import undone

pytestmark = pytest.mark.each_landing

ROWS: dict[str, Row] = {}
for _found in pkgutil.iter_modules(rows.__path__):
    _more = importlib.import_module(f"{rows.__name__}.{_found.name}").ROWS
    assert not ROWS.keys() & _more.keys(), f"{_found.name} has rows of addresses that have one"
    ROWS |= _more


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for each in resolver.url_patterns:
        if isinstance(each, URLPattern):
            yield each
        else:
            yield from patterns(each)


@part
def world() -> World:
    return build()


def test_every_address_has_a_row():
    assert set(ROWS) == {str(each.name) for each in patterns(get_resolver())}


def status_of(name: str, world: World, person: SignedInOnce, **other_options: str) -> int:
    """What the person gets at the address; all stays as it was."""
    row = ROWS[name]
    with undone(), without_contexts():
        href = address_of(name, row.options(world) | other_options)
        response = getattr(person.anew(), row.method)(href, **row.sent(world))
        body_of(response)  # a download holds its file until it is read
    return int(response.status_code)


@pytest.mark.parametrize("person", PEOPLE)
def test_each_person_gets_what_the_table_says(person, world):
    signed_in = SignedInOnce(world.persons[person])

    found = {name: status_of(name, world, signed_in) for name in ROWS}

    assert found == {name: row.expected[PEOPLE.index(person)] for name, row in ROWS.items()}


def test_an_annotator_without_the_qualification_finds_nothing_of_the_batch(world):
    """All else is for them as for the annotator who holds it."""
    with undone():
        of_the_batch = {name for name in DESK if "batch" in ROWS[name].options(world)}
    person = SignedInOnce(world.persons["without_qualification"])

    found = {name: status_of(name, world, person) for name in ROWS}

    as_annotator = {name: row.expected[PEOPLE.index("annotator")] for name, row in ROWS.items()}
    assert found == as_annotator | dict.fromkeys(of_the_batch, 404)


def in_studies() -> list[str]:
    """The addresses of single things inside a study."""
    return sorted(
        str(each.name)
        for each in patterns(get_resolver())
        if "study" in each.pattern.converters and len(each.pattern.converters) > 1
    )


def test_a_thing_of_one_study_is_not_found_in_another(world):
    """Whoever may do everything in their own study reaches nothing of another one through it."""
    person, elsewhere = SignedInOnce(world.persons["other_requester"]), world.elsewhere.slug

    found = {name: status_of(name, world, person, study=elsewhere) for name in in_studies()}

    assert len(found) > 100
    assert {name: status for name, status in found.items() if status not in (403, 404)} == {}


# A page of the administrators, and one of a person's own account.
OUTSIDE_THE_STUDY = {"study_requester", "own_background"}


@pytest.mark.parametrize("person", ["adjudicator", "annotator", "requester"])
def test_a_study_that_requires_a_second_factor_shows_organisers_without_one_nothing(person, world):
    """Annotators go on as before."""
    client, found, expected = client_of(world.persons[person]), {}, {}

    for name in sorted(ROWS):
        row = ROWS[name]
        with undone(), without_contexts():
            options = row.options(world)
            Study.objects.update(requires_second_factor=True)
            if "study" in options and name not in OUTSIDE_THE_STUDY:
                response = getattr(client, row.method)(address_of(name, options), **row.sent(world))
                body_of(response)
                found[name] = response.status_code
                expected[name] = row.expected[PEOPLE.index(person)]

    assert len(found) > 100
    assert found == (expected if person == "annotator" else dict.fromkeys(found, 403))


# The desk is closed, and what asks once before an act that is refused.
CLOSED_WHEN_ARCHIVED = {
    *("desk", "desk_check", "desk_feed", "desk_feedback", "desk_recent", "desk_guidelines", "ask"),
    "review_undo",
}
# What an archived study still takes: it is brought back, and another one is made of its settings.
TAKEN_WHEN_ARCHIVED = {"study_archive", "study_bring_back", "study_copy"}


def forms_that_send(body: bytes) -> int:
    """The number of forms of the page itself that send something; the one to sign out is above it."""
    return body.partition(b"<main")[2].count(b'method="post"')


@pytest.mark.parametrize("person", ["adjudicator", "annotator", "requester"])
def test_an_archived_study_is_read_as_before_and_takes_nothing_that_is_sent(person, world):
    client, read, expected, sent, forms = client_of(world.persons[person]), {}, {}, {}, {}

    for name in sorted(ROWS):
        row = ROWS[name]
        with undone(), without_contexts():
            options = row.options(world)
            Study.objects.update(archived_at=timezone.now(), archived_by=world.persons["requester"])
            if "study" in options and name != "study_requester":  # the administrators' page
                address = address_of(name, options)
                if row.method == "get" and name != "study_archive":
                    response = client.get(address, **row.sent(world))
                    forms[name] = forms_that_send(body_of(response))
                    read[name] = response.status_code
                    expected[name] = row.expected[PEOPLE.index(person)]
                sent[name] = client.post(address, **row.sent(world)).status_code

    assert len(read) > 80
    assert {name for name, n in forms.items() if n} <= TAKEN_WHEN_ARCHIVED
    assert {name for name in read if read[name] != expected[name]} <= CLOSED_WHEN_ARCHIVED
    taken = {name for name, status in sent.items() if status not in (403, 405)}
    assert taken <= TAKEN_WHEN_ARCHIVED
    assert sum(status == 403 for status in sent.values()) > 60
