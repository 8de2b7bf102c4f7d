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
from sampling.models import Pool

# Kinds of the jobs that bring scores.
SCORING = ("score", "import_scores")
NO_LATE_RUN = "No run is late: each pool was drawn from all runs of the data set."
NO_POOL = "A run is late to a pool, and no version of the data set has one yet: draw one first."


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

    @cached_property
    def obstacle(self) -> str:
        pools = late.topped_pools(self.dataset)
        if any(late.late_runs(pool).exists() for pool in pools):
            return ""
        return NO_LATE_RUN if self.has_pool else self._no_own_pool

    @property
    def _no_own_pool(self) -> str:
        """Say that the version has no pool, and what is to be done in the one that has."""
        if not self.elsewhere:
            return NO_POOL
        other = self.elsewhere[0].dataset
        names = ", ".join(pool.name for pool in self.elsewhere if pool.dataset == other)
        then = (
            f" Import a late run there, judge its top-up there, and carry_over --dataset {self.dataset} takes it along."
            if other.version < self.dataset.version
            else ""
        )
        return f"{self.dataset} has no pool of its own that a run could be late to. Pools of {other}: {names}.{then}"

    @cached_property
    def elsewhere(self) -> list[Pool]:
        """The pools of other versions, where this one has none."""
        return [] if self.has_pool else late.pools_of_other_versions(self.dataset)

    @cached_property
    def has_pool(self) -> bool:
        return late.topped_pools(self.dataset).exists()
