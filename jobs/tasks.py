"""Celery tasks of jobs: they load the job by its key, call the action and return a number."""

from celery import shared_task
from celery.exceptions import OperationalError
from kombu.exceptions import ChannelError

from jobs.actions import execution, liveness
from jobs.handlers import JobFailedError
from jobs.models import Job
from pages.database import DATABASE_ERRORS

# What a broker raises that is away; the one on the file system, where its folder cannot be written.
BROKER_ERRORS = (OperationalError, ChannelError, OSError)


@shared_task
def work_on(job_id: int) -> int:
    try:
        job = Job.objects.get(pk=job_id)
        try:
            return execution.work(job)
        finally:
            # A worker lives for days, and its next job may be of another kind.
            execution.release(job)
    except JobFailedError:
        return 0  # said in the Job row, where people look for it
    except DATABASE_ERRORS:
        return 0  # said in the log; the job stays, and the next wake-up sends a worker to it


@shared_task
def wake() -> int:
    """Send a worker to every job with work that nobody does: new, or left by a worker that died."""
    liveness.record_beat()
    liveness.CLOCK.look(liveness.clock_difference())
    jobs = [job.pk for job in Job.objects.unfinished() if execution.needs_worker(job)]
    for job_id in jobs:
        work_on.delay(job_id)
    return len(jobs)
