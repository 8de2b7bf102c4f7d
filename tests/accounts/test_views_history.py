"""The history of a study: who did what, by nobody but its requester."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actions import users
from audit import events, wording
from audit.models import Event
from tests.cases import all_cases
from tests.factories import UserFactory
from tests.jobs.clients import client_of
from tests.markup import one_line


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@pytest.fixture
def history(client, study):
    address = reverse("history", kwargs={"study": study.slug})
    return lambda **query: one_line(client.get(address, query).content.decode())


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
    assert history(q="lighthouses").count("study lighthouses") == 4
    assert "No event matches" in history(q="nothing like it")


def test_it_comes_in_pages_with_the_newest_first(history, study, alice):
    for n in range(60):
        events.record(study=study, by=alice, verb=f"verb{n:02}", target=study)

    assert "> verb59 " in history()
    assert "> verb05 " not in history()
    assert "> verb05 " in history(page="2")


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


# In words


def test_an_item_is_not_called_by_its_id_but_led_to(history, study):
    item = "0f0f0f0f-0000-4000-8000-000000000000"
    Event.objects.create(
        study=study.slug,
        actor="carol",
        verb="adjudicated",
        target=f"item {item}",
        details={"label": "plausible", "reason": "It answers."},
    )

    text = history()

    href = reverse("item", kwargs={"study": study.slug, "item": item})
    assert f'<a href="{href}">adjudicated an item</a>' in text
    assert "As plausible: It answers." in text


def test_digests_are_not_printed_and_files_keep_their_names(history, study):
    sha256 = "8d2e255ab0d5ebb09cf810533994a527a27d406e97136fe97fd73914253dbf2a"
    files = {"per_run.csv": sha256, f"guidelines/{sha256}.md": sha256, "gold.json": sha256}
    Event.objects.create(
        study=study.slug,
        actor="alice",
        verb="released",
        target="dataset everyday@1",
        details={"number": 2, "files": files},
    )

    text = history()

    assert "released data set everyday@1" in text
    assert "As release 2, 3 files" in text
    assert "files per_run.csv" in text
    assert f'<dt>files gold.json</dt><dd><span dir="auto">{sha256[:12]}…</span></dd>' in text
    assert f">{sha256}<" not in text


@all_cases(
    ("verb", "target", "details", "words"),
    [
        ("opened", "batch first round", {"n_items": 98}, "98 items"),
        (
            "created",
            "batch first round",
            {"pool": "candidates", "scheme": "plausibility"},
            "plausibility, on the pool candidates",
        ),
        (
            "created",
            "invitation 3 (annotator)",
            {"n_most": 1, "expires_at": "2026-03-02T09:00:00+00:00", "note": "the lab"},
            "for 1 person, until 2026-03-02 09:00 UTC: the lab",
        ),
        (
            "settled",
            "batch first round",
            {"rule": "unanimous", "n_items": 1, "n_decided": 1, "n_disputed": 0, "n_set_aside": 0},
            "by the rule unanimous: 1 decided, 0 in dispute, 0 set aside, of 1 item",
        ),
        (
            "reviewed",
            "assignment 1",
            {
                "is_paid": True,
                "paid_reason": "done",
                "is_counted": False,
                "counted_reason": "hasty",
            },
            "paid: done; not counted: hasty",
        ),
        ("granted", "user bob", {"roles": ["annotator"]}, "annotator"),
        ("took back", "user bob", {"roles": ["annotator"]}, "annotator"),
        ("took back", "item 0f0f", {"label": "plausible"}, "it was plausible"),
        (
            "drew",
            "pool evidence",
            {"rule": {"batch": "first round"}},
            "the plausible answers of first round, with their evidence",
        ),
        (
            *("drew", "pool references", {"rule": {"scorer": "none"}}),
            "the evidence for the references",
        ),
        (
            "took sentences of",
            "pool evidence",
            {"n_sentences": 3, "runs": ["extracted", "extracted 2"], "n_equal": 1},
            "3 sentences, as extracted, extracted 2",
        ),
        ("closed", "batch first round", {}, ""),
        ("never heard of", "batch first round", {"n_items": 1}, ""),
        ("opened", "batch of another time", {"items": "many"}, ""),
        ("reviewed", "assignment 1", {"is_paid": None}, ""),
        ("released", "dataset everyday@1", {"number": 1, "files": None}, ""),
    ],
)
def test_what_an_event_keeps_is_said_in_a_sentence(verb, target, details, words):
    assert wording.summary(verb, details) == words


@all_cases(
    ("verb", "target", "sentence"),
    [
        ("reviewed", "assignment 0f0f", "reviewed a judgement"),
        ("answered", "flag 0f0f", "answered a flag"),
        ("noted", "item 0f0f", "wrote a note on an item"),
        ("granted", "user bob", "gave a role to user bob"),
        ("took back", "user bob", "took a role from user bob"),
        ("took back", "item 0f0f", "undid the adjudication of an item"),
        ("settled again", "item 0f0f", "gave a second label to an item"),
        ("asked again", "item 0f0f", "asked for one more judgement of an item"),
        ("audited again", "precisionitem 0f0f", "corrected the audit of an accepted answer"),
        ("started", "job find_evidence first round", "started job find evidence: first round"),
        ("imported", "dataset everyday@1", "imported data set everyday@1"),
        ("closed", "batch first round", "closed batch first round"),
        ("audited", "precisionitem 0f0f", "audited an accepted answer"),
    ],
)
def test_what_was_done_is_said_without_ids(verb, target, sentence):
    assert wording.action_in_words(verb, target) == sentence


def test_what_administrators_do_outside_the_studies_has_a_page_of_its_own(study, alice, bob):
    root = UserFactory(username="root", is_superuser=True)
    users.deactivate(user=bob, by=root)
    administrator = client_of(root)

    found = one_line(administrator.get(reverse("house_history")).content.decode())

    assert "deactivated user bob" in found
    assert "study lighthouses" not in found
    assert reverse("house_history") in administrator.get(reverse("house")).content.decode()
