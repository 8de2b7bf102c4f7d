from celery import shared_task

from exports.current_figures import actions as current_figures
from exports.writers import stored_folders
from jobs.tasks import work_on
from pages.database import DATABASE_ERRORS


@shared_task
def clear_unfinished_releases() -> int:
    """Remove what processes that were killed left of releases."""
    return stored_folders.clear_unfinished()


@shared_task
def keep_figures_current() -> int:
    """Compute anew the figures on closed batches that are out of date."""
    try:
        started = current_figures.keep_current()
    except DATABASE_ERRORS:
        return 0  # said in the log; the next look finds the same
    for job in started:
        work_on.delay(job.pk)
    return len(started)
