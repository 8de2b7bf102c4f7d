from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from annotation.commands import BATCH, BatchCommand
from exports.curation import actions
from exports.writers.errors import ReleaseError


class Command(BatchCommand):
    help = (
        "Write the curated questions of a batch into a folder, with what people decided of each; "
        "with --next-version also the next version of their data set."
    )
    expected: ClassVar = (actions.CurationError, ReleaseError)
    named: ClassVar = (BATCH,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", required=True, metavar="DIR", help="a new or empty folder")
        parser.add_argument(
            "--next-version",
            action="store_true",
            help="make the next version of the data set: texts as decided, rejected questions left out",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        batch = options["batch"]
        made = {}
        if options["next_version"]:
            version = actions.make_next_version(batch=batch, by=options["by"])
            made = {"dataset": version.name, "is_new": version.created, **version.counts}
        written = actions.export(batch=batch, out=Path(options["out"]), by=options["by"])
        return {"folder": options["out"], "files": written, **made}
