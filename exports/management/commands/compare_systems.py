from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from accounts.commands import StudyCommand
from exports.comparison import actions as comparison_actions
from exports.comparison import summary_table
from exports.comparison.errors import ComparisonError
from exports.writers.errors import ReleaseError
from stats.agreement.result import DEFAULT_REPLICATES
from stats.bootstrap_settings import Bootstrap
from stats.pairwise.bradley_terry_fit import NotConvergedError


class Command(StudyCommand):
    help = (
        "Write the comparison of runs by human judgements into a folder: tables, "
        "figures, LaTeX, relevance labels and pictures."
    )
    expected: ClassVar = (ComparisonError, ReleaseError, NotConvergedError)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", required=True, metavar="DIR", help="a new or empty folder")
        parser.add_argument(
            "--batch",
            action="append",
            default=[],
            metavar="NAME",
            help="only this batch; repeatable; default: all batches that compare runs, the rehearsed"
            " ones only if there are no others",
        )
        parser.add_argument("--seed", type=int, default=0, help="of the bootstrap")

    def act(self, **options: Any) -> Mapping[str, Any]:
        result = comparison_actions.write(
            study=options["study"],
            batches=options["batch"],
            out=Path(options["out"]),
            bootstrap=Bootstrap(DEFAULT_REPLICATES, options["seed"]),
            by=options["by"],
        )
        names = summary_table.setup_names(result["setups"])
        return {
            "folder": options["out"],
            "batches": result["batches"],
            "n_judgements": result["n_judgements"],
            "runs": [
                {"run": row.run, "setup": name} | {cell.column.name: _value(cell) for cell in cells}
                for row in summary_table.rows(result)
                for name, cells in zip(names, row.cells, strict=True)
            ],
        }


def _value(cell: summary_table.Cell) -> float | None:
    return None if cell.figure is None else cell.figure["value"]
