"""create_user, create_study, add_member, jobs."""

import io
import sys

import pytest

from accounts.models import Role, User
from accounts.permissions import roles
from activity.actions import jobs
from activity.handlers import RowError
from activity.models import JobState
from tests.commands.calling import refusal, touchstone


def test_create_user_makes_a_user_nobody_can_sign_in_as(db):
    assert touchstone("create_user", "erin") == {"user": "erin", "has_password": False}
    assert not User.objects.get(username="erin").has_usable_password()


def test_create_user_reads_a_password_from_standard_input(db, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("correct horse battery\n"))

    assert touchstone("create_user", "erin", "--password-stdin")["has_password"]
    assert User.objects.get(username="erin").check_password("correct horse battery")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "there is no password on standard input"),
        ("123\n", "too short"),
        ("password\n", "common"),
    ],
)
def test_create_user_refuses_a_password_that_is_none(db, monkeypatch, typed, said):
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))

    assert said in refusal("create_user", "erin", "--password-stdin")
    assert not User.objects.exists()


def test_create_user_refuses_a_name_that_is_taken_or_cannot_be_one(alice):
    assert refusal("create_user", "alice") == "there is a user alice already"
    assert refusal("create_user", "no spaces").startswith("username: ")


def test_create_study_makes_a_study_with_its_requester(alice):
    made = touchstone("create_study", "lamps", "--title", "Lamps", "--requester", "alice")

    assert made == {"study": "lamps", "requester": "alice"}
    assert roles(alice, alice.studies_created.get()) == {Role.REQUESTER}


def test_create_study_refuses_what_cannot_be(study):
    taken = refusal("create_study", study.slug, "--title", "Again", "--requester", "alice")
    unknown = refusal("create_study", "lamps", "--title", "Lamps", "--requester", "erin")
    odd = refusal("create_study", "no spaces", "--title", "Lamps", "--requester", "alice")

    assert taken == "there is a study lighthouses already"
    assert unknown == "there is no user erin: make them with create_user"
    assert odd.startswith("slug: ")


def test_add_member_gives_roles_beside_those_held(study, mallory):
    options = ("add_member", "--study", study.slug, "mallory", "--role")
    touchstone(*options, "annotator")

    assert touchstone(*options, "adjudicator") == {
        "user": "mallory",
        "pseudonym": "p0002",
        "roles": ["adjudicator", "annotator"],
    }


def test_add_member_refuses_who_and_what_is_not_there(study, mallory):
    options = ("add_member", "--study", study.slug)

    assert "there is no user erin" in refusal(*options, "erin", "--role", "annotator")
    assert "invalid choice: 'owner'" in refusal(*options, "mallory", "--role", "owner")
    assert "there is no study lamps" in refusal(
        "add_member", "--study", "lamps", "mallory", "--role", "annotator"
    )


@pytest.fixture
def stones(study, alice):
    """Two jobs: one waits, one failed."""
    waiting = jobs.start(study=study, kind="score", key="waiting", params={}, by=alice)
    failed = jobs.start(study=study, kind="score", key="failed", params={}, by=alice)
    jobs.fail(job=failed, message="the disk is full", errors=(RowError("it is full"),))
    return waiting, failed


def test_jobs_lists_the_studys_jobs_newest_first(study, stones):
    waiting, failed = stones

    listed = touchstone("jobs", "--study", study.slug)["jobs"]

    row = {"kind": "score", "done": 0, "of": 0}
    assert listed == [
        row
        | {"id": failed.pk, "about": "failed", "state": "failed", "errors": 1}
        | {"message": "the disk is full"},
        row | {"id": waiting.pk, "about": "waiting", "state": "waiting", "errors": 0},
    ]
    assert len(touchstone("jobs", "--study", study.slug, "--most", "1")["jobs"]) == 1


def test_jobs_cancels_one_and_goes_on_with_another(study, stones):
    waiting, failed = stones

    touchstone("jobs", "--study", study.slug, "--cancel", waiting.pk)
    touchstone("jobs", "--study", study.slug, "--resume", failed.pk)

    waiting.refresh_from_db()
    failed.refresh_from_db()
    assert (waiting.state, failed.state) == (JobState.CANCELLED, JobState.WAITING)


def test_jobs_refuses_what_cannot_be_done(study, stones):
    waiting, failed = stones
    options = ("jobs", "--study", study.slug)

    assert refusal(*options, "--cancel", 999) == "the study lighthouses has no job 999"
    assert "is not running" in refusal(*options, "--cancel", failed.pk)
    assert "neither failed nor was cancelled" in refusal(*options, "--resume", waiting.pk)
    assert "not allowed with" in refusal(*options, "--resume", 1, "--cancel", 1)
