import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from accounts.commands import TouchstoneCommand
from exports.verification import one_file


class Command(TouchstoneCommand):
    help = (
        "Check that a release agrees with itself: files, tables, verdicts, accepted answers, "
        "numbers of the report, and that nobody is named."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "place",
            metavar="DIR",
            help="its folder, or a ZIP archive of it as a page or the API gives it",
        )
        parser.add_argument("--json", action="store_true", help="print all that is found as JSON")
        parser.add_argument(
            "--intervals",
            action="store_true",
            help="check the bootstrap intervals too, which takes longer",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        from exports.verification import program  # noqa: PLC0415  pandas and scipy

        outcome = program.verify(Path(options["place"]), with_intervals=options["intervals"])
        if options["json"]:
            found = program.as_json(outcome) | {"own_copy": one_file.state_of_copy(outcome.copy)}
            self.stdout.write(json.dumps(found, indent=1, sort_keys=True))
        else:
            for line in program.lines(outcome):
                self.stdout.write(line)
            self.stdout.write(
                f"The release's own verify.py: {one_file.state_of_copy(outcome.copy)}"
            )
        if not outcome.is_good:
            sys.exit(1)
