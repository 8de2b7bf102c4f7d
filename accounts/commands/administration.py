"""Commands for which an administrator answers."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from accounts.commands.arguments import user_by_name
from accounts.commands.study import SummaryCommand
from accounts.models import User


class AdministratorCommand(SummaryCommand):
    """A command outside the studies. It acts as the administrator, or as the one that --by names."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--by", metavar="NAME", help="which administrator does it; default: the only one"
        )
        super().add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        by = options["by"]
        options["by"] = user_by_name(by) if by else only_administrator()
        super().handle(*args, **options)


def only_administrator() -> User:
    """Return the administrator. Raises CommandError if there is none, or more than one."""
    found = list(User.objects.filter(is_superuser=True, is_active=True).order_by("username"))
    if not found:
        raise CommandError("there is no administrator: make one with create_user --administrator")
    if len(found) > 1:
        names = ", ".join(user.username for user in found)
        raise CommandError(f"say by --by which administrator does it: {names}")
    return found[0]
