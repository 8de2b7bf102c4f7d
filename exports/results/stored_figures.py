"""The stored results of a data set's runs, and what they are computed from."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from annotation.models import Batch
from annotation.queries.decisions import decisions_and_verdicts
from corpus.models import Dataset
from corpus.queries import run_decisions
from corpus.versions import carried_runs
from exports.rows import outcomes
from exports.rows.shown_answers import pools_on, released_batches
from jobs.basis import Basis, together
from jobs.stored_figures import Result, StoredFigures
from sampling.models import Purpose


class RunsResult(Result):
    is_rehearsal: bool
    per_run: list[dict[str, Any]]
    runs: dict[str, Any]
    precision: list[dict[str, Any]]
    bootstrap: dict[str, int]


@dataclass(eq=False)
class RunsFigures(StoredFigures[RunsResult]):
    kind = "results"
    version = 4
    # without intervals for other people
    shown_versions = frozenset({3})

    dataset: Dataset

    @property
    def key(self) -> str:
        return str(self.dataset)

    @property
    def params(self) -> dict[str, Any]:
        return {"dataset": self.dataset.pk}

    @cached_property
    def is_rehearsal(self) -> bool:
        """Whether rehearsed batches count: they do if no real batch asks about the data set's
        answers.
        """
        return outcomes.is_rehearsed(pools_on(self.dataset, Purpose.ANSWERS))

    @cached_property
    def batches(self) -> list[Batch]:
        """The closed batches of the data set that count."""
        return list(released_batches(self.dataset, is_rehearsal=self.is_rehearsal))

    @cached_property
    def basis(self) -> Basis:
        """The basis counts all verdicts, former ones too: their number grows with each decision."""
        names = [batch.name for batch in self.batches]
        by_batch, n_verdicts = decisions_and_verdicts(self.batches)
        decided = together(by_batch.values())
        decided += run_decisions([self.dataset.pk]) + carried_runs(self.dataset)
        return Basis.of({"verdict": n_verdicts}, names, decided)

    @property
    def obstacle(self) -> str:
        nothing = "There are no results yet: no batch is closed and settled."
        return "" if self.batches else nothing
