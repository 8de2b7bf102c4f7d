from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from annotation.commands import BatchCommand, batch_called, require_reader
from annotation.queries import candidates_and_flags


class Command(BatchCommand):
    help = "List the items in dispute, most disputed first, as an adjudicator may see them."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", required=True)

    def act(self, **options: Any) -> Mapping[str, Any]:
        require_reader(options["by"], options["study"])
        found = candidates_and_flags.disputes(batch_called(options["batch"], options["study"]))
        return {"n_disputed": len(found), "disputes": [asdict(dispute) for dispute in found]}
