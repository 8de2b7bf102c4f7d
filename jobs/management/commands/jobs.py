from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.timesince import timesince

from accounts.commands import whole_number
from accounts.commands.summaries import table
from jobs.actions import jobs
from jobs.commands import StudyJobCommand
from jobs.models import Job

N_PROBLEMS = 5
HEADER = ("id", "job", "state", "done", "started")


class Command(StudyJobCommand):
    help = "List the jobs of a study, newest first; cancel or resume one."

    def add_options(self, parser: ArgumentParser) -> None:
        act = parser.add_mutually_exclusive_group()
        number = whole_number(1, 2**63 - 1)
        act.add_argument("--cancel", type=number, metavar="ID", help="cancel this job")
        act.add_argument("--resume", type=number, metavar="ID", help="resume this job")
        parser.add_argument(
            "--most", type=whole_number(1, 10_000), default=20, help="maximum of jobs listed"
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        study, by = options["study"], options["by"]
        if options["cancel"] is not None:
            jobs.cancel(job=jobs.job_of_study(study=study, pk=options["cancel"]), by=by)
        if options["resume"] is not None:
            jobs.resume(job=jobs.job_of_study(study=study, pk=options["resume"]), by=by)
        return {"jobs": [described(job) for job in study.jobs.all()[: options["most"]]]}

    def lines(self, summary: Mapping[str, Any]) -> Iterable[str]:
        if not summary["jobs"]:
            return ["no jobs"]
        rows = [HEADER, *(row(job) for job in summary["jobs"])]
        first, *others = table(rows)
        lines = [first]
        for line, job in zip(others, summary["jobs"], strict=True):
            lines += [line, *(f"    {text}" for text in error_lines(job))]
        return lines


def described(job: Job) -> dict[str, Any]:
    n_done, n_units = jobs.progress(job)
    errors = [str(error) for error in job.errors.all()]
    row: dict[str, Any] = {"id": job.pk, "kind": job.kind, "about": job.key, "state": job.state}
    row |= {"done": n_done, "of": n_units, "errors": job.n_errors, "problems": errors}
    row["started"] = job.created_at.isoformat()
    return row | ({"message": job.message} if job.message else {})


def row(job: Mapping[str, Any]) -> tuple[str, ...]:
    progress = f"{job['done']} of {job['of']}" if job["of"] else "not planned"
    started = ago(datetime.fromisoformat(job["started"]))
    return str(job["id"]), f"{job['kind']} {job['about']}", job["state"], progress, started


def ago(at: datetime) -> str:
    """Return how long ago it was, in the largest unit: 3 minutes ago."""
    if timezone.now() - at < timedelta(minutes=1):
        return "just now"
    return f"{timesince(at, depth=1)} ago".replace("\xa0", " ")


def error_lines(job: Mapping[str, Any]) -> Iterator[str]:
    """Yield the message that ended a job, and the first of its problems."""
    message = job.get("message", "").split("\n")
    if not job["problems"]:
        yield from filter(None, message)
        return
    yield from filter(None, message[:1])
    yield from (f"  {problem}" for problem in job["problems"][:N_PROBLEMS])
    n_more = len(job["problems"]) - N_PROBLEMS
    if n_more > 0:
        yield f"  and {n_more} more: --json lists all"
