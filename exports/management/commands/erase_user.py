from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.actions.members import LastRequesterError
from accounts.commands import AdministratorCommand, user_by_name
from exports.personal_data import actions


class Command(AdministratorCommand):
    help = "Erase a user permanently. Their judgements and decisions stay under the pseudonym."
    expected: ClassVar = (actions.ErasureError, LastRequesterError)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the user's name")

    def act(self, **options: Any) -> Mapping[str, Any]:
        user = user_by_name(options["name"])
        erased = actions.erase(user=user, by=options["by"])
        user.refresh_from_db()
        return {"user": user.username, "erased": erased}
