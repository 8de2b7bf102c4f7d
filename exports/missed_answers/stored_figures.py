"""The stored estimates of an audit sample, and what they are computed from."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Q

from annotation.models import Batch, BatchState, Verdict
from annotation.queries.decisions import decisions_by_batch
from annotation.schemes import ACCEPTANCE
from corpus.queries import run_decisions
from exports.missed_answers.queries import standing_candidates
from jobs.basis import Basis, together
from jobs.stored_figures import Result, StoredFigures
from sampling.models import Pool


class MissedResult(Result):
    missed: dict[str, Any]  # as stats.stratified_estimate.from_json() takes it
    outside: dict[str, int]
    is_rehearsal: bool


@dataclass(eq=False)
class MissedFigures(StoredFigures[MissedResult]):
    kind = "estimate_missed"
    version = 2

    audit: Pool

    @property
    def key(self) -> str:
        return self.audit.name

    @property
    def params(self) -> dict[str, Any]:
        return {"pool": self.audit.pk}

    @cached_property
    def counted_batches(self) -> list[Batch]:
        """The plausibility batches on the audit sample, its pool, or pools of earlier versions with what stands.

        The newest first. Rehearsals count only if there are no other batches.
        """
        pools = Q(pool=self.audit) | Q(pool=self.audit.audit_of_id)
        if self.audit.audit_of is not None and self.audit.dataset.continues_id is not None:
            pools |= Q(pool__in=standing_candidates(self.audit.audit_of).values("pool"))
        rows = Batch.objects.counting().filter(pools, scheme=ACCEPTANCE.name)
        rows = rows.order_by("-created_at", "-pk")
        return [batch for batch in rows if not batch.is_rehearsal] or list(rows)

    @cached_property
    def basis(self) -> Basis:
        closed = [batch for batch in self.counted_batches if batch.state == BatchState.CLOSED]
        n_verdicts = Verdict.objects.filter(item__batch__in=closed).count()
        names = [batch.name for batch in closed]
        decided = together(decisions_by_batch(closed).values())
        decided += run_decisions([self.audit.dataset_id])
        return Basis.of({"verdict": n_verdicts}, names, decided)

    @property
    def obstacle(self) -> str:
        nothing = "Nobody has judged it yet: it takes a plausibility batch that is closed."
        return "" if self.basis.batches else nothing
