from celery import shared_task

from accounts.actions import sessions, throttle


@shared_task
def clear_expired() -> int:
    """Remove sessions that have ended and wrong passwords that no longer count, with their addresses."""
    return sessions.clear_expired() + throttle.clear_expired()
