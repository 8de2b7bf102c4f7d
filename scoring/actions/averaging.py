"""What the scores of each run come to: at once where there are few answers, otherwise by a job."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Sum

from accounts.models import User
from activity.actions import jobs
from activity.models import Job, JobState
from corpus.models import Dataset, Run, RunKind
from scoring import tables
from scoring.models import Scorer

KIND = "average_scores"


@dataclass(frozen=True)
class Average:
    """The scores of one run by one scorer. Without a score the mean is undefined."""

    n: int = 0
    total: float = 0.0

    @property
    def mean(self) -> float | None:
        return self.total / self.n if self.n else None


Averages = Mapping[tuple[int, int], Average]  # by run and scorer


def runs(dataset: Dataset) -> list[Run]:
    return list(dataset.runs.exclude(kind=RunKind.REFERENCE))


def is_at_once(dataset: Dataset) -> bool:
    """Whether a page may count while somebody waits."""
    n_answers = dataset.runs.aggregate(n=Sum("n_answers"))["n"] or 0
    return n_answers <= tables.MOST_AT_ONCE


def basis(dataset: Dataset, scorers: Iterable[Scorer]) -> dict[str, Any]:
    """What the averages rest on: while it is the same, so are they."""
    return {
        "dataset": dataset.pk,
        "runs": [run.pk for run in runs(dataset)],
        "scorers": {str(scorer.pk): tables.n_scores(scorer) for scorer in scorers},
    }


def averages(dataset: Dataset, scorers: Iterable[Scorer]) -> Averages:
    return {
        (run_id, scorer.pk): Average(n, total)
        for scorer in scorers
        for run_id, (n, total) in tables.totals(dataset, scorer).items()
    }


def counted(dataset: Dataset) -> Job | None:
    """The newest job that has counted them."""
    done = dataset.study.jobs.filter(kind=KIND, key=str(dataset), state=JobState.DONE)
    return done.order_by("-pk").first()


def averages_of(job: Job) -> Averages:
    return {
        (int(run), int(scorer)): Average(n, total)
        for run, by_scorer in job.result["totals"].items()
        for scorer, (n, total) in by_scorer.items()
    }


def begin(*, dataset: Dataset, by: User) -> Job:
    params = basis(dataset, tables.scorers(dataset))
    return jobs.start(study=dataset.study, kind=KIND, key=str(dataset), params=params, by=by)
