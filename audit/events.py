"""The audit record.

Called inside the transaction of the act, so that both are stored or neither is.
"""

from typing import Any, Protocol

from audit.models import Event


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
