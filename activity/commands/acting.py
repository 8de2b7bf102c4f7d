"""Commands that do one act and print a summary of it; in a study; as a job."""

import codecs
import json
import sys
from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from accounts.actions.people import NameTakenError
from accounts.permissions import NotAllowedError
from activity.actions import running
from activity.actions.jobs import JobStateError
from activity.commands import summaries
from activity.commands.arguments import person_called, study_called
from activity.commands.base import INTERRUPTED, TouchstoneCommand, database_fails
from activity.handlers import JobCancelledError, JobFailedError, in_words
from activity.models import Job
from activity.tasks import BROKER_FAILS, work_on

# What any act may raise besides its own errors.
EXPECTED = (NotAllowedError, NameTakenError, JobStateError, JobFailedError, JobCancelledError)


class SummaryCommand(TouchstoneCommand, ABC):
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

    def lines(self, summary: Mapping[str, Any]) -> Iterable[str]:
        """The summary as people read it."""
        return summaries.lines(summary)

    def handle(self, *args: Any, **options: Any) -> None:
        expected: tuple[type[Exception], ...] = (*EXPECTED, *self.expected)
        try:
            summary = self.act(**options)
        except expected as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError(in_words(error)) from error
        if options["json"]:
            every_letter = codecs.lookup(sys.stdout.encoding or "utf-8").name == "utf-8"
            self.stdout.write(json.dumps(summary, ensure_ascii=not every_letter, sort_keys=True))
        else:
            self.stdout.write("\n".join(self.lines(summary)))


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
            return self.leave(job)
        kept = f"the job {job.pk} is kept: run the same command again to go on where it was"
        try:
            result: dict[str, Any] = running.run(job).result
        except running.DATABASE_FAILS as error:
            raise CommandError(f"{database_fails(error)}; {kept}") from error
        except KeyboardInterrupt as interrupt:
            end = f"or end it with jobs --study {job.study.slug} --cancel {job.pk}"
            raise CommandError(f"interrupted; {kept}, {end}", returncode=INTERRUPTED) from interrupt
        return result

    def leave(self, job: Job) -> Mapping[str, Any]:
        try:
            work_on.delay(job.pk)
        except BROKER_FAILS as error:
            self.stderr.write(
                f"the broker cannot be reached ({error}); the job is kept, and a worker takes"
                " it as soon as the broker is there again"
            )
        return {"job": job.pk, "state": job.state}
