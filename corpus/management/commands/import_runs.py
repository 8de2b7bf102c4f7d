from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from activity.commands import JobCommand, existing_folder
from corpus.commands import add_run_options, dataset_called, start_import


class Command(JobCommand):
    help = "Import every run of a folder: one .json file a run, named as the run."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="DIR")
        add_run_options(parser)

    def act(self, **options: Any) -> Mapping[str, Any]:
        dataset = dataset_called(options["dataset"], options["study"])
        files = sorted(existing_folder(options["folder"]).glob("*.json"))
        if not files:
            raise CommandError(f"there is no .json file in {options['folder']}")
        runs = []
        for path in files:
            job = start_import(
                dataset=dataset, path=path, name=path.stem, by=options["by"], options=options
            )
            runs.append(dict(self.run(job, background=options["background"])))
        return {"n_runs": len(runs), "runs": runs}
