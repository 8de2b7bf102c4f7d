"""What all commands share: the summary as text or JSON, and errors as sentences."""

import json
from io import StringIO

import pytest
from celery.exceptions import OperationalError
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.permissions import NotAllowedError
from activity import commands
from activity.actions import jobs
from activity.handlers import JobFailedError
from activity.models import JobState
from activity.tasks import work_on
from tests.activity.handling import KIND, carved


class Carve(commands.JobCommand):
    """A command that stands in for all that start a job."""

    def add_options(self, parser):
        parser.add_argument("stone")

    def act(self, **options):
        job = jobs.start(
            study=options["study"], kind=KIND, key=options["stone"], params={}, by=options["by"]
        )
        return self.run(job, background=options["background"])


class Say(commands.SummaryCommand):
    expected = (KeyError,)

    def __init__(self, outcome):
        super().__init__()
        self.outcome = outcome

    def add_options(self, parser):
        pass

    def act(self, **options):
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


def said(command, *args):
    out = StringIO()
    call_command(command, *args, stdout=out)
    return out.getvalue()


def test_a_summary_is_written_line_by_line(db):
    summary = {
        "n": 2,
        "counts": {"a": 1},
        "rows": [{"id": 1, "state": "done"}, "plain"],
        "none": [],
    }

    assert said(Say(summary)).splitlines() == [
        "n: 2",
        "counts:",
        "  a: 1",
        "rows: 2",
        "  id: 1, state: done",
        "  plain",
        "none: 0",
    ]


def test_a_summary_as_json_keeps_every_letter(db):
    assert said(Say({"b": "Zürich مرحبا", "a": 1}), "--json") == '{"a": 1, "b": "Zürich مرحبا"}\n'


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (KeyError("the command's own"), "the command's own"),
        (NotAllowedError("alice is not adjudicator"), "alice is not adjudicator"),
        (JobFailedError("nothing was carved"), "nothing was carved"),
        (jobs.JobStateError("the job is not running"), "the job is not running"),
        (ValidationError({"name": ["Too long.", "Odd."]}), "name: Too long. Odd."),
        (ValidationError(["Too short.", "Too common."]), "Too short.; Too common."),
    ],
)
def test_what_can_go_wrong_is_a_sentence_with_exit_code_1(db, error, sentence):
    with pytest.raises(CommandError) as caught:
        said(Say(error))

    assert caught.value.returncode == 1
    assert str(caught.value).strip("'\"") == sentence


def test_a_defect_shows_itself(db):
    with pytest.raises(ZeroDivisionError):
        said(Say(ZeroDivisionError()))


def test_a_study_that_is_not_there_is_said_with_what_to_do(db):
    with pytest.raises(CommandError, match="there is no study lamps: make it with create_study"):
        said(Carve(), "a stone", "--study", "lamps")


def test_a_person_who_is_not_there_is_said_with_what_to_do(study):
    with pytest.raises(CommandError, match="there is no user erin: make them with create_user"):
        said(Carve(), "a stone", "--study", study.slug, "--by", "erin")


def test_a_job_is_done_here_and_now_and_its_result_is_the_summary(study, work):
    assert json.loads(said(Carve(), "a stone", "--study", study.slug, "--json")) == {"n_carved": 3}
    assert carved() == [0, 1, 2]


def test_in_the_background_a_worker_is_woken_and_the_job_is_named(study, work, monkeypatch):
    woken = []
    monkeypatch.setattr(work_on, "delay", woken.append)

    summary = json.loads(said(Carve(), "a stone", "--study", study.slug, "--background", "--json"))

    job = study.jobs.get()
    assert summary == {"job": job.pk, "state": JobState.WAITING}
    assert woken == [job.pk]
    assert carved() == []


def test_a_broker_that_is_away_does_not_lose_the_job(study, work, monkeypatch):
    def refuse(job_id):
        raise OperationalError("connection refused")

    monkeypatch.setattr(work_on, "delay", refuse)
    out, err = StringIO(), StringIO()

    options = ("a stone", "--study", study.slug, "--background", "--json")
    call_command(Carve(), *options, stdout=out, stderr=err)

    assert json.loads(out.getvalue())["state"] == study.jobs.get().state == JobState.WAITING
    assert "the broker cannot be reached (connection refused); the job is kept" in err.getvalue()


def test_a_job_is_started_by_the_studys_creator_unless_told_otherwise(study, work, bob):
    said(Carve(), "a stone", "--study", study.slug)
    said(Carve(), "another stone", "--study", study.slug, "--by", "bob")

    assert {job.key: job.created_by.username for job in study.jobs.all()} == {
        "a stone": "alice",
        "another stone": "bob",
    }


def test_a_command_that_was_interrupted_goes_on_where_it_was_when_called_again(study, work):
    def interrupt(part, beat):
        if part == 1:
            raise KeyboardInterrupt

    work.during = interrupt
    with pytest.raises(KeyboardInterrupt):
        said(Carve(), "a stone", "--study", study.slug)
    work.during = lambda part, beat: None

    said(Carve(), "a stone", "--study", study.slug)

    assert work.computed == [0, 1, 1, 2]
    assert study.jobs.get().state == JobState.DONE


@pytest.mark.parametrize(
    ("find", "what"), [(commands.existing_file, "file"), (commands.existing_folder, "folder")]
)
def test_a_path_that_is_not_there_is_named(tmp_path, find, what):
    with pytest.raises(CommandError, match=f"there is no {what} .*nowhere"):
        find(str(tmp_path / "nowhere"))


def test_a_path_is_made_absolute_because_a_worker_stands_elsewhere(tmp_path, monkeypatch):
    (tmp_path / "runs").mkdir()
    (tmp_path / "run.json").touch()
    monkeypatch.chdir(tmp_path)

    assert commands.existing_file("run.json") == tmp_path / "run.json"
    assert commands.existing_folder("runs") == tmp_path / "runs"
