from collections.abc import Mapping
from typing import Any, ClassVar

from exports.commands import FolderCommand
from exports.comparison import actions as comparison_actions
from exports.comparison import summary_table
from exports.comparison.errors import ComparisonError
from exports.writers.errors import ReleaseError
from stats.pairwise.bradley_terry_fit import NotConvergedError


class Command(FolderCommand):
    help = (
        "Write the comparison of runs by human judgements into a folder: tables, "
        "figures, LaTeX, relevance labels and pictures."
    )
    expected: ClassVar = (ComparisonError, ReleaseError, NotConvergedError)
    all_batches = "that compare runs, the rehearsed ones only if there are no others"

    def act(self, **options: Any) -> Mapping[str, Any]:
        result = comparison_actions.write(study=options["study"], **self.written(options))
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
