"""The stored figures of runs by chosen references, and what they are computed from."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from exports.chosen_references.queries import measures_by_references
from exports.meta_evaluation.stored_figures import MeasuresFigures


@dataclass(eq=False)
class ReferencesFigures(MeasuresFigures):
    """Their basis is that of measures against people: scoring jobs, verdicts and decisions.

    The result has `measures`: each with its name, runs and pairs (exports.chosen_references.figures).
    """

    kind = "runs_by_references"
    version = 1

    @property
    def obstacle(self) -> str:
        if not self.dataset.release:
            return "The data set has read no release: import one as its next version."
        if self.has_measures:
            return ""
        return (
            "No measure has scores against both the truth and gold or silver answers: compute them."
        )

    @cached_property
    def has_measures(self) -> bool:
        return self.result is not None or bool(measures_by_references(self.dataset))

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each measure and run, with numbers for a spreadsheet."""
        measures = self.result["measures"] if self.result else []
        return [
            {
                "measure": measure["name"],
                "run": run["run"],
                **{f"mean_{choice}": run["means"].get(choice) for choice in CHOICES},
                **{f"place_{choice}": run["places"].get(choice) for choice in CHOICES},
                "plausible_rate": run["people"],
            }
            for measure in measures
            for run in measure["runs"]
        ]


CHOICES = ("truth", "gold", "silver")
COLUMNS = (
    "measure",
    "run",
    *(f"mean_{choice}" for choice in CHOICES),
    *(f"place_{choice}" for choice in CHOICES),
    "plausible_rate",
)
