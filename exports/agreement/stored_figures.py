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
    def basis(self) -> Basis:
        batches = [self.batch]
        return _basis(_n_counted(batches), decisions_by_batch(batches), self.batch)

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
        each.basis = _basis(n_counted, decisions, each.batch)
    return found


def _basis(n_counted: Mapping[int, int], decisions: Mapping[int, Decisions], batch: Batch) -> Basis:
    counts = {"judgement": n_counted.get(batch.pk, 0)}
    return Basis.of(counts, decisions=decisions[batch.pk])


def _n_counted(batches: Sequence[Batch]) -> dict[int, int]:
    """The numbers of counted judgements by batch, which the items have: there are more judgements than items."""
    by_batch = Item.objects.real().filter(batch__in=batches).order_by().values_list("batch")
    return dict(by_batch.annotate(n=Sum("n_counted")))
