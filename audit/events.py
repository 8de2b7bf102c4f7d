"""The audit record.

Called inside the transaction of the act, so that both are stored or neither is.
"""

from typing import Any, Protocol

from audit.models import Event

# The details that name a user. Others are words of people, numbers and names of things.
NAMES_IN_DETAILS = ("annotator", "requester")


class _Study(Protocol):
    @property
    def slug(self) -> str: ...


class _User(Protocol):
    @property
    def username(self) -> str: ...


def record(*, study: _Study | None, by: _User, verb: str, target: object, **details: Any) -> Event:
    kind = type(target).__name__.lower()
    return Event.objects.create(
        study=study.slug if study else "",
        actor=by.username,
        verb=verb,
        target=f"{kind} {target}"[:200],
        details=details,
    )


def rename(before: str, after: str) -> None:
    """Give the user another name in every event. Nothing else of the events changes."""
    Event.objects.filter(actor=before).update(actor=after)
    Event.objects.filter(target=f"user {before}").update(target=f"user {after}")
    for detail in NAMES_IN_DETAILS:
        for event in Event.objects.filter(**{f"details__{detail}": before}):
            event.details[detail] = after
            event.save(update_fields=["details"])
