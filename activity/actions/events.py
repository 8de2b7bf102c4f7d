"""The audit record. Called inside the transaction of the act itself: both stand or neither does."""

from typing import Any

from accounts.models import Study, User
from activity.models import Event


def record(*, study: Study | None, by: User, verb: str, target: object, **details: Any) -> Event:
    kind = type(target).__name__.lower()
    return Event.objects.create(
        study=study.slug if study else "",
        actor=by.username,
        verb=verb,
        target=f"{kind} {target}"[:200],
        details=details,
    )
