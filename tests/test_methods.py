"""What each address takes: pages are read, acts are sent with a token, and everything else is refused."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.actions import guideline_readings
from tests.access.table import PEOPLE
from tests.access.world import World, build
from tests.crawling import body_of, patterns
from tests.parts import part
from tests.test_permissions import ROWS

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")

# Acts: there is nothing to be read at these addresses.
SENT_ONLY = {
    *("sign_out", "sign_out_everywhere", "job_resume", "import_checked", "scores_count"),
    *("pool_survey", "flag_answer", "item_ask_again", "batch_agreement_start"),
    *("batch_annotators_start", "quality_annotators_start"),
    *("measures_start", "study_agreement_start", "batch_rules_start", "pool_missed_start"),
    *("results_start", "precision_draw", "compared_start", "compared_study_start"),
}
# Forms, and questions that come before an act: read, then sent.
READ_AND_SENT = {
    *(
        "token_new",
        "token_revoke",
        "sign_in",
        "account",
        "password_link",
        "consent",
        "first_steps",
        "join",
        "user_new",
    ),
    *("user_password_link", "study_requester", "study_new", "study_settings", "member_roles"),
    *("member_password_link", "invitations", "invitation_revoke", "job_cancel"),
    *("dataset_import", "run_import", "score_start", "scores_import", "pool_new", "pool_audit"),
    "comparison_new",
    *("batch_new", "batch_edit", "batch_open", "batch_discard", "batch_pause", "batch_resume"),
    *(
        "batch_deadline",
        "batch_close",
        "batch_reopen",
        "batch_settle",
        "batch_more",
        "evidence_new",
        "release_new",
        "annotator_pause",
        "annotator_resume",
    ),
    *("review_decide", "review_undo", "second_looks", "item_second", "precision_item"),
    *("item_mark_correct", "item_retract", "item_unclear"),
    *("desk_guidelines", "desk_submit", "desk_skip", "desk_flag", "desk_take_back"),
    *("desk_feed", "item_adjudicate", "item_exclude", "item_readmit", "item_note"),
}
# The desk hands out items to who reads it, so nobody looks at it by halves.
AT_THE_DESK = {
    *("desk", "desk_guidelines", "desk_recent", "desk_submit", "desk_skip", "desk_flag"),
    *("desk_take_back", "desk_feed"),
}
NAMES = sorted(str(each.name) for each in patterns())


def taken(name: str) -> set[str]:
    reads = set() if name in SENT_ONLY else {"GET"} if name in AT_THE_DESK else {"GET", "HEAD"}
    return reads | ({"POST"} if name in SENT_ONLY | READ_AND_SENT else set())


@part
def world(folder) -> World:
    return build(folder)


def browser_of(world: World, name: str, *, checks: bool = False) -> Client:
    """Of somebody to whom the address is open."""
    expected = dict(zip(PEOPLE, ROWS[name].expected, strict=True))
    who = next(
        person
        for person in reversed(PEOPLE)
        if expected[person] not in (302, 403, 404)
        or (person != "anonymous" and expected[person] == 302)
    )
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


def test_every_address_is_spoken_of():
    assert set(NAMES) >= SENT_ONLY | READ_AND_SENT | AT_THE_DESK


@pytest.mark.parametrize("name", NAMES)
def test_an_address_takes_what_it_is_for_and_refuses_every_other_method(world, name):
    said = dict(statuses(browser_of(world, name), address(world, name)))

    assert {method for method, status in said.items() if status != 405} == taken(name)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_taken_without_the_token_of_a_form(world, name):
    """Asked of every address: what takes no POST now may take one tomorrow."""
    client, href = browser_of(world, name, checks=True), address(world, name)

    for given in ({}, {"csrfmiddlewaretoken": "x" * 64}):
        with CaptureQueriesContext(connection) as queries:
            response = client.post(href, given)
        assert response.status_code == 403
        assert "This form is too old" in response.content.decode()
        assert written(queries) == []


def written(queries: CaptureQueriesContext) -> list[str]:
    verbs = ("INSERT", "UPDATE", "DELETE")
    return [query["sql"] for query in queries if query["sql"].startswith(verbs)]


@pytest.mark.parametrize("name", [name for name in NAMES if "GET" in taken(name)])
def test_reading_changes_nothing(world, name):
    """But at the desk, which hands out the item that it shows."""
    bob = world.persons["annotator"]
    assert bob is not None
    guideline_readings.confirm(batch=world.batch, by=bob)
    client, href = browser_of(world, name), address(world, name)

    for method in ("GET", "HEAD", "OPTIONS"):
        with CaptureQueriesContext(connection) as queries:
            body_of(client.generic(method, href))
        assert written(queries) == []


def test_the_desk_hands_out_no_more_to_who_looks_twice(world):
    bob = world.persons["annotator"]
    assert bob is not None
    guideline_readings.confirm(batch=world.batch, by=bob)
    client = browser_of(world, "desk")

    first, second = (client.get(address(world, "desk")) for _ in range(2))

    assert first.context["assignment"] == second.context["assignment"]
