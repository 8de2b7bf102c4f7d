"""What a requester reads of a failed job names no place on the server; whoever runs it reads everything."""

import pytest
from django.urls import reverse

from jobs import failures
from jobs.actions import execution, jobs
from jobs.handlers import JobFailedError, RowError
from tests.api.programs import Program
from tests.commands.command_calls import run_command
from tests.jobs.clients import client_of

PLACE = "/srv/touchstone/data/uploads/9b1c"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{PLACE}/truth.json cannot be read", "truth.json cannot be read"),
        (f"there is no folder {PLACE}/", "there is no folder 9b1c"),
        (f"No such file or directory: '{PLACE} of May/a b.json'", "No such file or directory: 'a b.json'"),
        (f"The model m cannot be read: {PLACE}/config.json (Input/output error).",
         "The model m cannot be read: config.json (Input/output error)."),
        (f"“{PLACE} of May/a b.json” cannot be read", "“a b.json” cannot be read"),
        (r"C:\data\truth.json is empty", "truth.json is empty"),
        (f"file://{PLACE}/truth.json is empty", "file:truth.json is empty"),
        (f"sqlite:///{PLACE}/db is locked", "sqlite:db is locked"),
        (f"dir:{PLACE}/truth.json is empty", "dir:truth.json is empty"),
        (f"cannot be read:{PLACE}/truth.json", "cannot be read:truth.json"),
        (f"'file://localhost{PLACE} of May/a b.json' is empty", "'file:a b.json' is empty"),
        (f"two:\n{PLACE}/a.json: record 1\n{PLACE}/b.json: record 2",
         "two:\na.json: record 1\nb.json: record 2"),
    ],
)  # fmt: skip
def test_of_a_path_its_last_part_is_told(text, told):
    assert failures.for_requesters(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "1/2 of the answers and/or questions, 23/11/2026",
        "see https://huggingface.co/a/b and sentence-transformers/all-MiniLM-L6-v2",
        "the database failed 5 times in a row; when it is mended, resume job 7",
        "3 / 4",
    ],
)
def test_what_is_no_path_is_told_as_it_is(text):
    assert failures.for_requesters(text) == text


def fail_unexpectedly(work):
    def read(part, beat):
        raise FileNotFoundError(2, "No such file or directory", f"{PLACE}/truth.json")

    work.during = read


def test_an_unexpected_error_is_told_to_requesters_by_its_kind_only(job, work, study, alice):
    fail_unexpectedly(work)
    with pytest.raises(FileNotFoundError):
        execution.run(job)

    page = client_of(alice).get(reverse("job", args=[study.slug, job.pk])).content.decode()
    one = Program(alice).get(f"studies/{study.slug}/jobs/{job.pk}/").json()

    for told in (page, one["message"]):
        assert "nexpected FileNotFoundError" in told
        assert "the log of the worker" in told
        assert "srv" not in told
        assert "truth.json" not in told


def test_the_command_tells_whoever_runs_the_server_everything(job, work, study):
    fail_unexpectedly(work)
    with pytest.raises(FileNotFoundError):
        execution.run(job)

    (listed,) = run_command("jobs", "--study", study.slug)["jobs"]

    assert f"{PLACE}/truth.json" in listed["message"]


def test_neither_the_problems_of_a_job_nor_their_file_name_places_of_the_server(job, study, alice):
    wrong = RowError(f"{PLACE}/truth.json is no text", file=f"{PLACE}/truth.json", row="record 1")
    error = JobFailedError(f"nothing was imported: {PLACE}/truth.json", [wrong])
    jobs.fail(job=job, message=str(error), errors=error.errors)
    address = {"study": study.slug, "job": job.pk}

    replies = [
        client_of(alice).get(reverse("job", kwargs=address)).content,
        client_of(alice).get(reverse("jobs", args=[study.slug])).content,
        b"".join(client_of(alice).get(reverse("job_problems", kwargs=address)).streaming_content),
        Program(alice).get(f"studies/{study.slug}/jobs/").content,
        Program(alice).get(f"studies/{study.slug}/jobs/{job.pk}/problems/").content,
    ]

    assert [reply for reply in replies if b"srv" in reply] == []
    assert b"truth.json is no text" in replies[0]
