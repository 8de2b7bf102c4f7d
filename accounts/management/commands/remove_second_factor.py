from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.actions import second_factors
from accounts.actions.second_factors import SecondFactorError
from accounts.commands import SummaryCommand, user_by_name


class Command(SummaryCommand):
    help = (
        "Remove the second factor of a user who has lost it: they sign in with the password alone."
    )
    expected: ClassVar[tuple[type[Exception], ...]] = (SecondFactorError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the user's name")

    def act(self, **options: Any) -> Mapping[str, Any]:
        user = user_by_name(options["name"])
        second_factors.remove_by_command(user=user)
        return {"user": user.username, "has_second_factor": False}
