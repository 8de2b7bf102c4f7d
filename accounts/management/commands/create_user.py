from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.password_validation import validate_password

from accounts.actions import users
from accounts.commands import SummaryCommand, password_from_stdin
from accounts.models import User


class Command(SummaryCommand):
    help = "Create a user. Without a password they cannot sign in until one is set."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="what they sign in with")
        parser.add_argument(
            "--password-stdin", action="store_true", help="read the password from standard input"
        )
        parser.add_argument(
            "--administrator", action="store_true", help="one who makes users and studies"
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        password = password_from_stdin() if options["password_stdin"] else None
        if password is not None:
            validate_password(password, User(username=options["name"]))
        user = users.create_user(
            name=options["name"], password=password, is_administrator=options["administrator"]
        )
        summary = {"user": user.username, "has_password": password is not None}
        return summary | ({"administrator": True} if user.is_superuser else {})
