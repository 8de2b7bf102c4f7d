"""The stored figures of the runs that a pool was not drawn from, and what they are computed from."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from corpus.models import Dataset
from exports.results.stored_figures import RunsFigures
from jobs.basis import Basis
from jobs.models import JobState
from jobs.stored_figures import Result, StoredFigures
from sampling import late_run_queries as late

# Kinds of the jobs that bring scores.
SCORING = ("score", "import_scores")
NO_LATE_RUN = "No run is late: each pool was drawn from all runs of the data set."


class LateResult(Result):
    is_rehearsal: bool
    runs: list[dict[str, Any]]


@dataclass(eq=False)
class LateFigures(StoredFigures[LateResult]):
    kind = "late_runs"
    version = 2

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
        """The basis of the results, with the runs, the pools that a top-up adds to, and the scores that it draws by."""
        found = self.runs.basis
        pools = late.pools_of_answers(self.dataset)
        scoring = self.study.jobs.filter(
            kind__in=SCORING, state=JobState.DONE, params__dataset=self.dataset.pk
        )
        counts = {
            **found.counts,
            "run": self.dataset.runs.counting().count(),
            "pool": pools.count(),
            "scoring job": scoring.count(),
        }
        return Basis(counts, found.batches, found.n_decisions, found.decisions)

    @property
    def obstacle(self) -> str:
        pools = late.topped_pools(self.dataset)
        return "" if any(late.late_runs(pool).exists() for pool in pools) else NO_LATE_RUN
