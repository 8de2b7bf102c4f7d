from typing import Any

from axes.backends import AxesStandaloneBackend
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from accounts.models import User
from performance.compiled_queries import Compiled

# The backend of a session that was begun without the sign-in form: by a link, or by joining.
SESSION_BACKEND = "accounts.backends.RealPeopleBackend"

USER_BY_KEY = Compiled(lambda *, pk: User.objects.filter(pk=pk))


class ThrottledBackend(AxesStandaloneBackend):  # type: ignore[misc]  # it has no types
    """Stops guesses at passwords on the sign-in page. Calls without a request are not limited."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, **credentials: Any
    ) -> None:
        if request is not None:
            super().authenticate(request, username, **credentials)


class RealPeopleBackend(ModelBackend):
    """Sign-in of people. Simulated users, whom a rehearsal makes, cannot sign in."""

    def get_user(self, user_id: int) -> User | None:
        user = USER_BY_KEY.first(pk=user_id)
        return user if self.user_can_authenticate(user) else None

    def user_can_authenticate(self, user: User | AnonymousUser | None) -> bool:
        is_person = isinstance(user, User) and not user.is_simulated
        return is_person and super().user_can_authenticate(user)
