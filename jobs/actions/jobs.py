"""Actions on jobs: start, cancel, resume, end."""

from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from accounts import permissions
from accounts.models import Role, Study, User
from audit import events
from jobs.handlers import RowError
from jobs.models import UNFINISHED, Chunk, ChunkState, Job, JobError, JobState

# Of a job's errors so many are stored and listed; the others are counted.
MOST_ERRORS = 1_000


class JobStateError(Exception):
    """The action is not possible in the job's state."""


def job_of_study(*, study: Study, pk: int) -> Job:
    """Return the study's job with this primary key. Raises JobStateError if there is none."""
    job = study.jobs.filter(pk=pk).first()
    if job is None:
        raise JobStateError(f"the study {study.slug} has no job {pk}")
    return job


def start(*, study: Study, kind: str, key: str, params: dict[str, Any], by: User) -> Job:
    """Return the unfinished job of this kind and key, or a new one.

    Raises JobStateError if the unfinished job has other parameters.
    """
    permissions.require(by, study, Role.REQUESTER)
    try:
        with transaction.atomic():
            job = Job.objects.create(study=study, kind=kind, key=key, params=params, created_by=by)
            events.record(study=study, by=by, verb="started", target=job, job=job.pk)
            return job
    except IntegrityError:
        unfinished = Job.objects.unfinished().filter(study=study, kind=kind, key=key).first()
    if unfinished is None:
        raise JobStateError(f"the job {kind} {key} has ended in this moment: start it again")
    if unfinished.params != params:
        raise JobStateError(
            f"the job {unfinished.pk} ({unfinished}) is unfinished and was started with other"
            f" parameters: cancel it first"
        )
    return unfinished


def start_automatically(
    *, study: Study, kind: str, key: str, params: dict[str, Any], by: User
) -> Job | None:
    """Start a job that nobody asked for, on behalf of the requester `by`.

    Returns None if a job of this kind and key is unfinished. There is no event: the job computes
    anew what people decided, and those decisions have theirs.
    """
    permissions.require(by, study, Role.REQUESTER)
    if Job.objects.unfinished().filter(study=study, kind=kind, key=key).exists():
        return None
    try:
        with transaction.atomic():
            return Job.objects.create(
                study=study, kind=kind, key=key, params=params, created_by=by, is_automatic=True
            )
    except IntegrityError:
        return None


@transaction.atomic
def cancel(*, job: Job, by: User) -> None:
    """End the job now. Finished chunks stay; a running chunk notices at its next beat."""
    permissions.require(by, job.study, Role.REQUESTER)
    n_ended = (
        Job.objects.unfinished()
        .filter(pk=job.pk)
        .update(state=JobState.CANCELLED, finished_at=timezone.now())
    )
    if not n_ended:
        raise JobStateError(f"the job {job} is not running")
    job.refresh_from_db()
    events.record(study=job.study, by=by, verb="cancelled", target=job, job=job.pk)


@transaction.atomic
def resume(*, job: Job, by: User) -> None:
    """Continue a cancelled or failed job. Finished chunks are not repeated."""
    permissions.require(by, job.study, Role.REQUESTER)
    ended = [JobState.CANCELLED, JobState.FAILED]
    unfinished = Job.objects.unfinished().filter(study=job.study, kind=job.kind, key=job.key)
    other = unfinished.exclude(pk=job.pk).first()
    if other is not None:
        raise JobStateError(
            f"the job {job} cannot be resumed beside another job on the same thing, {other.pk}:"
            f" cancel that one first"
        )
    planned = job.chunks.exists()
    n_resumed = Job.objects.filter(pk=job.pk, state__in=ended).update(
        state=JobState.RUNNING if planned else JobState.WAITING,
        finished_at=None,
        message="",
        n_database_errors=0,
        n_errors=0,
    )
    if not n_resumed:
        raise JobStateError(f"the job {job} neither failed nor was cancelled")
    job.refresh_from_db()
    job.errors.all().delete()
    job.chunks.exclude(state=ChunkState.DONE).update(
        state=ChunkState.WAITING, leased_until=None, n_attempts=0
    )
    events.record(study=job.study, by=by, verb="resumed", target=job, job=job.pk)


@transaction.atomic
def fail(
    *, job: Job, message: str, errors: Sequence[RowError] = (), n_errors: int | None = None
) -> None:
    """End the job with a message and errors. Does nothing if the job has ended already."""
    n_ended = (
        Job.objects.unfinished()
        .filter(pk=job.pk)
        .update(state=JobState.FAILED, finished_at=timezone.now(), message=storable(message))
    )
    if n_ended:
        record_errors(job=job, errors=errors, n=n_errors)


def record_errors(*, job: Job, errors: Sequence[RowError], n: int | None = None) -> None:
    """Count errors of the job's input, and store the first MOST_ERRORS of the job.

    `n` says how many there are, where `errors` are only the first. The transaction that ends a chunk
    writes them, and on SQLite nobody else writes meanwhile: so there must not be many.
    """
    n_stored = job.errors.count()
    JobError.objects.bulk_create(
        JobError(
            job=job,
            number=number,
            file=storable(error.file)[:300],
            row=storable(error.row)[:100],
            field=storable(error.field)[:100],
            value=storable(error.value),
            message=storable(error.message),
        )
        for number, error in enumerate(errors[: MOST_ERRORS - n_stored], start=n_stored)
    )
    n_errors = len(errors) if n is None else n
    Job.objects.filter(pk=job.pk).update(n_errors=F("n_errors") + n_errors)


def storable(text: str) -> str:
    """Return the text with NUL and bytes that are not UTF-8 escaped: databases refuse them."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\x00")


def lock(job: Job) -> Job | None:
    """Return the job, locked until the end of the caller's transaction; None if it was deleted.

    Until then nobody can end or resume it or write a chunk of it.
    """
    return Job.objects.select_for_update(no_key=True).filter(pk=job.pk).first()


def lock_ended(job: Job) -> bool:
    """Lock the job, so that nobody resumes it, and return whether it has ended."""
    locked = lock(job)
    return locked is None or locked.state not in UNFINISHED


def progress(job: Job) -> tuple[int, int]:
    """Return the number of units done and of units planned."""
    chunks = Chunk.objects.filter(job=job).values_list("state", "n_units")
    units = list(chunks)
    return sum(n for state, n in units if state == ChunkState.DONE), sum(n for _, n in units)
