from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.core.management import CommandError

from accounts import permissions
from accounts.commands import StudyCommand
from accounts.models import Role
from corpus import queries as corpus_queries
from corpus.commands import add_dataset, dataset_called


class Command(StudyCommand):
    help = "Write the files of a CLAP-NQ data set as they were imported, byte for byte."

    def add_options(self, parser: ArgumentParser) -> None:
        add_dataset(parser)
        parser.add_argument("--out", required=True, metavar="DIR", help="a folder; made if needed")

    def act(self, **options: Any) -> Mapping[str, Any]:
        permissions.require_reader(options["by"], options["study"], Role.REQUESTER)
        dataset = dataset_called(options["dataset"], options["study"])
        parts = corpus_queries.parts(dataset)
        if not parts:
            raise CommandError(
                f"the dataset {dataset} has the format {dataset.format}: only files of CLAP-NQ are"
                " written back; a release has the truth of others"
            )
        out = Path(options["out"])
        existing = [part for part in parts if (out / part).exists()]
        if existing:
            raise CommandError(f"{out / existing[0]} is there already: name another folder")
        out.mkdir(parents=True, exist_ok=True)
        return {
            "files": {
                part: _write(out / part, corpus_queries.lines(dataset, part)) for part in parts
            }
        }


def _write(path: Path, lines: Iterable[str]) -> int:
    """Write the lines; return their number."""
    with path.open("x", encoding="ascii", newline="") as file:
        return sum(bool(file.write(line)) for line in lines)
