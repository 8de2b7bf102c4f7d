"""Sessions in the database, as in Django, read by a query whose SQL is compiled once.

Each request begins with one. (SESSION_ENGINE names this module.)
"""

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from performance.compiled_queries import Compiled

SESSION_BY_KEY = Compiled(
    lambda *, key, now: Session.objects.filter(session_key=key, expire_date__gt=now)
)


class SessionStore(db.SessionStore):
    def _get_session_from_db(self) -> Any:
        session = SESSION_BY_KEY.first(key=self.session_key, now=timezone.now())
        if session is None:
            self._session_key = None
        return session
