from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.actions.members import LastRequesterError
from accounts.commands import USER, AdministratorCommand
from exports.personal_data import actions


class Command(AdministratorCommand):
    help = "Erase a user permanently. Their judgements and decisions stay under the pseudonym."
    expected: ClassVar = (actions.ErasureError, LastRequesterError)
    named: ClassVar = (USER,)

    def act(self, **options: Any) -> Mapping[str, Any]:
        user = options["name"]
        erased = actions.erase(user=user, by=options["by"])
        user.refresh_from_db()
        return {"user": user.username, "erased": erased}
