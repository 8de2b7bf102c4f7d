"""Sessions in the database, under a hash of their key, read by a query whose SQL is compiled once.

The key itself is in the person's cookie only: who has a copy of the database is signed in as nobody.
Each request begins with that query. (SESSION_ENGINE names this module.)
"""

import hashlib
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from performance.compiled_queries import Compiled

SESSION_BY_KEY = Compiled(
    lambda *, key, now: Session.objects.filter(session_key=key, expire_date__gt=now)
)


def stored_key(key: str) -> str:
    """Return what is stored instead of the key: as much of its SHA-256 as the column holds, 160 bits."""
    return hashlib.sha256(key.encode("utf-8")).hexdigest()[:40]


class SessionStore(db.SessionStore):
    """Nothing here is asynchronous: Django's methods for that are not overridden and not used."""

    def _get_session_from_db(self) -> Any:
        key = stored_key(self.session_key or "")
        session = SESSION_BY_KEY.first(key=key, now=timezone.now())
        if session is None:
            self._session_key = None
        return session

    def exists(self, session_key: str) -> bool:
        return bool(super().exists(stored_key(session_key)))

    def create_model_instance(self, data: Any) -> Any:
        instance = super().create_model_instance(data)
        instance.session_key = stored_key(instance.session_key)
        return instance

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        if key is not None:
            super().delete(stored_key(key))
