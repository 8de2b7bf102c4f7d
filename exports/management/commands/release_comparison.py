from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from accounts.commands import StudyCommand
from exports.comparison.errors import ComparisonError
from exports.comparison_releases import actions as comparison_release_actions
from exports.management.commands.release import interrupt_on_sigterm
from exports.writers.errors import ReleaseError
from stats.agreement.result import DEFAULT_REPLICATES
from stats.bootstrap_settings import Bootstrap
from stats.pairwise.bradley_terry_fit import NotConvergedError


class Command(StudyCommand):
    help = (
        "Release a comparison of systems: the files of compare_systems, as a "
        "numbered release with licence and citation."
    )
    expected: ClassVar = (ComparisonError, ReleaseError, NotConvergedError)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--out", required=True, metavar="DIR", help="a folder for a copy, as with release"
        )
        parser.add_argument(
            "--batch",
            action="append",
            default=[],
            metavar="NAME",
            help="only this batch; repeatable; default: all batches that compare runs, as with compare_systems",
        )
        parser.add_argument(
            "--with-open-batches",
            action="store_true",
            help="include batches that are not closed; the manifest names them",
        )
        parser.add_argument("--seed", type=int, default=0, help="of the bootstrap")

    def act(self, **options: Any) -> Mapping[str, Any]:
        with interrupt_on_sigterm():
            made = comparison_release_actions.release(
                study=options["study"],
                batches=options["batch"],
                out=Path(options["out"]),
                bootstrap=Bootstrap(DEFAULT_REPLICATES, options["seed"]),
                by=options["by"],
                with_open_batches=options["with_open_batches"],
            )
        return {
            "release": made.number,
            "folder": str(Path(options["out"])),
            "batches": made.figures["batches"],
            "n_judgements": made.figures["n_judgements"],
            "is_rehearsal": made.figures["is_rehearsal"],
        }
