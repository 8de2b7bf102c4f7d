"""The stored figures of agreement in a batch, and what they are computed from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NotRequired

from django.db.models import Sum

from accounts.models import Study
from annotation.models import Batch, Item
from annotation.queries.batch_figures import BatchFigures
from annotation.queries.decisions import decisions_by_batch
from exports.agreement.presenter import Section, sections
from jobs.basis import Basis, Decisions
from jobs.stored_figures import Result, read_together


class AgreementResult(Result):
    """The result of a job; it has all figures of the batch in a report
    (`exports.releases.batch_report`).
    """

    batch: str
    agreement: dict[str, dict[str, Any]]  # by question
    bootstrap: dict[str, int]
    by_guideline: NotRequired[list[dict[str, Any]]]  # where the batch's guideline has versions


@dataclass(eq=False)
class AgreementFigures(BatchFigures[AgreementResult]):
    kind = "agreement"
    version = 3

    @cached_property
    def n_counted(self) -> int:
        """The number of counted judgements. A page that has it already sets it."""
        return _n_counted([self.batch]).get(self.batch.pk, 0)

    @cached_property
    def basis(self) -> Basis:
        return _basis(self.n_counted, decisions_by_batch([self.batch]), self.batch)

    @property
    def obstacle(self) -> str:
        return "" if self.basis.counts["judgement"] else "There are no counted judgements yet."

    @cached_property
    def sections(self) -> list[Section]:
        return sections(self.result["agreement"]) if self.result else []


def figures_of_batches(study: Study, batches: Sequence[Batch]) -> list[AgreementFigures]:
    """The figures of the batches in their order, read with four queries."""
    found = [AgreementFigures(study, batch) for batch in batches]
    read_together(found)
    n_counted, decisions = _n_counted(batches), decisions_by_batch(batches)
    for each in found:
        each.n_counted = n_counted.get(each.batch.pk, 0)
        each.basis = _basis(each.n_counted, decisions, each.batch)
    return found


def _basis(n_counted: int, decisions: Mapping[int, Decisions], batch: Batch) -> Basis:
    return Basis.of({"judgement": n_counted}, decisions=decisions[batch.pk])


def _n_counted(batches: Sequence[Batch]) -> dict[int, int]:
    """The numbers of counted judgements by batch, which the items have: there are more judgements than items."""
    by_batch = Item.objects.real().filter(batch__in=batches).order_by().values_list("batch")
    return dict(by_batch.annotate(n=Sum("n_counted")))
