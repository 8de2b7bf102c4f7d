"""The stored figures of the comparison of consensus rules on a batch."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Sum

from annotation.models import Item
from annotation.queries.batch_figures import BatchFigures
from annotation.queries.decisions import decisions_by_batch
from jobs.basis import Basis
from jobs.stored_figures import Result


class RulesResult(Result):
    """The figures of each rule on the batch (`made`) and in simulation (`simulated`)."""

    batch: str
    n_items: int
    n_judgements: int
    made: list[dict[str, Any]]
    simulated: list[dict[str, Any]]


@dataclass(eq=False)
class RuleFigures(BatchFigures[RulesResult]):
    kind = "compare_rules"
    version = 1

    @cached_property
    def basis(self) -> Basis:
        """The counted judgements of items that are neither excluded nor control items."""
        items = Item.objects.real().filter(batch=self.batch, is_excluded=False)
        n_judgements = items.aggregate(n=Sum("n_counted", default=0))["n"]
        decided = decisions_by_batch([self.batch])[self.batch.pk]
        return Basis.of({"judgement": n_judgements}, decisions=decided)

    @property
    def obstacle(self) -> str:
        nothing = "There are no counted judgements yet, so no rule settles anything."
        return "" if self.basis.counts["judgement"] else nothing
