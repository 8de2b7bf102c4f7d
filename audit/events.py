"""The audit record.

Called inside the transaction of the act, so that both are stored or neither is.
"""

from typing import Any, Protocol

from audit.models import Event

# The details that name a user. Others are words of people, numbers and names of things.
NAMES_IN_DETAILS = ("annotator", "requester", "taker")


class _Study(Protocol):
    @property
    def slug(self) -> str: ...


class _User(Protocol):
    @property
    def username(self) -> str: ...


def record(
    *, study: _Study | None, by: _User | None, verb: str, target: object, **details: Any
) -> Event:
    """Store the event. `by` is None if nobody knows who it was, `target` if it was nothing of ours."""
    return Event.objects.create(
        study=study.slug if study else "",
        actor=by.username if by else "",
        verb=verb,
        target=target_text(target) if target else "",
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


def target_text(target: object) -> str:
    # Of a lazy object, as request.user is one, the class is that of what it stands for, and the type is not.
    return f"{target.__class__.__name__.lower()} {target}"[:200]
