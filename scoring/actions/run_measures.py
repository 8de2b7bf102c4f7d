"""Comparison of runs under every scorer of a data set.

It is computed within the request if that is fast, otherwise by a job.
"""

from collections.abc import Sequence
from math import comb
from typing import Any

from accounts import permissions
from accounts.models import Role, User
from corpus.models import Dataset
from corpus.queries import n_run_changes
from jobs.actions import jobs
from jobs.models import Job, JobState
from scoring import queries as scoring_queries
from scoring import score_queries
from scoring.actions import value_matrix
from scoring.denominators import Denominator
from scoring.figures import Comparison, Figure, ScorerCorrelation
from scoring.models import Scorer
from scoring.registry import MEASURES, Inputs

KIND = "compare_runs"


class NothingToCountError(Exception):
    """The data set has no run, or no scorer knows it."""


# Pairs of runs by pairs of scorers that are compared while somebody waits: a tenth of a second, or half of
# one where each scorer leaves out other runs.
MOST_PAIRS = 100_000


def scorers(dataset: Dataset) -> list[Scorer]:
    """The scorers that have scores for the data set, sorted by kind of measure."""
    return sorted(score_queries.scorers(dataset), key=_sort_key)


def _sort_key(scorer: Scorer) -> tuple[int, int, str, str, int]:
    """Return the position of the scorer.

    Scorers are sorted by kind; within a kind come the registry's measures in its order, then
    models, then imported scorers.
    """
    measures = list(MEASURES)
    kind = list(Inputs).index(scoring_queries.inputs_of(scorer.metric))
    place = measures.index(scorer.metric) if scorer.metric in MEASURES else len(measures)
    return kind, place, scorer.metric, scorer.name, scorer.pk


def is_at_once(dataset: Dataset, scorers: Sequence[Scorer]) -> bool:
    """Return whether the comparison is small enough to compute within a request."""
    runs = value_matrix.competing_runs(dataset)
    n_pairs = comb(len(runs), 2) * comb(len(scorers), 2)
    n_answers = sum(run.n_answers for run in runs)
    return (
        n_answers * len(scorers) <= scoring_queries.MOST_ANSWERS_AT_ONCE and n_pairs <= MOST_PAIRS
    )


def basis(dataset: Dataset, scorers: Sequence[Scorer]) -> dict[str, Any]:
    """The inputs of a comparison: equal inputs give an equal comparison."""
    inputs = {
        "dataset": dataset.pk,
        "runs": [run.pk for run in value_matrix.competing_runs(dataset)],
        "scorers": {str(scorer.pk): score_queries.n_scores(scorer) for scorer in scorers},
    }
    n_changes = n_run_changes([dataset])  # teams, systems and setups say what is correlated
    return inputs | ({"n_run_changes": n_changes} if n_changes else {})


def comparison_now(
    dataset: Dataset, scorers: Sequence[Scorer], denominator: Denominator
) -> Comparison:
    """Compute the comparison. There must be at least one run."""
    from scoring import run_comparison  # noqa: PLC0415  numpy, of which no other page has need

    frame = value_matrix.frame(dataset)
    columns = {
        scorer.pk: run_comparison.column(
            value_matrix.run_values(frame, scorer, [denominator])[denominator], frame.clusters
        )
        for scorer in scorers
    }
    return Comparison(
        figures={
            (run.pk, scorer): figure
            for scorer, column in columns.items()
            for run, figure in zip(frame.runs, column.figures, strict=True)
        },
        correlations=tuple(
            run_comparison.scorer_correlations(columns, value_matrix.layout(frame.runs))
        ),
        n_clusters=len(set(frame.clusters)),
    )


def newest_job(dataset: Dataset) -> Job | None:
    """The newest finished job that compared the runs of the data set."""
    finished = dataset.study.jobs.filter(kind=KIND, key=str(dataset), state=JobState.DONE)
    return finished.order_by("-pk").first()


def comparison_of(job: Job, denominator: Denominator) -> Comparison:
    """The result of a finished job for one denominator."""
    figures = {
        (run, chunk.params["scorer"]): Figure(*figure)
        for chunk in job.chunks.parts()
        for run, figure in zip(
            job.params["runs"], chunk.result["figures"][denominator], strict=True
        )
    }
    correlations = tuple(ScorerCorrelation(*row) for row in job.result["correlations"][denominator])
    return Comparison(figures, correlations, job.result["n_clusters"])


def begin(*, dataset: Dataset, by: User) -> Job:
    """Start the job that compares the runs. Raises NothingToCountError."""
    permissions.require(by, dataset.study, Role.REQUESTER)
    params = basis(dataset, scorers(dataset))
    if not (params["runs"] and params["scorers"]):
        raise NothingToCountError(f"the data set {dataset} has no runs with scores to count")
    return jobs.start(study=dataset.study, kind=KIND, key=str(dataset), params=params, by=by)
