"""Execution of jobs: plan a job once, lease its chunks one by one, end it.

Any number of workers, in any number of processes, may run the same job at the same time. A chunk is
held by a lease that its worker keeps renewing; if the worker dies, the lease expires and any worker
may take the chunk. The results of a chunk are written in the transaction that marks it as done, and
only while its lease is still held, so they are written once.
"""

import contextlib
import logging
import os
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from contextvars import copy_context
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import (
    DatabaseError,
    InterfaceError,
    connection,
    transaction,
)
from django.db.models import F, Max
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now
from django.utils import timezone

from jobs import failures
from jobs.actions import jobs
from jobs.handlers import Beat, Handler, JobCancelledError, JobFailedError, handler_of
from jobs.models import UNFINISHED, Chunk, ChunkQuerySet, ChunkState, Job, JobState
from monitoring import log_context
from pages.database import DATABASE_ERRORS

logger = logging.getLogger(__name__)

# A chunk that was taken this often without being finished kills its workers (memory, say), and a
# database that failed this often in a row will fail again: the job ends with a message.
MOST_ATTEMPTS = 5


class LeaseLostError(Exception):
    """Another worker holds the chunk now; this one must not write its results."""


def run(job: Job) -> Job:
    """Work on the job until it has ended, waiting for chunks that other workers hold.

    Returns the job. Raises JobFailedError if it failed, here or elsewhere, JobCancelledError if it
    was cancelled.
    """
    while True:
        work(job)
        job.refresh_from_db()
        if job.state not in UNFINISHED:
            break
        time.sleep(min(1.0, settings.JOB_LEASE_SECONDS / 4))
    if job.state == JobState.CANCELLED:
        raise JobCancelledError(f"the job {job} was cancelled")
    if job.state == JobState.FAILED:
        raise JobFailedError(job.message)
    return job


def work(job: Job) -> int:
    """Do all chunks of the job that nobody holds; end the job after the last one.

    Returns the number of chunks done by this call. Errors of the work end the job and are raised.
    Errors in DATABASE_ERRORS are raised too, but the job stays unfinished until MOST_ATTEMPTS of
    them in a row end it (JobFailedError).
    """
    with log_context.job(job.pk):
        return _work(job)


def _work(job: Job) -> int:
    worker = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
    handler = handler_of(job)
    n_done = 0
    try:
        plan(job, handler)
        while chunk := next_chunk(job, handler, worker):
            n_done += do_chunk(job, handler, chunk)
    except JobCancelledError:
        logger.info("job %s was cancelled", job.pk)
    except JobFailedError as error:
        jobs.fail(job=job, message=str(error), errors=error.errors, n_errors=error.n_errors)
        raise
    except DATABASE_ERRORS as error:
        postpone(job, error)
        raise
    except Exception as error:
        jobs.fail(job=job, message=f"{failures.UNEXPECTED}{type(error).__name__}: {error}")
        raise
    finally:
        clear_if_ended(job, handler)
    return n_done


def release(job: Job) -> None:
    """Drop what this process keeps for the job's kind, such as a model."""
    handler_of(job).release()


def clear_if_ended(job: Job, handler: Handler) -> None:
    """If the job has ended, remove the rows that it wrote ahead and did not publish.

    The job may be resumed at this moment: the handler checks again under its lock.
    """
    try:
        if not Job.objects.unfinished().filter(pk=job.pk).exists():
            handler.clear(job)
    except (DatabaseError, InterfaceError) as error:
        logger.warning("what job %s left is cleared later: %s", job.pk, error)


def postpone(job: Job, error: Exception) -> None:
    """Leave the job unfinished for another worker.

    Fail it if the database failed too often in a row.
    """
    logger.warning("job %s is put off: the database failed (%s)", job.pk, error)
    try:
        Job.objects.filter(pk=job.pk).update(n_database_errors=F("n_database_errors") + 1)
        job.refresh_from_db()
        if job.n_database_errors >= MOST_ATTEMPTS:
            message = (
                f"the database failed {job.n_database_errors} times in a row, the last time with:"
                f" {error}; when it is mended, resume job {job.pk}"
            )
            jobs.fail(job=job, message=message)
            raise JobFailedError(message) from error
    except DATABASE_ERRORS as still:
        logger.warning("job %s stays as it is: the database still fails (%s)", job.pk, still)


def plan(job: Job, handler: Handler) -> None:
    job.refresh_from_db()
    if job.state != JobState.WAITING:
        return
    planned = handler.plan(job)
    with transaction.atomic():
        locked = Job.objects.select_for_update(no_key=True).get(pk=job.pk)
        if locked.state != JobState.WAITING:
            return  # another worker planned it, or it was cancelled
        Chunk.objects.bulk_create(
            Chunk(job=job, number=number, params=chunk.params, n_units=chunk.n_units)
            for number, chunk in enumerate(planned)
        )
        locked.state = JobState.RUNNING
        locked.save(update_fields=["state"])


def next_chunk(job: Job, handler: Handler, worker: str) -> Chunk | None:
    """Return the next chunk that nobody holds.

    If all are done, end the job or return its closing chunk.
    """
    chunk = lease(job, worker)
    if chunk is None and end_if_done(job, handler):
        chunk = lease(job, worker)
    return chunk


@transaction.atomic
def lease(job: Job, worker: str) -> Chunk | None:
    """Lease the next chunk that nobody holds; return None if there is none.

    Raises JobFailedError for a chunk whose workers died too often.
    """
    if not Job.objects.filter(pk=job.pk, state=JobState.RUNNING).exists():
        return None
    free = Chunk.objects.claimable().filter(job=job).order_by("number")
    chunk = free.select_for_update(skip_locked=True).first()
    if chunk is None:
        return None
    if chunk.n_attempts >= MOST_ATTEMPTS:
        raise JobFailedError(
            f"part {chunk.number} was begun {chunk.n_attempts} times and never finished:"
            " its workers die; look at their memory and their log"
        )
    Chunk.objects.filter(pk=chunk.pk).update(
        state=ChunkState.LEASED,
        worker=worker,
        n_attempts=F("n_attempts") + 1,
        leased_until=lease_end(),
    )
    chunk.refresh_from_db()
    return chunk


def needs_worker(job: Job) -> bool:
    """Return whether the job has work that no worker is doing."""
    if job.state == JobState.WAITING:
        return True
    chunks = job.chunks
    return chunks.claimable().exists() or not chunks.exclude(state=ChunkState.DONE).exists()


def lease_end() -> CombinedExpression:
    """Return when a lease of now ends, by the database's clock."""
    return Now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)


def do_chunk(job: Job, handler: Handler, chunk: Chunk) -> int:
    """Compute and write one chunk. Returns 1 if it was written, 0 if the lease was lost meanwhile.

    The transaction that writes the last chunk ends the job, so somebody who cancels finds it either
    unwritten or done. If ending is long work, it is a closing chunk, and the job ends after that.
    """

    def beat() -> None:
        if leased_chunk(chunk).filter(job__state=JobState.RUNNING).exists():
            return
        if Job.objects.filter(pk=job.pk, state=JobState.RUNNING).exists():
            raise LeaseLostError(str(chunk))
        raise JobCancelledError

    try:
        with heartbeat(chunk):
            computed = compute(job, handler, chunk, beat)
        # From here on the chunk's row is locked, and nobody takes it however long the writing lasts.
        with transaction.atomic():
            locked = mark_done(chunk)
            if chunk.is_closing:
                write_end(locked, handler, computed)
            else:
                chunk.result = handler.save(job, chunk.params, computed)
                chunk.save(update_fields=["result"])
                end_if_done(job, handler)
    except LeaseLostError:
        logger.warning("chunk %s is no longer ours; what was computed is dropped", chunk)
        return 0
    except BaseException as error:
        # Ctrl-C too: who starts again need not wait for the lease to lapse.
        if release_lease(chunk) or is_always_raised(error):
            raise
        # The job is others' work now, who may be the very cause: they clear what this one still wrote.
        logger.warning("chunk %s is no longer ours, and failed here", chunk, exc_info=True)
        return 0
    return 1


def compute(job: Job, handler: Handler, chunk: Chunk, beat: Beat) -> Any:
    if not chunk.is_closing:
        return handler.compute(job, chunk.params, beat)
    if handler.conclude is None:  # as where another version of the kind began the job
        raise JobFailedError("the job was begun by another version: cancel it and start it again")
    return handler.conclude(job, beat)


def is_always_raised(error: BaseException) -> bool:
    """Return whether the error is raised even if another worker holds the chunk.

    Such errors are not about the work itself.
    """
    return not isinstance(error, Exception) or isinstance(
        error, (JobCancelledError, *DATABASE_ERRORS)
    )


def release_lease(chunk: Chunk) -> bool:
    """Release a chunk that was not finished. It does not count as an attempt: the worker lives.

    Returns False if another worker has taken the chunk.
    """
    try:
        n_given = leased_chunk(chunk).update(
            state=ChunkState.WAITING, leased_until=None, n_attempts=F("n_attempts") - 1
        )
    except DATABASE_ERRORS as error:
        logger.warning("chunk %s is free when its lease has lapsed (%s)", chunk, error)
        return True
    return bool(n_given)


def mark_done(chunk: Chunk) -> Job:
    """Mark the chunk as done; lock its job and return it. Raises LeaseLostError."""
    running = Job.objects.filter(pk=chunk.job_id, state=JobState.RUNNING)
    # Locked, so that who cancels in this moment waits until the chunk is written; not its key: rows
    # that point at the job can be added meanwhile.
    job = running.select_for_update(no_key=True).first()
    if job is None:
        raise LeaseLostError(str(chunk))
    if job.n_database_errors:
        running.update(n_database_errors=0)
    # Not in one statement with the job: PostgreSQL, having waited for another worker's change to the
    # row, looks at the row again but not at what it was joined with, and would write it twice.
    if not leased_chunk(chunk).update(state=ChunkState.DONE, leased_until=None):
        raise LeaseLostError(str(chunk))
    return job


def leased_chunk(chunk: Chunk) -> ChunkQuerySet:
    """Return a queryset of the chunk, empty if its worker has lost the lease."""
    return Chunk.objects.filter(pk=chunk.pk, state=ChunkState.LEASED, worker=chunk.worker)


@contextlib.contextmanager
def heartbeat(chunk: Chunk) -> Iterator[None]:
    """Renew the lease from a thread while the body runs, so that a long step does not lose it."""
    stop = threading.Event()

    def beat() -> None:
        try:
            while not stop.wait(settings.JOB_LEASE_SECONDS / 4):
                renew(chunk)
        finally:
            connection.close()

    # What it logs belongs to the same job.
    thread = threading.Thread(target=copy_context().run, args=(beat,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def renew(chunk: Chunk) -> None:
    """Renew the lease. A database that is away or busy for a moment does not end the heartbeat."""
    try:
        leased_chunk(chunk).update(leased_until=lease_end())
    except (DatabaseError, InterfaceError):
        logger.warning("the lease of chunk %s could not be renewed now", chunk, exc_info=True)
        connection.close()


@transaction.atomic
def end_if_done(job: Job, handler: Handler) -> bool:
    """End the job if all of its chunks are done.

    If ending is long work, add one closing chunk for it instead, and return True.
    """
    locked = Job.objects.select_for_update(no_key=True).get(pk=job.pk)
    if locked.state != JobState.RUNNING:
        return False
    if locked.chunks.exclude(state=ChunkState.DONE).exists():
        return False
    if handler.conclude is None:
        write_end(locked, handler)
        return False
    last = locked.chunks.aggregate(number=Max("number"))["number"]
    number = 0 if last is None else last + 1
    Chunk.objects.create(job=locked, number=number, n_units=0, is_closing=True)
    return True


def write_end(job: Job, handler: Handler, *concluded: Any) -> None:
    """Save the result and the end of the job, which the caller's transaction has locked."""
    job.result = dict(handler.finish(job, *concluded))
    job.state = JobState.DONE
    job.finished_at = timezone.now()
    job.save(update_fields=["result", "state", "finished_at"])
