from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import existing_file
from corpus.commands import DATASET, add_run_options, plain, start_import
from jobs.commands import JobCommand


class Command(JobCommand):
    help = "Import a system's answers to a data set."
    named: ClassVar = (DATASET,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", metavar="RUN.json", help="the answers (docs/formats.md)")
        parser.add_argument("--name", required=True, type=plain, help="what to call the run")
        parser.add_argument(
            "--system", type=plain, help="what gave the answers; default: not specified"
        )
        add_run_options(parser)

    def act(self, **options: Any) -> Mapping[str, Any]:
        job = start_import(
            dataset=options["dataset"],
            path=existing_file(options["run"]),
            name=options["name"],
            by=options["by"],
            options=options,
        )
        return self.run(job, background=options["background"])
