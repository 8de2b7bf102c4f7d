"""Commands that write figures of batches into a folder."""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accounts.commands import StudyCommand
from stats.agreement.result import DEFAULT_REPLICATES
from stats.bootstrap_settings import Bootstrap


class FolderCommand(StudyCommand):
    """A command that writes into --out, of the batches of --batch, with a bootstrap of --seed."""

    all_batches: str  # which batches are taken without --batch
    folder = "a new or empty folder"

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", required=True, metavar="DIR", help=self.folder)
        parser.add_argument(
            "--batch",
            action="append",
            default=[],
            metavar="NAME",
            help=f"only this batch; repeatable; default: all batches {self.all_batches}",
        )
        parser.add_argument("--seed", type=int, default=0, help="of the bootstrap")

    def written(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of the action that writes."""
        return {
            "batches": options["batch"],
            "out": Path(options["out"]),
            "bootstrap": Bootstrap(DEFAULT_REPLICATES, options["seed"]),
            "by": options["by"],
        }
