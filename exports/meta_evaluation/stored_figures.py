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
from exports.meta_evaluation.independent_scorers import independent_scorers
from exports.rows.shown_answers import batches_on
from jobs.basis import Basis, together
from jobs.models import JobState
from jobs.stored_figures import Result, StoredFigures
from scoring.models import Scorer

ONLY_CIRCULAR = (
    "The data set has only scores against answers that this study accepted, which rest on the same judgements:"
    " compute or import others."
)


class MeasuresResult(Result):
    measures: list[dict[str, Any]]
    left_out: list[str]  # measures against answers that the study itself accepted


@dataclass(eq=False)
class MeasuresFigures(StoredFigures[MeasuresResult]):
    kind = "measures_against_people"
    version = 4

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
        if (
            self.result is not None
        ):  # scores are only added: where there are figures, there are some
            return ""
        independent, circular = self.scorers
        if independent:
            return ""
        return ONLY_CIRCULAR if circular else "The data set has no scores: compute or import some."

    @cached_property
    def scorers(self) -> tuple[list[Scorer], list[Scorer]]:
        return independent_scorers(self.dataset)
