from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts import permissions
from accounts.commands import StudyCommand, existing_file
from accounts.models import Role, User
from corpus.actions import run_descriptions, run_tables
from corpus.actions.run_descriptions import DescriptionError, RunsAtWorkError
from corpus.commands import DATASET
from corpus.models import Dataset
from corpus.problems import ImportProblems
from pages import spreadsheet


class Command(StudyCommand):
    help = "Change names and descriptions of runs by a table, or write the table as it is now."
    expected = (DescriptionError, RunsAtWorkError)
    named: ClassVar = (DATASET,)

    def add_options(self, parser: ArgumentParser) -> None:
        way = parser.add_mutually_exclusive_group(required=True)
        way.add_argument(
            "--from",
            dest="table",
            metavar="TABLE.csv",
            help="the changed table; runs and columns that are left out do not change",
        )
        way.add_argument("--to", metavar="TABLE.csv", help="a file that is not there yet")
        parser.add_argument(
            "--check",
            action="store_true",
            help="with --from: change nothing, and print what would change",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        dataset = options["dataset"]
        permissions.require(options["by"], options["study"], Role.REQUESTER)
        if options["to"]:
            return _write(dataset, Path(options["to"]))
        path = existing_file(options["table"])
        return _change(dataset, path, by=options["by"], is_check=options["check"])


def _write(dataset: Dataset, path: Path) -> Mapping[str, Any]:
    lines = list(spreadsheet.lines(run_tables.COLUMNS, run_tables.rows(dataset)))
    try:
        with path.open("x", encoding="utf-8", newline="") as file:
            file.writelines(lines)
    except OSError as error:
        raise CommandError(f"{path} cannot be written ({error.strerror})") from error
    return {"table": str(path), "n_runs": len(lines) - 1}


def _change(dataset: Dataset, path: Path, *, by: User, is_check: bool) -> Mapping[str, Any]:
    try:
        table = run_tables.read(path, dataset)
    except ImportProblems as problems:
        raise CommandError(f"nothing was changed:\n{problems}") from problems
    changes = table.changes
    if not is_check:
        changes = run_descriptions.describe(dataset=dataset, wanted=table.wanted, by=by)
    return {
        "is_check": is_check,
        "n_changed": len(changes),
        "runs": {each.run.name: {"before": each.before, "after": each.after} for each in changes},
    }
