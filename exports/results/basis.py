"""Which batches results rest on, and whether something was decided since."""

from dataclasses import dataclass

from annotation.models import Batch, Verdict
from corpus.models import Dataset
from exports.rows import outcomes
from exports.rows.shown_answers import released_batches
from sampling.models import Purpose


@dataclass(frozen=True)
class Results:
    """The closed batches of the data set; rehearsed ones only where no real batch asks about its answers."""

    batches: list[Batch]
    n_verdicts: int  # every row ever written: it grows with each decision
    is_rehearsal: bool

    def to_dict(self) -> dict[str, object]:
        return {
            "batches": [batch.name for batch in self.batches],
            "n_verdicts": self.n_verdicts,
            "is_rehearsal": self.is_rehearsal,
        }


def of_results(dataset: Dataset) -> Results:
    pools = dataset.pools.filter(purpose=Purpose.ANSWERS)
    is_rehearsal = outcomes.is_rehearsed(pools)
    batches = list(released_batches(dataset, is_rehearsal=is_rehearsal))
    return Results(
        batches=batches,
        n_verdicts=Verdict.objects.filter(item__batch__in=batches).count(),
        is_rehearsal=is_rehearsal,
    )
