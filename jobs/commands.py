"""Commands that start a job."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import StudyCommand
from accounts.commands.base import INTERRUPTED
from jobs.actions import execution
from jobs.actions.jobs import JobStateError
from jobs.handlers import JobCancelledError, JobFailedError
from jobs.models import Job
from jobs.tasks import BROKER_ERRORS, work_on
from pages.database import DATABASE_ERRORS, database_error_message


class StudyJobCommand(StudyCommand):
    """A command that runs a job. Errors of the job are expected."""

    always_expected: ClassVar[tuple[type[Exception], ...]] = (
        *StudyCommand.always_expected,
        JobStateError,
        JobFailedError,
        JobCancelledError,
    )


class JobCommand(StudyJobCommand):
    """A command that starts a job and runs it, or with --background leaves it to a worker."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--background", action="store_true", help="leave the work to a worker and return"
        )

    def run(self, job: Job, *, background: bool) -> Mapping[str, Any]:
        if background:
            return self.hand_to_worker(job)
        kept = f"the job {job.pk} is kept: run the same command again to resume it where it stopped"
        try:
            result: dict[str, Any] = execution.run(job).result
        except DATABASE_ERRORS as error:
            raise CommandError(f"{database_error_message(error)}; {kept}") from error
        except KeyboardInterrupt as interrupt:
            end = f"or end it with jobs --study {job.study.slug} --cancel {job.pk}"
            raise CommandError(f"interrupted; {kept}, {end}", returncode=INTERRUPTED) from interrupt
        return result

    def hand_to_worker(self, job: Job) -> Mapping[str, Any]:
        try:
            work_on.delay(job.pk)
        except BROKER_ERRORS as error:
            self.stderr.write(
                f"the broker cannot be reached ({error}); the job is kept, and a worker takes"
                " it as soon as the broker is there again"
            )
        return {"job": job.pk, "state": job.state}
