from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.actions import second_factors
from accounts.actions.second_factors import SecondFactorError
from accounts.commands import USER, SummaryCommand


class Command(SummaryCommand):
    help = (
        "Remove the second factor of a user who has lost it: they sign in with the password alone."
    )
    expected: ClassVar[tuple[type[Exception], ...]] = (SecondFactorError,)
    named: ClassVar = (USER,)

    def act(self, **options: Any) -> Mapping[str, Any]:
        user = options["name"]
        second_factors.remove_by_command(user=user)
        return {"user": user.username, "has_second_factor": False}
