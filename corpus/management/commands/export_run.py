from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts import permissions
from accounts.commands import StudyCommand
from accounts.models import Role
from corpus import run_file_queries
from corpus.commands import DATASET, plain, run_called
from corpus.models import RunKind


class Command(StudyCommand):
    help = "Write a run as a file that can be imported again, from its stored answers."
    named: ClassVar = (DATASET,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", type=plain, metavar="RUN", help="the run's name")
        parser.add_argument(
            "--out", required=True, metavar="FILE", help="a file that is not there yet"
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        permissions.require(options["by"], options["study"], Role.REQUESTER)
        run = run_called(options["run"], options["dataset"])
        if run.kind == RunKind.REFERENCE:
            raise CommandError(f"{run} are references: they belong to the data set")
        format = run_file_queries.format_of(run)
        try:
            with Path(options["out"]).open("x", encoding="utf-8", newline="") as file:
                file.writelines(format.write(run_file_queries.records(run)))
        except OSError as error:
            raise CommandError(f"{options['out']} cannot be written ({error.strerror})") from error
        return {"file": options["out"], "n_answers": run.n_answers}
