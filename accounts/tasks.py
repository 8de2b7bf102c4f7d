from celery import shared_task

from accounts.actions import sessions, sign_ins, throttle


@shared_task
def clear_expired() -> int:
    """Remove sessions that have ended, wrong passwords that no longer count, and old sign-ins."""
    return sessions.clear_expired() + throttle.clear_expired() + sign_ins.clear_old()
