from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser

from accounts.models import User


class RealPeopleBackend(ModelBackend):
    """Sign-in for people. Simulated ones, made by a rehearsal, never get in."""

    def user_can_authenticate(self, user: User | AnonymousUser | None) -> bool:
        is_person = isinstance(user, User) and not user.is_simulated
        return is_person and super().user_can_authenticate(user)
