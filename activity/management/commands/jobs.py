from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from activity.actions import jobs
from activity.commands import StudyCommand
from activity.models import Job


class Command(StudyCommand):
    help = "List a study's jobs, newest first; cancel one, or go on with one that failed."

    def add_options(self, parser: ArgumentParser) -> None:
        act = parser.add_mutually_exclusive_group()
        act.add_argument("--cancel", type=int, metavar="ID")
        act.add_argument("--resume", type=int, metavar="ID")
        parser.add_argument("--most", type=int, default=20, help="how many to list")

    def act(self, **options: Any) -> Mapping[str, Any]:
        study, by = options["study"], options["by"]
        if options["cancel"] is not None:
            jobs.cancel(job=jobs.of(study=study, pk=options["cancel"]), by=by)
        if options["resume"] is not None:
            jobs.resume(job=jobs.of(study=study, pk=options["resume"]), by=by)
        return {"jobs": [described(job) for job in study.jobs.all()[: options["most"]]]}


def described(job: Job) -> dict[str, Any]:
    n_done, n_units = jobs.progress(job)
    row = {"id": job.pk, "kind": job.kind, "about": job.key, "state": job.state}
    row |= {"done": n_done, "of": n_units, "errors": job.errors.count()}
    return row | ({"message": job.message} if job.message else {})
