from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from django.core.management import CommandError

from accounts import permissions
from accounts.commands import StudyCommand
from accounts.models import Role
from corpus import queries as corpus_queries
from corpus import release_file_queries
from corpus.commands import DATASET
from text import canonical_json


class Command(StudyCommand):
    help = "Write the files of CLAP-NQ, of made questions or of a release as they were imported, byte for byte."
    named: ClassVar = (DATASET,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", required=True, metavar="DIR", help="a folder; made if needed")

    def act(self, **options: Any) -> Mapping[str, Any]:
        permissions.require_reader(options["by"], options["study"], Role.REQUESTER)
        dataset = options["dataset"]
        parts, records = corpus_queries.parts(dataset), release_file_queries.records(dataset)
        if not (parts or records):
            raise CommandError(
                f"the dataset {dataset} has the format {dataset.format} and no accepted answers: only files of"
                " CLAP-NQ, of made questions and of releases are written back; a release has the truth of others"
            )
        out = Path(options["out"])
        existing = [file for file in (*parts, *records) if (out / file).exists()]
        if existing:
            raise CommandError(f"{out / existing[0]} is there already: name another folder")
        out.mkdir(parents=True, exist_ok=True)
        lines = {part: _write(out / part, corpus_queries.lines(dataset, part)) for part in parts}
        for file, of_file in records.items():
            _write(out / file, canonical_json.parts(of_file))
        return {"files": lines | {file: len(of_file) for file, of_file in records.items()}}


def _write(path: Path, parts: Iterable[str]) -> int:
    """Write the file; return of how many parts."""
    with path.open("x", encoding="utf-8", newline="") as file:
        return sum(bool(file.write(part)) for part in parts)
