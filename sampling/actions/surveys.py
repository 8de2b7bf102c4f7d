"""The survey of a data set's answers: within the request if they are few, otherwise by a job.

The rows of a job's survey stay in its chunks, where every web process can read them. A process caches its
last surveys, because each move of the threshold uses the survey again.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import lru_cache

from accounts.models import User
from corpus.models import Dataset, RunKind
from corpus.queries import n_run_changes
from jobs.actions import jobs
from jobs.models import Chunk, Job, JobQuerySet, JobState
from sampling import queries as sampling_queries
from sampling.pools.survey import Survey
from sampling.pools.survey_rows import Row, row_of_turn
from scoring import queries as scoring_tables
from scoring import score_queries
from scoring.models import Scorer
from text.bags import BagKind

KIND = "survey_answers"
# Counts up when rows come to say more: surveys of before are made anew.
ROWS = 2


@dataclass(frozen=True)
class Basis:
    """The inputs of a survey: equal inputs give an equal survey."""

    dataset: int
    made_at: datetime  # of the data set: a number may come again in another database
    scorer: int
    n_scores: int
    bag: BagKind
    runs: tuple[str, ...]
    near: float | None = None
    n_run_changes: int = 0  # two runs may have changed names
    # The pools on earlier versions whose candidates stand.
    standing: tuple[int, ...] = ()

    @property
    def params(self) -> dict[str, object]:
        """Return the basis as parameters of a job; `near`, `n_run_changes` and `standing` only if they are set."""
        plain = asdict(self) | {"made_at": self.made_at.isoformat(), "runs": list(self.runs)}
        plain["rows"] = ROWS
        if self.near is None:
            del plain["near"]
        if not self.n_run_changes:
            del plain["n_run_changes"]
        plain["standing"] = list(self.standing)
        if not self.standing:
            del plain["standing"]
        return plain

    @property
    def digest(self) -> str:
        return hashlib.sha256(json.dumps(self.params, sort_keys=True).encode()).hexdigest()


def basis(dataset: Dataset, scorer: Scorer, bag: BagKind, near: float | None = None) -> Basis:
    runs = dataset.runs.counting().exclude(kind=RunKind.REFERENCE).values_list("name", flat=True)
    n_scores = score_queries.n_scores(scorer)
    names, n_changes = tuple(sorted(runs)), n_run_changes([dataset])
    standing = tuple(sorted(sampling_queries.standing_pools(dataset).values_list("pk", flat=True)))
    return Basis(
        dataset.pk,
        dataset.created_at,
        scorer.pk,
        n_scores,
        bag,
        names,
        near,
        n_changes,
        standing,
    )


def is_at_once(dataset: Dataset) -> bool:
    """Return whether the data set has few enough answers to survey within a request."""
    n_answers = sum(dataset.runs.values_list("n_answers", flat=True))
    return n_answers <= scoring_tables.MOST_ANSWERS_AT_ONCE


def survey(
    dataset: Dataset,
    scorer: Scorer,
    bag: BagKind,
    only: Iterable[str] | None = None,
    *,
    near: float | None = None,
) -> Survey | None:
    """Return the survey of all runs or of `only`; None if a job must make it first, see begin()."""
    return survey_on(dataset, basis(dataset, scorer, bag, near), only)


def survey_on(dataset: Dataset, current: Basis, only: Iterable[str] | None) -> Survey | None:
    """Return what `survey` does of this basis, which is the data set's."""
    chosen = frozenset(current.runs if only is None else only)
    if is_at_once(dataset):
        return _computed_survey(current, chosen)
    job = jobs_of(dataset, current).filter(state=JobState.DONE).first()
    return None if job is None else _stored_survey(job.pk, current, chosen)


def jobs_of(dataset: Dataset, current: Basis) -> JobQuerySet:
    """Return the jobs that make or have made this survey, the newest first."""
    return dataset.study.jobs.filter(kind=KIND, key=_key(dataset, current)).order_by("-pk")


def _key(dataset: Dataset, current: Basis) -> str:
    mark = f" ({current.bag}, {current.digest[:8]})"
    return str(dataset)[: 200 - len(mark)] + mark


@lru_cache(maxsize=4)
def _computed_survey(current: Basis, only: frozenset[str]) -> Survey:
    turns = sampling_queries.turn_answers(
        Dataset.objects.get(pk=current.dataset), Scorer.objects.get(pk=current.scorer)
    )
    rows = (row_of_turn(turn, current.bag, current.runs, current.near) for turn in turns)
    return Survey(rows, current.runs, only=only)


@lru_cache(maxsize=2)
def _stored_survey(job_id: int, current: Basis, only: frozenset[str]) -> Survey:
    chunks = Chunk.objects.filter(job=job_id).order_by("number").values_list("result", flat=True)
    rows = (Row(*plain) for result in chunks.iterator(chunk_size=1) for plain in result["rows"])
    return Survey(rows, current.runs, only=only)


def begin(
    *, dataset: Dataset, scorer: Scorer, bag: BagKind, by: User, near: float | None = None
) -> Job:
    current = basis(dataset, scorer, bag, near)
    return jobs.start(
        study=dataset.study, kind=KIND, key=_key(dataset, current), params=current.params, by=by
    )
