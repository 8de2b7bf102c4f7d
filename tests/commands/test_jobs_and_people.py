"""create_user, create_study, add_member, jobs."""

import io
import sys
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import Role, User
from accounts.permissions import has_second_factor, roles
from jobs.actions import jobs
from jobs.handlers import RowError
from jobs.models import Chunk, ChunkState, Job, JobState
from tests.accounts.phones import Phone
from tests.commands.command_calls import command_error, run_command
from tests.parts import part


def test_create_user_makes_a_user_nobody_can_sign_in_as(db):
    assert run_command("create_user", "erin") == {"user": "erin", "has_password": False}
    assert not User.objects.get(username="erin").has_usable_password()


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_create_user_reads_a_password_from_standard_input(db, monkeypatch, end):
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"correct horse battery{end}", newline=""))

    assert run_command("create_user", "erin", "--password-stdin")["has_password"]
    assert User.objects.get(username="erin").check_password("correct horse battery")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "there is no password on standard input"),
        ("\r\n", "there is no password on standard input"),
        ("        \n", "there is no password on standard input"),
        ("\udcff long enough\n", "is not UTF-8"),
        ("erin-1702\n", "too similar to the username"),
        ("123\n", "too short"),
        ("password\n", "common"),
    ],
)
def test_create_user_refuses_a_password_that_is_none(db, monkeypatch, typed, said):
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))

    assert said in command_error("create_user", "erin-1702", "--password-stdin")
    assert not User.objects.exists()


def test_create_user_refuses_a_name_that_is_taken_or_cannot_be_one(alice):
    assert command_error("create_user", "alice") == "there is a user alice already"
    assert command_error("create_user", "no spaces").startswith("username: ")


def test_remove_second_factor_lets_the_password_alone_sign_in(alice):
    Phone(alice)

    assert run_command("remove_second_factor", "alice") == {
        "user": "alice",
        "has_second_factor": False,
    }
    assert not has_second_factor(alice)
    assert command_error("remove_second_factor", "alice") == "alice has no second factor"
    assert command_error("remove_second_factor", "nobody").startswith("there is no user nobody")


@pytest.mark.parametrize("bytes_typed", [b"\xff long enough\n", "zoë-1702".encode("utf-16")])
def test_create_user_refuses_a_password_that_is_no_utf_8(db, monkeypatch, bytes_typed):
    typed = io.TextIOWrapper(io.BytesIO(bytes_typed), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", typed)

    assert "is not UTF-8" in command_error("create_user", "erin", "--password-stdin")


@pytest.mark.parametrize("name", ["two words", "e" * 151, "", "e\0", "erin/..", "<erin>"])
def test_create_user_says_which_names_can_be(db, name):
    said = command_error("create_user", name)

    assert said.startswith("username: ")
    assert said.endswith((".", ")."))
    assert not User.objects.exists()


@pytest.mark.parametrize("slug", ["two words", "s" * 61, "", "s\0", "a/b", "straße"])
def test_create_study_says_which_slugs_can_be(alice, slug):
    said = command_error("create_study", slug, "--title", "Lamps", "--requester", "alice")

    assert said.startswith("slug: ")
    assert not alice.studies_created.exists()


@pytest.mark.parametrize("title", ["", "t" * 201])
def test_create_study_says_which_titles_can_be(alice, title):
    said = command_error("create_study", "lamps", "--title", title, "--requester", "alice")

    assert said.startswith("title: ")


def test_create_user_makes_an_administrator_where_that_is_said(db):
    made = run_command("create_user", "erin", "--administrator")

    assert made == {"user": "erin", "has_password": False, "administrator": True}
    assert User.objects.get(username="erin").is_superuser


def test_create_study_makes_a_study_with_its_requester(alice):
    made = run_command("create_study", "lamps", "--title", "Lamps", "--requester", "alice")

    assert made == {"study": "lamps", "requester": "alice"}
    assert roles(alice, alice.studies_created.get()) == {Role.REQUESTER}


def test_create_study_refuses_what_cannot_be(study):
    taken = command_error("create_study", study.slug, "--title", "Again", "--requester", "alice")
    unknown = command_error("create_study", "lamps", "--title", "Lamps", "--requester", "erin")
    odd = command_error("create_study", "no spaces", "--title", "Lamps", "--requester", "alice")

    assert taken == "there is a study lighthouses already"
    assert unknown == "there is no user erin: make them with create_user"
    assert odd.startswith("slug: ")


def test_add_member_gives_roles_beside_those_held(study, mallory):
    options = ("add_member", "--study", study.slug, "mallory", "--role")
    run_command(*options, "annotator")

    assert run_command(*options, "adjudicator") == {
        "user": "mallory",
        "pseudonym": "p0002",
        "roles": ["adjudicator", "annotator"],
    }


def test_add_member_gives_several_roles_and_takes_the_name_wherever_it_stands(study, mallory):
    added = run_command(
        *("add_member", "--study", study.slug, "--role", "annotator"),
        *("--role", "adjudicator", "mallory"),
    )

    assert added["roles"] == ["adjudicator", "annotator"]


def test_add_member_refuses_who_and_what_is_not_there(study, mallory):
    options = ("add_member", "--study", study.slug)

    assert "there is no user erin" in command_error(*options, "erin", "--role", "annotator")
    assert "invalid choice: 'owner'" in command_error(*options, "mallory", "--role", "owner")
    assert "there is no study lamps" in command_error(
        "add_member", "--study", "lamps", "mallory", "--role", "annotator"
    )


@part
def two_jobs(study, alice):
    """Two jobs: one waits, one failed."""
    waiting = jobs.start(study=study, kind="score", key="waiting", params={}, by=alice)
    failed = jobs.start(study=study, kind="score", key="failed", params={}, by=alice)
    error = RowError("is too little", file="disk.json", row="record 3", field="free", value="0")
    jobs.fail(job=failed, message="the disk is full", errors=(error,))
    return waiting, failed


def test_jobs_lists_the_studys_jobs_newest_first(study, two_jobs):
    waiting, failed = two_jobs

    listed = run_command("jobs", "--study", study.slug)["jobs"]

    row = {"kind": "score", "done": 0, "of": 0}
    assert listed == [
        row
        | {"id": failed.pk, "about": "failed", "state": "failed", "errors": 1}
        | {
            "message": "the disk is full",
            "problems": ["disk.json: record 3: free: 0 is too little"],
        }
        | {"started": failed.created_at.isoformat()},
        row
        | {"id": waiting.pk, "about": "waiting", "state": "waiting", "errors": 0, "problems": []}
        | {"started": waiting.created_at.isoformat()},
    ]
    assert len(run_command("jobs", "--study", study.slug, "--most", "1")["jobs"]) == 1


def printed(*args):
    out = io.StringIO()
    call_command(*args, stdout=out)
    return out.getvalue().splitlines()


def words(line):
    return " ".join(line.split())


def test_jobs_prints_state_progress_age_and_what_went_wrong(study, two_jobs):
    waiting, failed = two_jobs
    Chunk.objects.create(job=waiting, number=0, n_units=3, state=ChunkState.DONE)
    Chunk.objects.create(job=waiting, number=1, n_units=4)
    Job.objects.filter(pk=waiting.pk).update(created_at=timezone.now() - timedelta(minutes=200))

    header, first, wrong, where, second = printed("jobs", "--study", study.slug)

    assert words(header) == "id job state done started"
    assert words(first) == f"{failed.pk} score failed failed not planned just now"
    assert wrong == "    the disk is full"
    assert where == "      disk.json: record 3: free: 0 is too little"
    assert words(second) == f"{waiting.pk} score waiting waiting 3 of 7 3 hours ago"
    assert header.index("done") == first.index("not planned") == second.index("3 of 7")
    assert "\xa0" not in second


def test_jobs_prints_the_first_problems_of_many_and_a_message_once(study, alice):
    many = jobs.start(study=study, kind="score", key="many", params={}, by=alice)
    rows = tuple(RowError("is odd", row=f"row {number}") for number in range(7))
    jobs.fail(job=many, message="7 problems\nrow 0: is odd\nand more", errors=rows)
    plain = jobs.start(study=study, kind="score", key="plain", params={}, by=alice)
    jobs.fail(job=plain, message="one\ntwo")

    said = [line.strip() for line in printed("jobs", "--study", study.slug)]

    assert said[2:4] == ["one", "two"]
    assert said[5:] == [
        "7 problems",
        *(f"row {number}: is odd" for number in range(5)),
        "and 2 more: --json lists all",
    ]


def test_jobs_says_that_there_are_none(study):
    assert printed("jobs", "--study", study.slug) == ["no jobs"]


@pytest.mark.parametrize("most", ["-1", "0", "10001", "9" * 30, "many"])
def test_jobs_refuses_to_list_what_is_no_number_of_jobs(study, most):
    assert "argument --most: " in command_error("jobs", "--study", study.slug, "--most", most)


@pytest.mark.parametrize("number", ["-1", "9" * 30])
def test_jobs_refuses_what_is_no_jobs_number(study, number):
    assert "argument --cancel: " in command_error("jobs", "--study", study.slug, "--cancel", number)


def test_jobs_cancels_one_and_goes_on_with_another(study, two_jobs):
    waiting, failed = two_jobs

    run_command("jobs", "--study", study.slug, "--cancel", waiting.pk)
    run_command("jobs", "--study", study.slug, "--resume", failed.pk)

    waiting.refresh_from_db()
    failed.refresh_from_db()
    assert (waiting.state, failed.state) == (JobState.CANCELLED, JobState.WAITING)


def test_jobs_refuses_what_cannot_be_done(study, two_jobs):
    waiting, failed = two_jobs
    options = ("jobs", "--study", study.slug)

    assert command_error(*options, "--cancel", 999) == "the study lighthouses has no job 999"
    assert "is not running" in command_error(*options, "--cancel", failed.pk)
    assert "neither failed nor was cancelled" in command_error(*options, "--resume", waiting.pk)
    assert "not allowed with" in command_error(*options, "--resume", 1, "--cancel", 1)
