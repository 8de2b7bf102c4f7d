from celery import shared_task

from corpus import uploads
from corpus.actions import staged_imports


@shared_task
def clear_uploads() -> int:
    """Remove the uploads that nobody imported, and what was found wrong in files that are gone."""
    n_removed = uploads.clear()
    uploads.clear_problems()
    return n_removed


@shared_task
def clear_staged() -> int:
    """Remove the hidden rows of imports that were killed and not resumed."""
    return staged_imports.clear_ended()
