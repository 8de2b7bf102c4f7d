"""What all commands share: who acts, in which study, how the outcome and what went wrong is said."""

import json
import sys
from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from celery.exceptions import OperationalError
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from accounts.actions.people import NameTakenError
from accounts.models import Study, User
from accounts.permissions import NotAllowedError
from activity.actions import running
from activity.actions.jobs import JobStateError
from activity.handlers import JobCancelledError, JobFailedError, in_words
from activity.models import Job
from activity.tasks import work_on

# What any act may raise besides its own errors.
EXPECTED = (NotAllowedError, NameTakenError, JobStateError, JobFailedError, JobCancelledError)


class SummaryCommand(BaseCommand, ABC):
    """A command that does one act and prints a summary of it.

    `act(**options)` gives the summary; the exceptions named in `expected` are what can go wrong and are
    printed as a sentence, with exit code 1. Anything else is a defect and shows its traceback.
    """

    expected: ClassVar[tuple[type[Exception], ...]] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_options(parser)
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    @abstractmethod
    def add_options(self, parser: ArgumentParser) -> None: ...

    @abstractmethod
    def act(self, **options: Any) -> Mapping[str, Any]: ...

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except DatabaseError as error:
            require_migrated(error)
            raise

    def handle(self, *args: Any, **options: Any) -> None:
        expected: tuple[type[Exception], ...] = (*EXPECTED, *self.expected)
        try:
            summary = self.act(**options)
        except expected as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError(in_words(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(summary, ensure_ascii=False, sort_keys=True))
        else:
            self.stdout.write("\n".join(lines(summary)))


def lines(summary: Mapping[str, Any], indent: str = "") -> list[str]:
    """A summary as text, one thing a line."""
    written: list[str] = []
    for key, value in summary.items():
        if isinstance(value, Mapping):
            written += [f"{indent}{key}:", *lines(value, indent + "  ")]
        elif isinstance(value, list | tuple):
            written.append(f"{indent}{key}: {len(value)}")
            written += [f"{indent}  {_line(each)}" for each in value]
        else:
            written.append(f"{indent}{key}: {value}")
    return written


def _line(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {each}" for key, each in value.items())
    return str(value)


def require_migrated(error: DatabaseError) -> None:
    """Say that the database is not set up, if that is why it failed. Raises CommandError."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CommandError("the database is not set up: run manage.py migrate") from error


class StudyCommand(SummaryCommand):
    """A command within a study. Who acts is the study's creator unless --by names another person."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--study", required=True, metavar="SLUG", help="the study's slug")
        parser.add_argument(
            "--by", metavar="NAME", help="who does it; default: the study's creator"
        )
        super().add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        options["study"] = study_called(options["study"])
        by = options["by"]
        options["by"] = person_called(by) if by else options["study"].created_by
        super().handle(*args, **options)


class JobCommand(StudyCommand):
    """A command that starts a job: done here and now, or with --background by a worker."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--background", action="store_true", help="leave the work to a worker and return"
        )

    def run(self, job: Job, *, background: bool) -> Mapping[str, Any]:
        if background:
            try:
                work_on.delay(job.pk)
            except OperationalError as error:
                self.stderr.write(
                    f"the broker cannot be reached ({error}); the job is kept, and a worker takes"
                    " it as soon as the broker is there again"
                )
            return {"job": job.pk, "state": job.state}
        result: dict[str, Any] = running.run(job).result
        return result


def study_called(slug: str) -> Study:
    study = Study.objects.select_related("created_by").filter(slug=slug).first()
    if study is None:
        raise CommandError(f"there is no study {slug}: make it with create_study")
    return study


def person_called(name: str) -> User:
    user = User.objects.filter(username=name).first()
    if user is None:
        raise CommandError(f"there is no user {name}: make them with create_user")
    return user


def existing_file(name: str) -> Path:
    """An argument that names a file to read."""
    path = Path(name)
    if not path.is_file():
        raise CommandError(f"there is no file {name}")
    return path.resolve()


def existing_folder(name: str) -> Path:
    path = Path(name)
    if not path.is_dir():
        raise CommandError(f"there is no folder {name}")
    return path.resolve()


def password_from_stdin() -> str:
    password = sys.stdin.readline().rstrip("\n")
    if not password:
        raise CommandError("--password-stdin: there is no password on standard input")
    return password
