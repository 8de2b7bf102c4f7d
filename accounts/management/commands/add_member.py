from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.actions import members
from accounts.commands import USER, StudyCommand
from accounts.models import Role
from accounts.permissions import roles


class Command(StudyCommand):
    help = "Give a user further roles in a study."
    named: ClassVar = (USER,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--role",
            action="append",
            required=True,
            choices=Role.values,
            help="repeatable",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        user, study = options["name"], options["study"]
        wanted = [Role(role) for role in options["role"]]
        membership = members.add_member(study=study, user=user, roles=wanted, by=options["by"])
        held = sorted(role.value for role in roles(user, study))
        return {"user": user.username, "pseudonym": membership.pseudonym, "roles": held}
