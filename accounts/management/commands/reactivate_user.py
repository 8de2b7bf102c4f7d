from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.actions import users
from accounts.commands import USER, AdministratorCommand


class Command(AdministratorCommand):
    help = "Let a deactivated user sign in again, with the same password."
    expected: ClassVar = (users.AccessError,)
    named: ClassVar = (USER,)

    def act(self, **options: Any) -> Mapping[str, Any]:
        user = options["name"]
        users.reactivate(user=user, by=options["by"])
        return {"user": user.username, "can_sign_in": user.has_usable_password()}
