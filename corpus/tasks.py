from celery import shared_task

from corpus import uploads


@shared_task
def clear_uploads() -> int:
    """Remove the uploads that nobody imported."""
    return uploads.clear()
