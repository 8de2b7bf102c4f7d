"""What the API tells of studies, batches, items, judgements, disputes, jobs and releases."""

import re
import uuid
from datetime import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import guards
from accounts.actions import members, studies
from accounts.models import Role, RoleGrant
from annotation.actions import (
    answer_sources,
    double_adjudication,
    notes,
    reviews,
    withdrawn_batches,
)
from annotation.models import Batch, Judgement
from exports.rows.judgements import judgement_rows
from jobs.actions import jobs
from jobs.handlers import RowError
from tests.access.world import a_release
from tests.annotation.desk import NOW, judge
from tests.conftest import member
from tests.factories import BatchFactory, DatasetFactory, ItemFactory

UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def test_studies_are_those_that_one_looks_after(study, alice, carol, mallory, program):
    studies.create_study(slug="bridges", title="Bridges", requester=mallory)
    other = studies.create_study(slug="towers", title="Towers", requester=mallory)
    members.add(study=other, user=carol, roles=[Role.ANNOTATOR], by=mallory)

    said = program(carol).get("studies/").json()

    assert [(each["slug"], each["roles"]) for each in said["results"]] == [
        ("lighthouses", ["adjudicator"])
    ]
    assert (said["count"], said["next"], said["previous"]) == (1, None, None)
    assert program(alice).get("studies/lighthouses/").json()["roles"] == ["requester"]


def test_a_study_that_one_leaves_while_it_is_asked_for_is_not_there(
    study, alice, program, monkeypatch
):
    found = guards.study_and_roles

    def and_then_left(*about, **where):
        study_and_roles = found(*about, **where)
        RoleGrant.objects.filter(membership__user=alice).delete()
        return study_and_roles

    monkeypatch.setattr(guards, "study_and_roles", and_then_left)

    assert program(alice).get("studies/lighthouses/").status_code == 404


def test_a_batch_has_its_settings_state_and_counts(judged, batch, alice, program):
    said = program(alice).get(f"studies/lighthouses/batches/{batch.pk}/").json()

    assert said["name"] == batch.name
    assert said["shows_markdown"] is False
    assert (said["state"], said["scheme"], said["judgements_per_item"]) == (
        "open",
        "plausibility",
        2,
    )
    assert (said["n_items"], said["n_wanted"], said["n_counted"], said["n_disputed"]) == (
        1,
        2,
        2,
        0,
    )
    assert (said["closed_at"], said["closed_by"], said["created_by"]) == (None, None, "alice")
    assert UTC.fullmatch(said["created_at"])


def test_a_withdrawn_batch_says_so(batch, alice, program):
    where = f"studies/lighthouses/batches/{batch.pk}/"
    assert program(alice).get(where).json()["withdrawn"] is None

    withdrawn_batches.withdraw(batch=batch, reason="by mistake", by=alice)

    said = program(alice).get(where).json()["withdrawn"]
    assert (said["by"], said["reason"]) == ("alice", "by mistake")
    assert UTC.fullmatch(said["at"])


@pytest.mark.parametrize(
    ("asked", "n"),
    [({}, 2), ({"state": "open"}, 1), ({"scheme": "faithfulness"}, 0), ({"kind": "rehearsal"}, 0)],
)
def test_batches_are_narrowed(batch, study, alice, program, asked, n):
    BatchFactory(pool__dataset__study=study, state="draft")

    assert program(alice).get("studies/lighthouses/batches/", **asked).json()["count"] == n


def test_a_parameter_that_is_none_of_the_choices_is_said_to_be_wrong(batch, alice, program):
    reply = program(alice).get("studies/lighthouses/batches/", state="shut")

    assert reply.status_code == 422
    assert reply.json()["errors"] == [
        {"pointer": "#/state", "detail": "choose one of draft, open, paused, closed"}
    ]


def test_an_item_says_how_it_ended_and_what_that_rests_on(disputed, carol, program):
    reviews.adjudicate(item=disputed, label="malformed", reason="it breaks off", by=carol)

    (said,) = (
        program(carol)
        .get(f"studies/lighthouses/batches/{disputed.batch_id}/items/")
        .json()["results"]
    )

    assert said["id"] == str(disputed.public_id)
    assert said["question"] == "Who built the lighthouse?"
    assert len(said["answers"]) == 1
    verdict = said["verdict"]
    assert (verdict["state"], verdict["label"], verdict["source"]) == (
        "decided",
        "malformed",
        "adjudication",
    )
    assert (verdict["rule"], verdict["votes"]) == ("unanimous", {"plausible": 1, "malformed": 1})
    assert (verdict["reason"], verdict["decided_by"]) == ("it breaks off", "carol")
    assert verdict["replaces"] == {
        "state": "disputed",
        "label": "",
        "source": "consensus",
        "decided_by": "alice",
    }


def test_an_item_that_nothing_was_decided_about_has_no_verdict(item, batch, alice, program):
    (said,) = program(alice).get(f"studies/lighthouses/batches/{batch.pk}/items/").json()["results"]

    assert said["verdict"] is None


@pytest.mark.parametrize(
    ("asked", "n"),
    [
        ({}, 2),
        ({"state": "disputed"}, 1),
        ({"state": "none"}, 1),
        ({"source": "adjudication"}, 0),
        ({"judged": "none"}, 1),
        ({"label": "plausible"}, 0),
        ({"label": "malformed"}, 0),
    ],
)
def test_items_are_narrowed(disputed, batch, alice, program, asked, n):
    ItemFactory(batch=batch)

    said = program(alice).get(f"studies/lighthouses/batches/{batch.pk}/items/", **asked).json()

    assert said["count"] == n


def test_an_item_by_itself_has_what_was_said_and_all_that_happened(disputed, carol, program):
    notes.note(item=disputed, text="odd one", by=carol)

    said = program(carol).get(f"studies/lighthouses/items/{disputed.public_id}/").json()

    assert [(each["who"], each["label"]) for each in said["judgements"]] == [
        ("A", "plausible"),
        ("B", "malformed"),
    ]
    assert {each["assignment"] for each in said["judgements"]} == {
        str(each.public_id) for each in disputed.assignments.all()
    }
    assert said["behind"] is None
    assert said["n_asked"] == 2
    assert "odd one" in [each["why"] for each in said["history"]]
    assert "bob" not in str(said)
    assert "dora" not in str(said)


def test_what_stands_behind_an_item_is_told_once_all_is_decided_to_an_adjudicator_who_asked(
    disputed, carol, program
):
    address = f"studies/lighthouses/items/{disputed.public_id}/"
    reviews.adjudicate(item=disputed, label="malformed", reason="it breaks off", by=carol)
    assert program(carol).get(address).json()["behind"] is None
    answer_sources.show(batch=disputed.batch, by=carol)

    said = program(carol).get(address).json()

    assert said["behind"] == {"runs": [], "score": None, "scorer": "", "references": []}


def test_judgements_have_the_columns_of_a_release(judged, batch, alice, program):
    reviews.review(
        judgement=Judgement.objects.earliest("pk"),
        is_paid=True,
        paid_reason="work was done",
        is_counted=False,
        counted_reason="clicked through",
        by=alice,
    )

    said = program(alice).get(f"studies/lighthouses/batches/{batch.pk}/judgements/").json()

    released = {row.assignment_id: row for row in judgement_rows([batch])}
    assert len(said["results"]) == len(released) == 2
    for each in said["results"]:
        row = released[each["assignment_id"]]
        assert each == {name: getattr(row, name) for name in row.__slots__}
    assert [each["counted"] for each in said["results"]] == [False, True]
    assert UTC.fullmatch(said["results"][0]["submitted_at"])


@pytest.mark.parametrize(
    ("asked", "n"), [({}, 2), ({"standing": "no"}, 0), ({"annotator": "p0002"}, 1)]
)
def test_judgements_are_narrowed(judged, batch, study, alice, program, asked, n):
    assert study.memberships.get(user__username="bob").pseudonym == "p0002"

    path = f"studies/lighthouses/batches/{batch.pk}/judgements/"

    assert program(alice).get(path, **asked).json()["count"] == n


def test_nobody_of_that_pseudonym_is_said(judged, batch, alice, program):
    path = f"studies/lighthouses/batches/{batch.pk}/judgements/"

    assert program(alice).get(path, annotator="p9999").status_code == 422


def test_disputes_say_what_is_disputed_and_whether_one_was_handed_it(
    disputed, study, alice, carol, program
):
    (said,) = program(carol).get("studies/lighthouses/disputes/").json()["results"]

    assert said["item"] == str(disputed.public_id)
    assert said["votes"] == {"plausible": 1, "malformed": 1}
    assert said["question"] == "Who built the lighthouse?"
    assert said["is_own"] is False


def test_disputes_are_those_of_one_batch(disputed, batch, alice, program):
    reads = program(alice)

    assert reads.get("studies/lighthouses/disputes/", batch=batch.pk).json()["count"] == 1
    assert reads.get("studies/lighthouses/disputes/", batch=batch.pk + 1).json()["count"] == 0


def test_a_job_says_how_far_it_is_and_what_is_wrong(study, alice, program):
    job = jobs.start(study=study, kind="score", key="everyday", params={}, by=alice)
    jobs.record_errors(job=job, errors=[RowError("no such turn", file="a.json", row="3")])
    reads = program(alice)

    said = reads.get(f"studies/lighthouses/jobs/{job.pk}/").json()
    problems = reads.get(f"studies/lighthouses/jobs/{job.pk}/problems/").json()["results"]

    assert (said["kind"], said["state"], said["n_done"], said["n_errors"]) == (
        "score",
        "waiting",
        0,
        1,
    )
    assert problems == [
        {"file": "a.json", "row": "3", "field": "", "value": "", "message": "no such turn"}
    ]
    for asked, n in (({}, 1), ({"state": "unfinished"}, 1), ({"state": "done"}, 0)):
        assert reads.get("studies/lighthouses/jobs/", **asked).json()["count"] == n
    for kind, n in (("score", 1), ("release", 0)):
        assert reads.get("studies/lighthouses/jobs/", kind=kind).json()["count"] == n


def test_a_release_names_its_files_which_come_byte_by_byte(study, alice, program):
    DatasetFactory(study=study)
    release = a_release(study, alice)
    reads, path = program(alice), f"studies/lighthouses/releases/{release.number}/"

    said = reads.get(path).json()
    file = reads.get(f"{path}files/gold.json")

    assert [each["name"] for each in said["files"]] == ["gold.json", "manifest.json"]
    assert b"".join(file.streaming_content) == b"[]"
    assert file.headers["Content-Disposition"].startswith("attachment")
    assert reads.get(f"{path}files/secret.json").status_code == 404
    assert reads.get("studies/lighthouses/releases/").json()["count"] == 1


# Pages


def test_a_list_comes_by_pages_that_lead_to_each_other(batch, alice, program):
    for _ in range(5):
        ItemFactory(batch=batch)
    reads, seen = program(alice), []

    said = reads.get(f"studies/lighthouses/batches/{batch.pk}/items/", page_size=2).json()
    seen += said["results"]
    while said["next"]:
        said = reads.get(said["next"].removeprefix("http://testserver")).json()
        seen += said["results"]

    assert len(seen) == len({each["id"] for each in seen}) == said["count"] == 5


@pytest.mark.parametrize("page", ["0", "2", "-1", "x", "9" * 30])
def test_a_page_that_there_is_not_is_not_found(batch, item, alice, program, page):
    path = f"studies/lighthouses/batches/{batch.pk}/items/"

    assert program(alice).get(path, page=page).status_code == 404


def create_items(batch, n: int) -> None:
    """So many more items, alike but for their place."""
    one = batch.items.first()
    for position in range(n):
        one.pk, one.public_id, one.position = None, uuid.uuid4(), 1_000_000 + position
        one._state.adding = True
        one.save()


@pytest.mark.parametrize(("asked", "n"), [("1000000", 500), ("0", 100), ("x", 100)])
def test_a_page_has_a_limit(batch, alice, program, asked, n):
    ItemFactory.create_batch(3, batch=batch)
    create_items(batch, 600)

    said = (
        program(alice).get(f"studies/lighthouses/batches/{batch.pk}/items/", page_size=asked).json()
    )

    assert (said["count"], len(said["results"])) == (603, n)


# How much is asked of the database


LISTS = {
    "batches/": 7,
    "batches/{batch}/items/": 8,
    "batches/{batch}/judgements/": 17,
    "disputes/": 7,
}


@pytest.mark.parametrize(("path", "most"), LISTS.items())
def test_a_list_asks_as_often_however_long_it_is(
    disputed, batch, study, alice, program, path, most
):
    reads = program(alice)
    reads.get("studies/")  # the day of the token's use is written
    href = f"studies/lighthouses/{path.format(batch=batch.pk)}"

    def n_queries() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert reads.get(href).json()["count"] > 0
        return len(queries)

    once = n_queries()
    _as_much_again(study, batch, alice)

    assert n_queries() == once <= most


def _as_much_again(study, batch, alice):
    """Four more items in dispute, and a batch."""
    from annotation.actions import batches, settlement  # noqa: PLC0415

    BatchFactory(pool__dataset=batch.pool.dataset)
    batches.reopen(batch=batch, by=alice)
    ItemFactory.create_batch(4, batch=batch)
    for name, label in (("eve", "plausible"), ("fay", "malformed")):
        who = member(study, name, Role.ANNOTATOR, by=alice)
        for _ in range(4):
            judge(batch, who, label)
    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)


def test_times_are_in_utc(judged, batch, alice, program):
    said = program(alice).get(f"studies/lighthouses/batches/{batch.pk}/judgements/").json()

    assert datetime.fromisoformat(said["results"][0]["submitted_at"]) == NOW


def test_nothing_that_is_answered_is_kept_by_a_cache(study, alice, program):
    assert program(alice).get("studies/").headers["Cache-Control"] == "no-store"


def test_an_item_that_waits_for_a_second_look_tells_that_adjudicator_nothing_of_the_first(
    disputed, batch, study, alice, carol, program
):
    erin = member(study, "erin", Role.ADJUDICATOR, by=alice)
    reviews.adjudicate(item=disputed, label="malformed", reason="unreadable", by=carol)
    double_adjudication.draw(batch=Batch.objects.get(pk=batch.pk), share=1, seed=1, by=alice)
    listed, itself = (
        f"studies/{study.slug}/batches/{batch.pk}/items/",
        (f"studies/{study.slug}/items/{disputed.public_id}/"),
    )

    hers, his = (program(person).get(itself) for person in (erin, carol))
    assert (hers.status_code, his.status_code) == (403, 200)
    assert "second time" in hers.json()["detail"]
    assert program(erin).post(f"{itself}exclude/", {"reason": "x"}).status_code == 403
    assert program(erin).post(f"{itself}retract/", {}).status_code == 403
    assert program(erin).post(f"{itself}notes/", {"text": "x"}).status_code == 403
    assert program(erin).get(listed, label="malformed").json()["results"] == []
    assert len(program(carol).get(listed, label="malformed").json()["results"]) == 1

    double_adjudication.settle(item=disputed, label="plausible", reason="x", by=erin)
    assert program(erin).get(itself).status_code == 200
