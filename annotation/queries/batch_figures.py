"""The stored figures of one batch, whatever they are."""

from dataclasses import dataclass
from typing import Any, TypeVar

from annotation.models import Batch
from jobs.stored_figures import Result, StoredFigures

R = TypeVar("R", bound=Result)


@dataclass(eq=False)
class BatchFigures(StoredFigures[R]):
    """Figures of `batch` that jobs of one kind compute."""

    batch: Batch

    @property
    def key(self) -> str:
        return self.batch.lot_name

    @property
    def params(self) -> dict[str, Any]:
        return {"batch": self.batch.pk}
