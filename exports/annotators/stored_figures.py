"""The stored figures of annotators, in a batch or in the whole study."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import QuerySet

from annotation.models import Batch, Judgement
from annotation.queries.decisions import decisions_by_batch
from exports.annotators.queries import real_batches
from jobs.basis import Basis, together
from jobs.stored_figures import Result, StoredFigures


class AnnotatorsResult(Result):
    people: list[dict[str, Any]]
    n_judgements: int
    n_tests: int
    batches: list[str]
    bootstrap: dict[str, int]


@dataclass(eq=False)
class AnnotatorsFigures(StoredFigures[AnnotatorsResult]):
    """The figures of a batch or, without one, of all real batches of the study."""

    version = 4

    batch: Batch | None = None

    @property
    def kind(self) -> str:
        return "annotators_of_batch" if self.batch else "annotators_of_study"

    @property
    def key(self) -> str:
        return self.batch.lot_name if self.batch else self.study.slug

    @property
    def params(self) -> dict[str, Any]:
        return {"batch": self.batch.pk} if self.batch else {}

    @cached_property
    def batches(self) -> list[Batch]:
        return [self.batch] if self.batch else list(real_batches(self.study))

    @property
    def judgements(self) -> QuerySet[Judgement]:
        return Judgement.objects.not_withdrawn().filter(assignment__item__batch__in=self.batches)

    @cached_property
    def basis(self) -> Basis:
        decided = together(decisions_by_batch(self.batches).values())
        return Basis.of({"judgement": self.judgements.count()}, decisions=decided)

    @property
    def obstacle(self) -> str:
        nothing = "Nobody has judged anything yet: there is nothing to compute."
        return "" if self.basis.counts["judgement"] else nothing
