"""The newest stored figures of agreement of batches, and what came in since."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count

from accounts.models import Study
from annotation.models import Batch, Judgement
from exports.agreement.presenter import Section, sections
from jobs.models import Job, JobState

KIND = "agreement"


@dataclass(frozen=True)
class Stored:
    """Of one batch. `n_now` counts the judgements that a job started now would rest on."""

    batch: Batch
    computed: Job | None
    unfinished: Job | None
    n_now: int

    @cached_property
    def sections(self) -> list[Section]:
        return sections(self.computed.result["agreement"]) if self.computed else []

    @property
    def n_then(self) -> int:
        return self.computed.result["n_judgements"]["counted"] if self.computed else 0

    @property
    def n_since(self) -> int:
        """How many more there are; less than 0 where some count no more."""
        return self.n_now - self.n_then

    @property
    def is_due(self) -> bool:
        """Whether there is something to compute that nobody computes already."""
        if self.unfinished or not self.n_now:
            return False
        return not self.sections or self.n_since != 0 or not all(x.is_whole for x in self.sections)


def stored(study: Study, batches: Sequence[Batch]) -> list[Stored]:
    """In the order of the batches. Four queries, however many there are."""
    own = study.jobs.filter(kind=KIND, key__in=[batch.name for batch in batches])
    done = own.filter(state=JobState.DONE).order_by("finished_at", "pk")
    newest = dict(done.values_list("key", "pk"))  # the last of each stays
    computed = study.jobs.in_bulk(newest.values())
    unfinished = {job.key: job for job in own.unfinished()}
    n_now = _n_counted(batches)
    return [
        Stored(
            batch=batch,
            computed=computed.get(newest.get(batch.name, 0)),
            unfinished=unfinished.get(batch.name),
            n_now=n_now.get(batch.pk, 0),
        )
        for batch in batches
    ]


def _n_counted(batches: Sequence[Batch]) -> dict[int, int]:
    said = Judgement.objects.counted().filter(
        assignment__item__batch__in=batches, assignment__item__n_wanted__isnull=False
    )
    by_batch = said.order_by().values("assignment__item__batch")
    return dict(by_batch.annotate(n=Count("pk")).values_list("assignment__item__batch", "n"))
