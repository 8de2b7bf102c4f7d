from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from annotation.commands import BatchCommand, batch_called, require_reader
from annotation.queries import candidates_and_flags


class Command(BatchCommand):
    help = "List the flags of annotators with their answers, unanswered flags first."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", required=True)

    def act(self, **options: Any) -> Mapping[str, Any]:
        require_reader(options["by"], options["study"])
        found = candidates_and_flags.flags(batch_called(options["batch"], options["study"]))
        return {
            "n_open": sum(not flag.answers for flag in found),
            "flags": [asdict(flag) for flag in found],
        }
