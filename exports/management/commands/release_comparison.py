from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from exports.commands import FolderCommand
from exports.comparison.errors import ComparisonError
from exports.comparison_releases import actions as comparison_release_actions
from exports.management.commands.release import interrupt_on_sigterm
from exports.writers.errors import ReleaseError
from stats.pairwise.bradley_terry_fit import NotConvergedError


class Command(FolderCommand):
    help = (
        "Release a comparison of systems: the files of compare_systems, as a "
        "numbered release with licence and citation."
    )
    expected: ClassVar = (ComparisonError, ReleaseError, NotConvergedError)
    all_batches = "that compare runs, as with compare_systems"
    folder = "a folder for a copy, as with release"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--with-open-batches",
            action="store_true",
            help="include batches that are not closed; the manifest names them",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        written = self.written(options)
        with interrupt_on_sigterm():
            made = comparison_release_actions.release(
                study=options["study"], with_open_batches=options["with_open_batches"], **written
            )
        figures = {name: made.figures[name] for name in ("batches", "n_judgements", "is_rehearsal")}
        return {"release": made.number, "folder": str(written["out"]), **figures}
