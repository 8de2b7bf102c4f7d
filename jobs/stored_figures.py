"""Figures that a job computes and a page shows: the newest result, its basis, and changes since.

Each page's figures are a subclass of StoredFigures, which their job uses too. The job's result
begins with the subclass's `stamp()`.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, ClassVar, Generic, TypedDict, TypeVar, cast

from django.db.models import F
from django.utils import timezone

from accounts.models import Study
from jobs.actions import liveness
from jobs.basis import Basis
from jobs.models import UNFINISHED, Job, JobQuerySet, JobState


class Result(TypedDict):
    """The first keys of every result, before its figures."""

    version: int
    basis: dict[str, Any]


FRESH_FOR = timedelta(minutes=1)
_ENDED = F("finished_at")  # null while the job is at work
R = TypeVar("R", bound=Result)


@dataclass(eq=False)
class StoredFigures(ABC, Generic[R]):
    """Figures of a study that jobs of one kind and key compute.

    `version` is that of the result's format: a result of another version counts as not computed,
    but one of `shown_versions` is shown until it is computed again.
    """

    version: ClassVar[int]
    shown_versions: ClassVar[frozenset[int]] = frozenset()
    # Figures of more things than this may take minutes, and are computed when somebody asks; None: they do not.
    most_by_themselves: ClassVar[int | None] = 20_000

    study: Study

    @property
    @abstractmethod
    def kind(self) -> str: ...

    @property
    @abstractmethod
    def key(self) -> str: ...

    @property
    @abstractmethod
    def params(self) -> dict[str, Any]:
        """Return the job's parameters."""

    @property
    @abstractmethod
    def basis(self) -> Basis:
        """Return the basis of a job started now."""

    @property
    @abstractmethod
    def obstacle(self) -> str:
        """Return a sentence that says why nothing can be computed now; empty if it can."""

    def stamp(self) -> Result:
        return {"version": self.version, "basis": asdict(self.basis)}

    @property
    def jobs(self) -> JobQuerySet:
        found: JobQuerySet = self.study.jobs.filter(kind=self.kind, key=self.key)
        return found

    @cached_property
    def newest_done(self) -> Job | None:
        return self.jobs.newest_done()

    @cached_property
    def newest(self) -> Job | None:
        """Return the unfinished job, else the one that ended last."""
        rows = self.jobs.with_progress().defer("result")
        return rows.order_by(_ENDED.desc(nulls_first=True), "-pk").first()

    @property
    def result(self) -> R | None:
        job = self.newest_done
        known = {self.version, *self.shown_versions}
        is_known = job is not None and job.result.get("version") in known
        return cast(R, job.result) if job and is_known else None

    @property
    def computed_at(self) -> datetime | None:
        return self.newest_done.finished_at if self.newest_done and self.result else None

    @property
    def computed_from(self) -> Basis | None:
        return Basis(**self.result["basis"]) if self.result else None

    @cached_property
    def since(self) -> str:
        """Return a sentence about what changed since the computation; empty if nothing did."""
        return self.basis.since(self.computed_from) if self.computed_from else ""

    @property
    def unfinished(self) -> Job | None:
        return self.newest if self.newest and self.newest.state in UNFINISHED else None

    @property
    def failed(self) -> Job | None:
        """Return the newest job if it failed."""
        return self.newest if self.newest and self.newest.state == JobState.FAILED else None

    @property
    def is_due(self) -> bool:
        """Return whether there is something to compute that no unfinished job computes."""
        is_stale = not self.result or self.result["version"] != self.version or bool(self.since)
        return not self.unfinished and not self.obstacle and is_stale

    @property
    def is_left_alone(self) -> bool:
        """Return whether a job waits for these figures and no worker seems to be running."""
        return self.unfinished is not None and liveness.is_left_alone(self.unfinished)

    @property
    def starts_itself(self) -> bool:
        """Return whether the page that shows the figures starts their job when it is opened.

        It does not where the last job failed or was cancelled, or ended a moment ago, as while
        people judge: it would do so again and again. In an archived study nothing is started.
        """
        if self.study.is_archived:
            return False
        ended_well = self.newest is None or self.newest.state == JobState.DONE
        is_fresh = self.computed_at is not None and self.computed_at > timezone.now() - FRESH_FOR
        return self.is_due and ended_well and not is_fresh and self._is_quick

    @property
    def _is_quick(self) -> bool:
        most = self.most_by_themselves
        return most is None or sum(self.basis.counts.values()) <= most

    def file_name(self, name: str) -> str:
        """Return the name of a file of the figures, which says if they are out of date."""
        return f"out-of-date-{name}" if self.since else name

    @property
    def is_empty(self) -> bool:
        """Return whether there are no figures, and no job can compute them now."""
        return not self.result and not self.unfinished and bool(self.obstacle)


def read_together(figures: Sequence[StoredFigures[R]]) -> None:
    """Read the jobs of all these figures, of one study and kind, in two queries."""
    if not figures:
        return
    jobs = figures[0].study.jobs.filter(kind=figures[0].kind, key__in=[x.key for x in figures])
    rows = list(jobs.with_progress().defer("result").order_by(_ENDED.asc(nulls_last=True), "pk"))
    newest = {job.key: job for job in rows}  # the last of each stays
    done = {job.key: job.pk for job in rows if job.state == JobState.DONE}
    with_result = jobs.in_bulk(done.values())
    for each in figures:
        each.newest = newest.get(each.key)
        each.newest_done = with_result.get(done.get(each.key, 0))
