import contextlib
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import USER, SummaryCommand
from exports.personal_data import actions


class Command(SummaryCommand):
    help = "Write all data stored about a user into a file, as on their account page."
    named: ClassVar = (USER,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a file that is not there yet")

    def act(self, **options: Any) -> Mapping[str, Any]:
        user, path = options["name"], Path(options["file"])
        try:
            with path.open("xb") as file, contextlib.ExitStack() as unless_written:
                unless_written.callback(path.unlink)
                actions.write(user=user, file=file)
                unless_written.pop_all()
        except FileExistsError as error:
            raise CommandError(f"there is a file {path} already") from error
        except OSError as error:
            raise CommandError(f"the file {path} cannot be written ({error.strerror})") from error
        return {"user": user.username, "file": str(path), "bytes": path.stat().st_size}
