from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import existing_folder
from corpus import names
from corpus.commands import DATASET, add_run_options, start_import
from jobs.commands import JobCommand
from jobs.handlers import JobFailedError

RUNS = (".json", ".jsonl")


class Command(JobCommand):
    help = "Import all runs of a folder: one .json or .jsonl file per run, with the run's name."
    named: ClassVar = (DATASET,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="DIR", help="the folder; its subfolders are ignored")
        add_run_options(parser)

    def act(self, **options: Any) -> Mapping[str, Any]:
        dataset = options["dataset"]
        inside = existing_folder(options["folder"]).iterdir()
        files = sorted(path for path in inside if path.suffix in RUNS)
        if not files:
            raise CommandError(f"there is no .json or .jsonl file in {options['folder']}")
        runs: list[dict[str, Any]] = []
        failed: dict[str, str] = {}
        for path in files:
            if flaw := names.flaw(path.stem):
                failed[ascii(path.name)] = f"a run's name {flaw}: rename the file"
                continue
            job = start_import(
                dataset=dataset, path=path, name=path.stem, by=options["by"], options=options
            )
            try:
                runs.append(dict(self.run(job, background=options["background"])))
            except JobFailedError as error:
                failed[path.name] = str(error)
        if failed:
            messages = "\n".join(f"{name}: {message}" for name, message in failed.items())
            raise CommandError(f"{_refused(len(runs), len(failed))}:\n{messages}")
        return {"n_runs": len(runs), "runs": runs}


def _refused(n_imported: int, n_refused: int) -> str:
    """Return how many runs were imported, and how many files were refused."""
    imported = {0: "no run was", 1: "1 run was"}.get(n_imported, f"{n_imported} runs were")
    refused = "this file was" if n_refused == 1 else f"these {n_refused} files were"
    return f"{imported} imported; {refused} refused, and nothing of {'it' if n_refused == 1 else 'them'} was imported"
