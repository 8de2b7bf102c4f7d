"""The stored figures of the written answers on a data set, and what they are computed from."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from annotation.models import Batch
from annotation.queries.decisions import decisions_by_batch
from corpus.models import Dataset
from exports.written import queries
from jobs.basis import Basis, together
from jobs.stored_figures import Result, StoredFigures


class WrittenResult(Result):
    """The figures of `exports.written.figures`."""

    batches: list[str]
    is_rehearsal: bool
    counts: dict[str, Any]
    agreement: dict[str, Any]
    together: list[dict[str, Any]]
    pairs: list[dict[str, Any]]
    bootstrap: dict[str, int]


@dataclass(eq=False)
class WrittenFigures(StoredFigures[WrittenResult]):
    kind = "written_answers"
    version = 1

    dataset: Dataset

    @property
    def key(self) -> str:
        return str(self.dataset)

    @property
    def params(self) -> dict[str, Any]:
        return {"dataset": self.dataset.pk}

    @cached_property
    def batches(self) -> list[Batch]:
        return queries.counted_batches(self.dataset)

    @cached_property
    def basis(self) -> Basis:
        n = queries.counted_judgements(self.dataset, self.batches).count()
        names = sorted(batch.name for batch in self.batches)
        decided = together(decisions_by_batch(self.batches).values())
        return Basis.of({"judgement": n}, names, decided)

    @property
    def obstacle(self) -> str:
        if not self.batches:
            return "No batch of written answers was opened on this data set yet."
        return "" if self.basis.counts["judgement"] else "Nobody has written anything yet."
