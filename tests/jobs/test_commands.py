"""What all commands share: the summary as text or JSON, and errors as sentences."""

import io
import json
from argparse import ArgumentTypeError
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from celery import exceptions as celery_exceptions
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import InterfaceError, OperationalError, ProgrammingError, transaction
from django.db.migrations.executor import MigrationExecutor

from accounts import commands
from accounts.actions import members
from accounts.commands import base
from accounts.models import Role, Study
from accounts.permissions import NotAllowedError
from jobs.actions import execution, jobs
from jobs.commands import JobCommand, StudyJobCommand
from jobs.handlers import JobFailedError
from jobs.models import JobState
from jobs.tasks import work_on
from tests.jobs.carving_job import KIND, carved_parts


class Carve(JobCommand):
    """A command that stands in for all that start a job."""

    def add_options(self, parser):
        parser.add_argument("stone")

    def act(self, **options):
        job = jobs.start(
            study=options["study"], kind=KIND, key=options["stone"], params={}, by=options["by"]
        )
        return self.run(job, background=options["background"])


class Say(commands.SummaryCommand):
    always_expected = StudyJobCommand.always_expected
    expected = (KeyError,)
    requires_system_checks = ()

    def __init__(self, outcome):
        super().__init__()
        self.outcome = outcome

    def add_options(self, parser):
        pass

    def act(self, **options):
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return self.outcome


def command_output(command, *args):
    out = StringIO()
    call_command(command, *args, stdout=out)
    return out.getvalue()


def test_a_summary_is_written_as_lines_that_people_read(db):
    assert command_output(Say({"n": 2, "counts": {"a": 1}})).splitlines() == [
        "n: 2",
        "counts:",
        "  a: 1",
    ]


def test_a_summary_as_json_keeps_every_letter(db):
    assert (
        command_output(Say({"b": "Zürich مرحبا", "a": 1}), "--json")
        == '{"a": 1, "b": "Zürich مرحبا"}\n'
    )


class Terminal(io.TextIOWrapper):
    """A standard output that shows ASCII only."""

    def __init__(self):
        super().__init__(io.BytesIO(), encoding="ascii")

    def shown(self):
        self.flush()
        return self.buffer.getvalue().decode("ascii")


def typed(outcome, *args):
    """The command as it is called in a shell; gives the exit code."""
    try:
        Say(outcome).run_from_argv(["manage.py", "say", *args])
    except SystemExit as end:
        return end.code
    return 0


def test_json_on_a_terminal_without_these_letters_is_the_same_json():
    with redirect_stdout(Terminal()) as terminal:
        assert typed({"b": "Zürich"}, "--json") == 0

    assert terminal.shown() == '{"b": "Z\\u00fcrich"}\n'


def test_text_on_a_terminal_without_these_letters_is_escaped():
    with redirect_stdout(Terminal()) as terminal:
        assert typed({"b": "Zürich"}) == 0

    assert terminal.shown() == "b: Z\\xfcrich\n"


def test_wrong_arguments_end_with_exit_code_1(capsys):
    assert typed({}, "--nonsense") == 1

    assert "unrecognized arguments: --nonsense" in capsys.readouterr().err


def test_help_ends_with_exit_code_0(capsys):
    assert typed({}, "--help") == 0


@pytest.mark.parametrize("outcome", [NotAllowedError("you may not"), OperationalError("is away")])
def test_what_goes_wrong_ends_with_exit_code_1_and_one_sentence(capsys, monkeypatch, outcome):
    monkeypatch.setattr(base, "require_migrated", lambda: None)

    assert typed(outcome) == 1

    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("CommandError: ")
    assert said.err.count("\n") == 1


def test_ctrl_c_ends_with_exit_code_130_and_without_a_traceback(capsys):
    assert typed(KeyboardInterrupt()) == 130

    assert capsys.readouterr().err == "interrupted\n"


def test_help_shows_defaults_and_hides_the_options_of_django(capsys):
    class Dig(Say):
        def add_options(self, parser):
            parser.add_argument("--depth", type=int, default=3, help="in metres")
            parser.add_argument("--tool", default="spade")
            parser.add_argument("--where", required=True, help="a place")
            parser.add_argument("--gently", action="store_true", help="slowly")
            parser.add_argument("--least", type=int, default=0)

    with pytest.raises(SystemExit):
        Dig({}).run_from_argv(["manage.py", "dig", "--help"])

    shown = " ".join(capsys.readouterr().out.split())
    assert "--depth DEPTH in metres; default: 3" in shown
    assert "--tool TOOL default: spade" in shown
    assert "--where WHERE required; a place" in shown
    assert "--gently slowly --least LEAST default: 0 --json print the summary as JSON" in shown
    for option in ("--verbosity", "--settings", "--traceback", "--no-color", "--skip-checks"):
        assert option not in shown


def test_the_options_of_django_still_work(db):
    assert command_output(Say({"n": 1}), "--verbosity", "0", "--no-color") == "n: 1\n"
    with pytest.raises(NotAllowedError):
        typed_with_a_traceback(NotAllowedError("you may not"))


def typed_with_a_traceback(error):
    try:
        typed(error, "--traceback")
    except CommandError as shown:
        raise shown.__cause__ from None


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
        command_output(Say(error))

    assert caught.value.returncode == 1
    assert str(caught.value).strip("'\"") == sentence


def test_a_defect_shows_itself(db):
    with pytest.raises(ZeroDivisionError):
        command_output(Say(ZeroDivisionError()))


@pytest.mark.parametrize(
    "error", [OperationalError("database is locked"), InterfaceError("closed")]
)
def test_a_database_that_is_busy_or_away_is_a_sentence(db, error):
    with pytest.raises(CommandError) as caught:
        command_output(Say(error))

    assert str(caught.value) == f"the database is busy or cannot be reached ({error})"


def test_a_defect_in_a_query_shows_itself(db):
    class Query(Say):
        def act(self, **options):
            with transaction.atomic():
                return Study.objects.extra(where=["no_such_column = 1"]).get()

    with pytest.raises((ProgrammingError, OperationalError), match="no_such_column"):
        command_output(Query({}))


@pytest.mark.parametrize("error", [OperationalError("no such table"), ProgrammingError("relation")])
def test_a_database_that_is_not_set_up_is_said_with_what_to_do(db, monkeypatch, error):
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda executor, targets: ["one"])

    with pytest.raises(CommandError, match=r"the database is of an earlier version"):
        command_output(Say(error))


@pytest.mark.parametrize("args", [("\udcff",), ("a stone", "--by", "\udcff")])
def test_bytes_that_are_no_text_are_refused_before_anything_is_looked_up(args):
    with pytest.raises(CommandError, match=r"^argument (stone|by): '\\udcff' is not UTF-8$"):
        command_output(Carve(), "--study", "lighthouses", *args)


def test_a_study_that_is_not_there_is_said_with_what_to_do(db):
    with pytest.raises(CommandError, match="there is no study lamps: make it with create_study"):
        command_output(Carve(), "a stone", "--study", "lamps")


def test_a_person_who_is_not_there_is_said_with_what_to_do(study):
    with pytest.raises(CommandError, match="there is no user erin: make them with create_user"):
        command_output(Carve(), "a stone", "--study", study.slug, "--by", "erin")


def test_a_job_is_done_here_and_now_and_its_result_is_the_summary(study, work):
    assert json.loads(command_output(Carve(), "a stone", "--study", study.slug, "--json")) == {
        "n_carved": 3
    }
    assert carved_parts() == [0, 1, 2]


def test_in_the_background_a_worker_is_woken_and_the_job_is_named(study, work, monkeypatch):
    woken = []
    monkeypatch.setattr(work_on, "delay", woken.append)

    summary = json.loads(
        command_output(Carve(), "a stone", "--study", study.slug, "--background", "--json")
    )

    job = study.jobs.get()
    assert summary == {"job": job.pk, "state": JobState.WAITING}
    assert woken == [job.pk]
    assert carved_parts() == []


def test_a_broker_that_is_away_does_not_lose_the_job(study, work, monkeypatch):
    def refuse(job_id):
        raise celery_exceptions.OperationalError("connection refused")

    monkeypatch.setattr(work_on, "delay", refuse)
    out, err = StringIO(), StringIO()

    options = ("a stone", "--study", study.slug, "--background", "--json")
    call_command(Carve(), *options, stdout=out, stderr=err)

    assert json.loads(out.getvalue())["state"] == study.jobs.get().state == JobState.WAITING
    assert "the broker cannot be reached (connection refused); the job is kept" in err.getvalue()


def test_a_job_is_started_by_the_studys_creator_unless_told_otherwise(study, work, bob, alice):
    members.add(study=study, user=bob, roles=[Role.REQUESTER], by=alice)

    command_output(Carve(), "a stone", "--study", study.slug)
    command_output(Carve(), "another stone", "--study", study.slug, "--by", "bob")

    assert {job.key: job.created_by.username for job in study.jobs.all()} == {
        "a stone": "alice",
        "another stone": "bob",
    }


def test_a_command_that_was_interrupted_goes_on_where_it_was_when_called_again(study, work):
    def interrupt(part, beat):
        if part == 1:
            raise KeyboardInterrupt

    work.during = interrupt
    with pytest.raises(CommandError) as interrupted:
        command_output(Carve(), "a stone", "--study", study.slug)
    work.during = lambda part, beat: None

    command_output(Carve(), "a stone", "--study", study.slug)

    assert work.computed == [0, 1, 1, 2]
    job = study.jobs.get()
    assert job.state == JobState.DONE
    assert interrupted.value.returncode == 130
    assert str(interrupted.value) == (
        f"interrupted; the job {job.pk} is kept: run the same command again to resume it where it stopped,"
        f" or end it with jobs --study lighthouses --cancel {job.pk}"
    )


def test_who_no_longer_waits_for_another_worker_is_told_that_the_job_is_kept(
    study, work, monkeypatch
):
    def give_up(seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(execution, "work", lambda job: 0)
    monkeypatch.setattr(execution.time, "sleep", give_up)

    with pytest.raises(CommandError, match=r"interrupted; the job .* is kept") as interrupted:
        command_output(Carve(), "a stone", "--study", study.slug)

    assert interrupted.value.returncode == 130


def test_a_database_that_is_busy_keeps_the_job_and_the_command_says_how_to_go_on(study, work):
    def fail(part, beat):
        raise OperationalError("database is locked")

    work.during = fail
    with pytest.raises(CommandError) as caught:
        command_output(Carve(), "a stone", "--study", study.slug)
    work.during = lambda part, beat: None

    job = study.jobs.get()
    assert job.state == JobState.RUNNING
    assert str(caught.value) == (
        "the database is busy or cannot be reached (database is locked); the job"
        f" {job.pk} is kept: run the same command again to resume it where it stopped"
    )
    command_output(Carve(), "a stone", "--study", study.slug)
    assert carved_parts() == [0, 1, 2]


@pytest.mark.parametrize(
    ("find", "what"), [(commands.existing_file, "file"), (commands.existing_folder, "folder")]
)
def test_a_path_that_is_not_there_is_named(tmp_path, find, what):
    with pytest.raises(CommandError, match=f"there is no {what} .*nowhere"):
        find(str(tmp_path / "nowhere"))


@pytest.mark.parametrize("find", [commands.existing_file, commands.existing_folder])
@pytest.mark.parametrize("name", ["", "x" * 300, "x\udcff", "x/" * 3000])
def test_a_path_that_cannot_be_one_is_a_sentence(find, name):
    with pytest.raises(CommandError, match=r"there is no|cannot be read"):
        find(name)


def test_a_file_whose_name_is_no_text_is_refused_because_no_job_could_keep_it(tmp_path):
    folder = tmp_path / "caf\udce9"
    try:
        folder.mkdir()
        (folder / "run.json").touch()
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")

    for find, path in [
        (commands.existing_file, folder / "run.json"),
        (commands.existing_folder, folder),
    ]:
        with pytest.raises(CommandError, match=r"caf\\udce9.*: the name is not UTF-8; rename it"):
            find(str(path))


def test_a_file_that_cannot_be_opened_is_said(tmp_path, monkeypatch):
    def refuse(path, mode):
        raise PermissionError(13, "Permission denied")

    (tmp_path / "run.json").touch()
    monkeypatch.setattr(Path, "open", refuse)

    with pytest.raises(CommandError, match=r"run.json cannot be read \(Permission denied\)"):
        commands.existing_file(str(tmp_path / "run.json"))


@pytest.mark.parametrize("text", ["0", "-1", "8", "seven", "1.5", "", "9" * 5000])
def test_a_number_out_of_its_range_is_refused(text):
    with pytest.raises(ArgumentTypeError, match=r"is not (between 1 and 7|a whole number)"):
        commands.whole_number(1, 7)(text)


@pytest.mark.parametrize("text", ["1", "7"])
def test_the_ends_of_a_range_belong_to_it(text):
    assert commands.whole_number(1, 7)(text) == int(text)


@pytest.mark.parametrize("text", ["-0.1", "1.1", "half", "", "nan", "inf"])
def test_a_share_out_of_its_range_is_refused(text):
    with pytest.raises(ArgumentTypeError, match=r"is not (between 0 and 1|a number)"):
        commands.number(0, 1)(text)


@pytest.mark.parametrize("text", ["0", "1", ".25"])
def test_a_share_may_be_all_or_nothing(text):
    assert commands.number(0, 1)(text) == float(text)


def test_a_path_is_made_absolute_because_a_worker_stands_elsewhere(tmp_path, monkeypatch):
    (tmp_path / "runs").mkdir()
    (tmp_path / "run.json").touch()
    monkeypatch.chdir(tmp_path)

    assert commands.existing_file("run.json") == tmp_path / "run.json"
    assert commands.existing_folder("runs") == tmp_path / "runs"
