"""What is promised of the desk's data request: annotation/views/desk/sync.py and annotation/forms/desk_sync.py."""

import contextlib
import json
import uuid
from contextlib import contextmanager

import pytest
from django.db import OperationalError, connection
from django.test import Client

from annotation.actions import claims, judgements
from annotation.forms import desk_sync as reading
from annotation.forms.desk_sync import DeskRequestError
from annotation.models import Assignment, AssignmentState, GuidelineReading, Judgement
from tests.annotation.desk import assert_counts_match
from tests.annotation.desk_pages import address, client_of, open_desk
from tests.cases import all_cases
from tests.factories import ItemFactory

SHOWN_AT = "2026-05-12T10:00:00.250Z"


@pytest.fixture
def desk(bob, batch) -> Client:
    """The browser of bob, who has read the guidelines."""
    GuidelineReading.objects.create(guideline=batch.guideline, read_by=bob)
    return client_of(bob)


def sync_desk(client, batch, submissions=(), **more):
    reply = client.post(
        address("desk_feed", batch),
        json.dumps({"submissions": list(submissions), **more}),
        content_type="application/json",
    )
    assert reply.status_code == 200, reply.content
    return reply.json()


def sent_judgement(assignment, **more):
    return {
        "assignment": str(assignment.public_id),
        "client_id": "c1",
        "response": {"plausibility": "plausible"},
        "comment": "",
        "shown_at": SHOWN_AT,
        "active_seconds": 3.5,
    } | more


def test_a_judgement_goes_out_and_the_next_items_come_with_the_answer(desk, batch, items):
    held = open_desk(desk, batch).context["assignment"]

    reply = sync_desk(
        desk, batch, [sent_judgement(held, comment=" a\nword ")], wanted=2, progress=True
    )

    assert reply["results"] == [
        {
            "client_id": "c1",
            "assignment": str(held.public_id),
            "outcome": "saved",
            "said": "plausible",
            "is_same": True,
            "words": "",
        }
    ]
    assert held.expires_at.isoformat() < reply["items"][0]["expires_at"]
    assert items[1].payload["question"] in reply["items"][0]["html"]
    assert reply["progress"] == {
        "n_done": 1, "n_skipped": 0, "n_left": 2, "is_more": False, "seconds_left": None,
    }  # fmt: skip
    assert reply["batch"] == {"state": "open", "depth": 5, "deadline": None}
    assert Judgement.objects.get().comment == "a\nword"


def test_what_was_stored_before_comes_with_the_count_which_has_it(desk, batch, items):
    held = open_desk(desk, batch).context["assignment"]
    first = sync_desk(desk, batch, [sent_judgement(held)])

    again = sync_desk(desk, batch, [sent_judgement(held)])

    assert first["progress"] is None
    assert again["progress"]["n_done"] == 1


def test_the_item_of_the_answer_is_what_the_page_would_show(desk, batch, items):
    (item,) = sync_desk(desk, batch, wanted=1)["items"]

    page = open_desk(desk, batch)

    assert item["html"].strip() in page.content.decode()
    assert item["assignment"] == str(page.context["assignment"].public_id)
    assert item["attempt"] == page.context["attempt"]


def test_a_plain_get_gives_a_token_and_claims_nothing(desk, batch, items):
    reply = desk.get(address("desk_feed", batch)).json()

    assert reply["csrf"]
    assert reply["items"] == []
    assert reply["progress"]["n_left"] == 3


def test_what_the_browser_has_and_was_judged_or_skipped_elsewhere_is_named_as_over(
    desk, batch, items, bob, dora
):
    judged, skipped, lapsed = claims.claim(batch=batch, by=bob, n=3)
    sync_desk(desk, batch, [sent_judgement(judged)])
    judgements.skip(assignment=skipped, by=bob, reason="unsure")
    Assignment.objects.filter(pk=lapsed.pk).update(state=AssignmentState.EXPIRED)
    (of_another,) = claims.claim(batch=batch, by=dora)
    sync_desk(client_of(dora), batch, [sent_judgement(of_another)])
    names = [str(each.public_id) for each in (judged, skipped, lapsed, of_another)]

    assert set(sync_desk(desk, batch, ahead=names, wanted=1)["over"]) == set(names[:2])
    assert sync_desk(desk, batch, ahead=names)["over"] == []  # it was not asked what is at hand


def test_nothing_comes_before_the_guidelines_were_read_but_what_was_judged_is_stored(
    desk, batch, items, bob
):
    held = open_desk(desk, batch).context["assignment"]
    GuidelineReading.objects.all().delete()

    reply = sync_desk(desk, batch, [sent_judgement(held)], wanted=2)

    assert reply["is_due"]
    assert reply["results"][0]["outcome"] == "saved"
    assert reply["items"] == []
    GuidelineReading.objects.create(guideline=batch.guideline, read_by=bob)
    assert len(sync_desk(desk, batch, wanted=2)["items"]) == 2


def test_who_is_signed_out_is_told_so_and_not_led_away(batch):
    reply = Client().post(address("desk_feed", batch), "{}", content_type="application/json")

    assert reply.status_code == 401
    assert reply.json() == {"error": "nobody is signed in"}


def test_a_request_without_the_token_is_refused(bob, batch, items):
    checked = Client(enforce_csrf_checks=True)
    checked.force_login(bob, backend="accounts.backends.RealPeopleBackend")

    reply = checked.post(address("desk_feed", batch), "{}", content_type="application/json")

    assert reply.status_code == 403


def test_an_item_that_was_taken_back_comes_with_what_was_said(desk, batch, items, bob):
    held = open_desk(desk, batch).context["assignment"]
    sync_desk(
        desk, batch, [sent_judgement(held, response={"plausibility": "malformed"}, comment="why")]
    )
    desk.post(address("desk_take_back", batch, held))

    (item, *_) = sync_desk(desk, batch, wanted=1)["items"]

    assert (item["said_before"], item["comment"]) == ("malformed", "why")
    assert item["attempt"] == f"{held.public_id}-1"


def good():
    return {
        "assignment": str(uuid.uuid4()), "client_id": "c", "response": {"plausibility": "plausible"}, "comment": "",
        "shown_at": SHOWN_AT, "active_seconds": 1,
    }  # fmt: skip


@all_cases(
    ("body", "what"),
    [
        (b"", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "not an object"),
        ({"submissions": {}}, "submissions is not a list"),
        ({"submissions": [good()] * 101}, "submissions is not a list of at most 100"),
        ({"submissions": [1]}, r"submissions\[0\] is not an object"),
        ({"submissions": [good() | {"assignment": 7}]}, r"submissions\[0\].assignment"),
        ({"submissions": [good() | {"client_id": ""}]}, "client_id"),
        ({"submissions": [good() | {"client_id": "x" * 65}]}, "client_id"),
        ({"submissions": [good() | {"client_id": "a\0"}]}, "client_id holds a character"),
        ({"submissions": [good() | {"response": None}]}, "response is not an object"),
        ({"submissions": [good() | {"comment": "x" * 1001}]}, "comment"),
        ({"submissions": [good() | {"comment": "\ud800"}]}, "comment holds a character"),
        ({"submissions": [good() | {"shown_at": "yesterday"}]}, "shown_at"),
        ({"submissions": [good() | {"shown_at": "2026-02-31T10:00:00Z"}]}, "shown_at"),
        ({"submissions": [good() | {"shown_at": "2026-05-12T10:00:00"}]}, "with its zone"),
        ({"submissions": [good() | {"active_seconds": -1}]}, "active_seconds"),
        ({"submissions": [good() | {"active_seconds": "3"}]}, "active_seconds"),
        (b'{"submissions": [{"active_seconds": NaN}]}', "submissions"),
        ({"ahead": ["x"]}, r"ahead\[0\]"),
        ({"wanted": True}, "wanted"),
        ({"wanted": -1}, "wanted"),
        ({"wanted": 101}, "wanted"),
        ({"wanted": 1.5}, "wanted"),
    ],
)
def test_a_field_that_is_not_what_it_should_be_is_named(body, what):
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()

    with pytest.raises(DeskRequestError, match=what):
        reading.parsed_request(sent)


@pytest.mark.parametrize("seconds", ["NaN", "Infinity", "1e999", "9" * 400], ids=len)
def test_no_time_is_infinite_or_no_number(seconds):
    body = json.dumps({"submissions": [good()]}).replace(
        '"active_seconds": 1', f'"active_seconds": {seconds}'
    )

    with pytest.raises(DeskRequestError, match="active_seconds"):
        reading.parsed_request(body.encode())


def test_what_cannot_be_read_is_answered_in_words_and_stores_nothing(desk, batch, items):
    held = open_desk(desk, batch).context["assignment"]

    reply = desk.post(
        address("desk_feed", batch),
        json.dumps({"submissions": [sent_judgement(held), sent_judgement(held, shown_at="")]}),
        content_type="application/json",
    )

    assert reply.status_code == 400
    assert "submissions[1].shown_at" in reply.json()["error"]
    assert not Judgement.objects.exists()


def test_a_judgement_costs_a_dozen_queries_and_as_many_more_where_items_are_fetched(
    desk, batch, bob, django_assert_num_queries
):
    for position in range(1, 61):
        ItemFactory(batch=batch, position=position)
    held = open_desk(desk, batch).context["assignment"]
    items = sync_desk(desk, batch, ahead=[str(held.public_id)], wanted=4)["items"]
    first, *ahead = (each["assignment"] for each in items)

    with django_assert_num_queries(12):
        sync_desk(desk, batch, [sent_judgement(held)], ahead=[first, *ahead])
    second = Assignment.objects.get(public_id=first)
    with django_assert_num_queries(26):
        sync_desk(desk, batch, [sent_judgement(second)], ahead=ahead, wanted=2)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite is told how large it may grow")
@pytest.mark.django_db(transaction=True)
def test_a_database_that_may_not_grow_refuses_in_words_and_keeps_nothing_half(desk, batch, items):
    """Without a disk of its own (tests/faults/test_full_disk.py) and so for who is not root."""
    held = open_desk(desk, batch).context["assignment"]
    long = "\N{GOTHIC LETTER AHSA}" * 1000  # 4,000 bytes: a page of its own
    sent = {"submissions": [sent_judgement(held, comment=long)], "wanted": 2}

    def send():
        return desk.post(address("desk_feed", batch), json.dumps(sent), "application/json")

    desk.raise_request_exception = False
    with at_most_as_large_as_it_is():
        refused = send()

    assert refused.status_code == 507
    assert refused.json() == {"error": "the server's disk is full: nothing of this was saved"}
    held.refresh_from_db()
    assert (held.state, Judgement.objects.count()) == (AssignmentState.CLAIMED, 0)
    assert_counts_match(batch)
    assert send().json()["results"][0]["outcome"] == "saved"
    assert Judgement.objects.get().comment == long


@contextmanager
def at_most_as_large_as_it_is():
    """Every page of the database is in use, and no other can be had."""
    with connection.cursor() as cursor:
        ((n_pages,),) = cursor.execute("PRAGMA page_count").fetchall()
        ((n_free,),) = cursor.execute("PRAGMA freelist_count").fetchall()
        cursor.execute("CREATE TABLE filler (bytes BLOB)")
        cursor.execute(f"PRAGMA max_page_count = {n_pages + 1}")
        # One row takes them all: of several, one that would split a full page into two leaves a page.
        for n_taken in range(n_free + 1, 0, -1):
            with contextlib.suppress(OperationalError):
                cursor.execute("INSERT INTO filler VALUES (zeroblob(%s))", [n_taken * 4092])
                break
        yield
        cursor.execute("PRAGMA max_page_count = 4294967294")
        cursor.execute("DROP TABLE filler")


@pytest.mark.parametrize("number", [0, 2**31, 2**63, 10**30])
def test_a_batch_that_cannot_be_is_not_found(desk, batch, number):
    page = address("desk", batch).replace(f"/{batch.pk}/", f"/{number}/")

    assert desk.get(page).status_code == 404
    assert desk.get(f"{page}feed/").status_code == 404
