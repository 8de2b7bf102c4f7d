from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.actions import users
from accounts.commands import USER, AdministratorCommand


class Command(AdministratorCommand):
    help = "Deactivate a user: sessions, API tokens and links end. Their work is kept."
    expected: ClassVar = (users.AccessError,)
    named: ClassVar = (USER,)

    def act(self, **options: Any) -> Mapping[str, Any]:
        user = options["name"]
        users.deactivate(user=user, by=options["by"])
        return {"user": user.username, "can_sign_in": False}
