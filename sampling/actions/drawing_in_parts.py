"""Drawing from very many answers: the pool that drawing.draw gives, some turns at a time, by a job."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from django.db import transaction

from accounts import permissions
from accounts.models import Role, Study, User
from activity.actions import events, jobs
from activity.actions.transactions import delete_in_pieces
from activity.models import Job, JobState
from corpus.models import Dataset, RunKind
from sampling import selection, tables
from sampling.actions import drawing
from sampling.actions.drawing import PoolError
from sampling.models import Pool, Purpose
from sampling.rule import Rule
from scoring import tables as scoring_tables
from scoring.models import Metric

KIND = "draw_pool"


def begin(*, study: Study, dataset: Dataset, name: str, rule: Rule, by: User) -> Job:
    """The job that draws the pool, which is seen when it is built.

    Asked again with the same name and rule while the pool is not built, it goes on with the job; with
    another rule the name can be had again if the job has failed or was cancelled. Raises PoolError where
    the name is taken, nothing can be drawn from, or scores are still coming; ValidationError where the
    pool cannot be called so.
    """
    permissions.require(by, study, Role.REQUESTER)
    drawing.require_runs(dataset, rule)
    scorer = drawing.scorer_called(rule.scorer, study)
    drawing.require_threshold(scorer, rule)
    if scorer not in scoring_tables.scorers(dataset, Metric.SAS):
        raise PoolError(f"no answer to the dataset {dataset} was scored by {scorer.short}")
    _require_quiet(dataset)
    pool = study.pools.filter(name=name).first()
    job = None if pool is None else study.jobs.filter(kind=KIND, key=name).first()
    if pool is not None and pool.built_at is None and job is not None:
        if pool.rule == rule.to_dict() and pool.dataset_id == dataset.pk:
            return _go_on(job, by)
        if job.state in (JobState.FAILED, JobState.CANCELLED):
            return _start_anew(pool, dataset, scorer.pk, rule, by)
    return _start(study, dataset, name, rule, scorer.pk, by)


def _require_quiet(dataset: Dataset) -> None:
    """The parts must all see the same scores."""
    coming = dataset.study.jobs.unfinished().filter(
        kind__in=["calibrate", "score", "import_scores"], params__dataset=dataset.pk
    )
    if coming.exists():
        raise PoolError(
            f"scores of the dataset {dataset} are still coming: draw when they are there"
        )


@transaction.atomic
def _start(study: Study, dataset: Dataset, name: str, rule: Rule, scorer: int, by: User) -> Job:
    pool = drawing.new_pool(
        study=study,
        dataset=dataset,
        name=name,
        purpose=Purpose.ANSWERS,
        rule=rule.to_dict(),
        scorer_id=scorer,
        created_by=by,
    )
    runs = dataset.runs.exclude(kind=RunKind.REFERENCE).values_list("name", flat=True)
    params = {"pool": pool.pk, "dataset": dataset.pk, "runs": sorted(rule.runs or runs)}
    return jobs.start(study=study, kind=KIND, key=name, params=params, by=by)


def _go_on(job: Job, by: User) -> Job:
    if job.state in (JobState.FAILED, JobState.CANCELLED):
        jobs.resume(job=job, by=by)
    return job


def _start_anew(pool: Pool, dataset: Dataset, scorer: int, rule: Rule, by: User) -> Job:
    # Its job has ended, and nobody saw it: most of it can go before the name is free.
    delete_in_pieces(pool.fates.all())
    return _replace(pool, dataset, scorer, rule, by)


@transaction.atomic
def _replace(pool: Pool, dataset: Dataset, scorer: int, rule: Rule, by: User) -> Job:
    Pool.objects.select_for_update().get(pk=pool.pk)  # a worker may be writing its last chunk still
    events.record(study=pool.study, by=by, verb="discarded", target=pool, rule=pool.rule)
    pool.fates.all().delete()
    pool.candidates.all().delete()
    pool.delete()
    return _start(dataset.study, dataset, pool.name, rule, scorer, by)


def draw(pool: Pool, runs: Iterable[str], turns: Collection[int]) -> selection.Drawn:
    """What the pool's rule draws in these turns, from the runs that there were when it was begun."""
    if pool.scorer is None:
        raise PoolError(f"the pool {pool.name} has no scorer to be drawn by")
    rule = replace(Rule.from_dict(pool.rule), runs=frozenset(runs))
    return selection.draw(rule, tables.turn_answers(pool.dataset, pool.scorer, turns))
