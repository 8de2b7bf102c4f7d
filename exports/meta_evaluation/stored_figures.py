"""The stored figures of a data set's measures, and what they are computed from."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from annotation.models import Batch, BatchState, Verdict
from annotation.queries.decisions import decisions_by_batch
from annotation.schemes import ACCEPTANCE
from corpus.models import Dataset
from corpus.queries import run_decisions
from corpus.versions import carried_runs
from exports.rows.shown_answers import batches_on
from jobs.basis import Basis, together
from jobs.models import JobState
from jobs.stored_figures import Result, StoredFigures
from scoring import score_queries


class MeasuresResult(Result):
    measures: list[dict[str, Any]]


@dataclass(eq=False)
class MeasuresFigures(StoredFigures[MeasuresResult]):
    kind = "measures_against_people"
    version = 3

    dataset: Dataset

    @property
    def key(self) -> str:
        return str(self.dataset)

    @property
    def params(self) -> dict[str, Any]:
        return {"dataset": self.dataset.pk}

    @cached_property
    def basis(self) -> Basis:
        """The basis counts scoring jobs and not scores, of which there may be very many."""
        closed = batches_on(self.dataset, Batch.objects.counting()).filter(
            scheme=ACCEPTANCE.name, state=BatchState.CLOSED
        )
        scoring = self.study.jobs.filter(
            kind__in=("score", "import_scores"),
            state=JobState.DONE,
            params__dataset=self.dataset.pk,
        )
        counts = {
            "scoring job": scoring.count(),
            "verdict": Verdict.objects.filter(item__batch__in=closed).count(),
        }
        names = [batch.name for batch in closed.order_by("name")]
        decided = together(decisions_by_batch(closed).values())
        decided += run_decisions([self.dataset.pk]) + carried_runs(self.dataset)
        return Basis.of(counts, names, decided)

    @property
    def obstacle(self) -> str:
        if not self.basis.batches:
            return "There are no results yet: no plausibility batch is closed and settled."
        return "" if self.has_scores else "The data set has no scores: compute or import some."

    @cached_property
    def has_scores(self) -> bool:
        # Scores are only added: where there are figures, there are scores, and they need no search.
        return self.result is not None or bool(score_queries.scorers(self.dataset))
