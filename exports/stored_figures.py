"""What a page of computed figures is about: one batch, or all of the study that they can be computed of."""

from dataclasses import dataclass
from typing import Any, ClassVar

from accounts.models import Study
from annotation.models import Batch
from jobs.models import Job, JobQuerySet


@dataclass(frozen=True)
class Scope:
    """`figures` names the two kinds of jobs that compute them: <figures>_of_batch, <figures>_of_study."""

    figures: ClassVar[str]

    study: Study
    batch: Batch | None = None

    @property
    def kind(self) -> str:
        return f"{self.figures}_of_batch" if self.batch else f"{self.figures}_of_study"

    @property
    def key(self) -> str:
        return self.batch.name if self.batch else self.study.slug

    @property
    def params(self) -> dict[str, Any]:
        return {"batch": self.batch.pk} if self.batch else {}

    @property
    def jobs(self) -> JobQuerySet:
        """Those that compute or have computed them."""
        found: JobQuerySet = self.study.jobs.filter(kind=self.kind, key=self.key)
        return found

    @property
    def computed(self) -> Job | None:
        return self.jobs.newest_done()
