"""Context managers that switch each device of performance/ off, so that Django works as usual."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest import mock

from django.contrib.sessions.models import Session
from django.utils import timezone

from performance import one_at_a_time, sessions
from performance.compiled_queries import Compiled


@contextmanager
def compiled_queries() -> Iterator[None]:
    """Build and compile each queryset anew."""

    def rows(self: Any, *fixed: object, **values: object) -> list[Any]:
        return list(self._build(*fixed, **values))

    def update(self: Any, changed: Mapping[str, object], *fixed: object, **values: object) -> int:
        return int(self._build(*fixed, **values).update(**changed))

    with mock.patch.multiple(Compiled, all=rows, update=update):
        yield


@contextmanager
def compiled_sessions() -> Iterator[None]:
    def plain(self: Any) -> Any:
        key, now = sessions.stored_key(self.session_key), timezone.now()
        return Session.objects.filter(session_key=key, expire_date__gt=now).first()

    with mock.patch.object(sessions.SessionStore, "_get_session_from_db", plain):
        yield


@contextmanager
def turns() -> Iterator[None]:
    with mock.patch.object(one_at_a_time, "has_one_writer", return_value=False):
        yield
