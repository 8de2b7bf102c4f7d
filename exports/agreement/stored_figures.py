"""The stored figures of agreement of batches, and what came in since."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Count

from accounts.models import Study
from annotation.models import Batch, Judgement
from annotation.queries.decisions import n_decisions
from exports.agreement.presenter import Section, sections
from jobs.stored_figures import Basis, Result, StoredFigures, read_together


class AgreementResult(Result):
    """And all that a report says of the batch."""

    batch: str
    agreement: dict[str, dict[str, Any]]  # by question
    bootstrap: dict[str, int]


@dataclass(eq=False)
class AgreementFigures(StoredFigures[AgreementResult]):
    kind = "agreement"
    version = 1

    batch: Batch

    @property
    def key(self) -> str:
        return self.batch.name

    @property
    def params(self) -> dict[str, Any]:
        return {"batch": self.batch.pk}

    @cached_property
    def basis(self) -> Basis:
        batches = [self.batch]
        return _basis(_n_counted(batches), n_decisions(batches), self.batch)

    @property
    def obstacle(self) -> str:
        return "" if self.basis.counts["judgement"] else "There are no counted judgements yet."

    @cached_property
    def sections(self) -> list[Section]:
        return sections(self.result["agreement"]) if self.result else []


def of_batches(study: Study, batches: Sequence[Batch]) -> list[AgreementFigures]:
    """In the order of the batches. Four queries, however many there are."""
    found = [AgreementFigures(study, batch) for batch in batches]
    read_together(found)
    n_counted, decided = _n_counted(batches), n_decisions(batches)
    for each in found:
        each.basis = _basis(n_counted, decided, each.batch)
    return found


def _basis(n_counted: Mapping[int, int], decided: Mapping[int, int], batch: Batch) -> Basis:
    counts = {"judgement": n_counted.get(batch.pk, 0)}
    return Basis(counts, n_decisions=decided.get(batch.pk, 0))


def _n_counted(batches: Sequence[Batch]) -> dict[int, int]:
    said = Judgement.objects.counted().filter(
        assignment__item__batch__in=batches, assignment__item__n_wanted__isnull=False
    )
    by_batch = said.order_by().values("assignment__item__batch")
    return dict(by_batch.annotate(n=Count("pk")).values_list("assignment__item__batch", "n"))
