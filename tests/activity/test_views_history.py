"""The history of a study: who did what, by nobody but its requester."""

import pytest
from django.test import Client
from django.urls import reverse

from activity.actions import events
from activity.models import Event


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@pytest.fixture
def history(client, study):
    address = reverse("history", kwargs={"study": study.slug})
    return lambda **query: client.get(address, query).content.decode()


def test_it_tells_who_did_what_with_the_details(history, study, alice):
    events.record(
        study=study, by=alice, verb="imported", target=study, n_turns=1234, is_real=True, said=""
    )

    text = history()

    assert "imported study lighthouses" in text
    for part in ("alice", "turns", "1,234", "is real", "yes", "none"):
        assert part in text


def test_it_holds_the_study_s_own_events_only(history, alice):
    Event.objects.create(study="bridges", actor="eve", verb="burnt", target="bridge 1")

    assert "burnt" not in history()


def test_it_can_be_narrowed_to_a_person_an_act_and_a_text(history, study, alice, carol):
    for by, verb in ((alice, "opened"), (carol, "adjudicated"), (carol, "opened")):
        events.record(study=study, by=by, verb=verb, target=study)

    assert history(actor="carol", verb="opened").count("opened study lighthouses") == 1
    assert history(q="lighthouses").count("study lighthouses") == 3
    assert "No event is like that" in history(q="nothing like it")


def test_it_comes_in_pages_with_the_newest_first(history, study, alice):
    for n in range(60):
        events.record(study=study, by=alice, verb=f"verb{n:02}", target=study)

    assert ">verb59 " in history()
    assert ">verb05 " not in history()
    assert ">verb05 " in history(page="2")


def test_it_asks_as_often_for_many_events_as_for_few(
    history, study, alice, django_assert_num_queries, django_assert_max_num_queries
):
    events.record(study=study, by=alice, verb="opened", target=study)
    with django_assert_max_num_queries(10) as asked:
        history()
    for _ in range(30):
        events.record(study=study, by=alice, verb="opened", target=study, details={"a": [1, 2]})

    with django_assert_num_queries(len(asked)):
        history()


def test_hostile_texts_are_shown_and_not_run(history, study, alice):
    Event.objects.create(
        study=study.slug,
        actor="<script>alert(1)</script>",
        verb="<script>alert(2)</script>",
        target="<script>alert(3)</script>",
        details={"<script>alert(4)</script>": ["<script>alert(5)</script>", {"a": None}]},
    )

    assert "<script>alert" not in history()
