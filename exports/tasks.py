from celery import shared_task

from exports.writers import stored_folders


@shared_task
def clear_unfinished_releases() -> int:
    """Remove what processes that were killed left of releases."""
    return stored_folders.clear_unfinished()
