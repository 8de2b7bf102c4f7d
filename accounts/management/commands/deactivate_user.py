from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.actions import users
from accounts.commands import AdministratorCommand, user_by_name


class Command(AdministratorCommand):
    help = "Deactivate a user: sessions, API tokens and links end. Their work is kept."
    expected: ClassVar = (users.AccessError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the user's name")

    def act(self, **options: Any) -> Mapping[str, Any]:
        user = user_by_name(options["name"])
        users.deactivate(user=user, by=options["by"])
        return {"user": user.username, "can_sign_in": False}
