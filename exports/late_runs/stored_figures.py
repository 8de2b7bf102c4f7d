"""The stored figures of the runs that came after a pool was drawn, and what they are computed from."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from corpus.models import Dataset
from exports.results.stored_figures import RunsFigures
from jobs.basis import Basis
from jobs.stored_figures import Result, StoredFigures
from sampling import late_run_queries as late
from sampling.models import Pool, Purpose

NO_LATE_RUN = "No run of the data set came after a pool was drawn."


class LateResult(Result):
    is_rehearsal: bool
    runs: list[dict[str, Any]]


@dataclass(eq=False)
class LateFigures(StoredFigures[LateResult]):
    kind = "late_runs"
    version = 1

    dataset: Dataset

    @property
    def key(self) -> str:
        return str(self.dataset)

    @property
    def params(self) -> dict[str, Any]:
        return {"dataset": self.dataset.pk}

    @cached_property
    def runs(self) -> RunsFigures:
        """The results of the same batches."""
        return RunsFigures(self.study, self.dataset)

    @cached_property
    def basis(self) -> Basis:
        """The basis of the results, with the runs, and the pools that a top-up adds to."""
        found = self.runs.basis
        pools = Pool.objects.usable().filter(dataset=self.dataset, purpose=Purpose.ANSWERS)
        counts = {
            **found.counts,
            "run": self.dataset.runs.counting().count(),
            "pool": pools.count(),
        }
        return Basis(counts, found.batches, found.n_decisions, found.decisions)

    @property
    def obstacle(self) -> str:
        pools = late.topped_pools(self.dataset)
        return "" if any(late.late_runs(pool).exists() for pool in pools) else NO_LATE_RUN
