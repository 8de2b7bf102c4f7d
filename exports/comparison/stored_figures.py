"""The stored figures of a comparison of runs, in a batch or in the whole study."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from annotation.models import Batch, BatchState
from annotation.queries.decisions import decisions_by_batch
from exports.comparison import queries
from exports.primary_comparison.queries import decisions as naming_decisions
from exports.primary_comparison.queries import primary_comparison
from jobs.basis import Basis, together
from jobs.stored_figures import Result, StoredFigures


class ComparisonResult(Result):
    batches: list[str]
    n_judgements: int
    is_rehearsal: bool
    setups: list[dict[str, Any]]
    primary_comparison: dict[str, Any] | None
    open_batches: list[str]
    notes: list[str]
    bootstrap: dict[str, int]


@dataclass(eq=False)
class ComparisonFigures(StoredFigures[ComparisonResult]):
    """The figures of a batch or, without one, of all batches of the study that compare runs."""

    version = 3
    shown_versions = frozenset({2})  # without what is for people like those who judged

    batch: Batch | None = None

    @property
    def kind(self) -> str:
        return "comparison_of_batch" if self.batch else "comparison_of_study"

    @property
    def key(self) -> str:
        return self.batch.lot_name if self.batch else self.study.slug

    @property
    def params(self) -> dict[str, Any]:
        return {"batch": self.batch.pk} if self.batch else {}

    @cached_property
    def batches(self) -> list[Batch]:
        return [self.batch] if self.batch else queries.counted_batches(self.study)

    @cached_property
    def basis(self) -> Basis:
        # An open batch is said to be open, so closing it changes the figures' words.
        names = sorted(
            batch.name if batch.state == BatchState.CLOSED else f"{batch.name} (open)"
            for batch in self.batches
        )
        names += [f"without {name}" for name in self.left_out]
        counts = {"judgement": queries.n_counted(self.batches)}
        decided = together(decisions_by_batch(self.batches).values())
        decided = decided + queries.run_decisions(self.batches) + naming_decisions(self.study)
        return Basis.of(counts, names, decided)

    @cached_property
    def left_out(self) -> list[str]:
        """The batches of the study's primary comparison that these figures do not rest on."""
        if self.batch is None:
            return []
        return queries.left_out_of(primary_comparison(self.study), self.study, self.batches)

    @property
    def obstacle(self) -> str:
        nothing = "Nobody has compared anything yet: there are no counted judgements."
        return "" if self.basis.counts["judgement"] else nothing
