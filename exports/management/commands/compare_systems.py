from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from activity.commands import StudyCommand
from exports.actions import writing_comparison
from exports.actions.errors import ReleaseError
from exports.actions.writing_comparison import ComparisonError
from exports.agreement.figures import DEFAULT_REPLICATES
from exports.batch_figures import Bootstrap
from exports.compared import table7
from exports.compared.strengths import NotConvergedError


class Command(StudyCommand):
    help = (
        "Write what people's ratings, preferences and passage relevance say of the runs into a folder: tables,"
        " figures, LaTeX, relevance labels and pictures. The same judgements give the same bytes."
    )
    expected: ClassVar = (ComparisonError, ReleaseError, NotConvergedError)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", required=True, metavar="DIR")
        parser.add_argument(
            "--batch",
            action="append",
            default=[],
            metavar="NAME",
            help="of this batch; may be given again. All that compare runs where it is left out",
        )
        parser.add_argument("--seed", type=int, default=0, help="of the bootstrap")

    def act(self, **options: Any) -> Mapping[str, Any]:
        told = writing_comparison.write(
            study=options["study"],
            batches=options["batch"],
            out=Path(options["out"]),
            bootstrap=Bootstrap(DEFAULT_REPLICATES, options["seed"]),
            by=options["by"],
        )
        names = table7.called(told["setups"])
        return {
            "folder": options["out"],
            "batches": told["batches"],
            "n_judgements": told["n_judgements"],
            "runs": [
                {"run": row.run, "setup": name} | {cell.column.name: _said(cell) for cell in cells}
                for row in table7.rows(told)
                for name, cells in zip(names, row.cells, strict=True)
            ],
        }


def _said(cell: table7.Cell) -> float | None:
    return None if cell.figure is None else cell.figure["value"]
