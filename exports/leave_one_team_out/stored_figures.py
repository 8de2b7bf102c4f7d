"""The stored figures of each team left out, and what they are computed from."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from corpus.models import Dataset, RunKind
from exports.results.stored_figures import RunsFigures
from exports.rows.tiers import GOLD
from jobs.basis import Basis
from jobs.stored_figures import Result, StoredFigures


class LeftOutResult(Result):
    is_rehearsal: bool
    n_accepted: int
    n_without_team: int  # runs without a team, each a team of its own
    measures: dict[str, Any]
    bootstrap: dict[str, int]


@dataclass(eq=False)
class LeftOutFigures(StoredFigures[LeftOutResult]):
    """By the answers accepted as `tier`: gold, or silver with gold ones.

    `is_redrawn`: whether the pools are drawn anew without the team.
    """

    kind = "leave_one_team_out"
    version = 2

    dataset: Dataset
    tier: str = GOLD
    is_redrawn: bool = False

    @property
    def key(self) -> str:
        return f"{self.dataset} {self.tier}{' redrawn' if self.is_redrawn else ''}"

    @property
    def params(self) -> dict[str, Any]:
        return {"dataset": self.dataset.pk, "tier": self.tier, "is_redrawn": self.is_redrawn}

    @cached_property
    def runs(self) -> RunsFigures:
        """The results of the same batches."""
        return RunsFigures(self.study, self.dataset)

    @cached_property
    def basis(self) -> Basis:
        """The basis of the results, with the runs: one that comes later is scored, too."""
        found = self.runs.basis
        n_runs = self.dataset.runs.counting().count()
        return Basis(
            {**found.counts, "run": n_runs}, found.batches, found.n_decisions, found.decisions
        )

    @property
    def obstacle(self) -> str:
        if self.runs.obstacle:
            return self.runs.obstacle
        has_references = self.dataset.runs.filter(kind=RunKind.REFERENCE).exists()
        return "" if has_references else "The data set has no references to score the runs by."

    @property
    def starts_itself(self) -> bool:
        """Pools are drawn anew only when somebody asks: once for each team."""
        return not self.is_redrawn and super().starts_itself
