"""Drawing from very many answers: the pool that pools.draw gives, some turns at a time, by a job."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from django.db import transaction

from accounts import permissions
from accounts.models import Role, Study, User
from audit import events
from corpus.models import Dataset, RunKind
from jobs.actions import jobs
from jobs.models import Job, JobState
from jobs.transactions import delete_in_pieces
from sampling import queries as sampling_queries
from sampling.actions import pools, surveys
from sampling.actions.pools import PoolError
from sampling.models import Pool, Purpose
from sampling.pools import selection
from sampling.pools.rule import Rule
from scoring import queries as scoring_tables
from scoring.models import Metric, Scorer

KIND = "draw_pool"

# The turns that are drawn, with their probabilities; None: all that give candidates.
Chosen = Mapping[str, float] | None


class Picked(NamedTuple):
    """The turns that are drawn, and the odds of all that might have been; those empty where all are."""

    chosen: Chosen
    odds: Mapping[str, selection.Odds]


def begin(*, study: Study, dataset: Dataset, name: str, rule: Rule, by: User) -> Job:
    """The job that draws the pool, which is seen when it is built.

    Asked again with the same name and rule while the pool is not built, it goes on with the job; with
    another rule the name can be had again if the job has failed or was cancelled. Raises PoolError where
    the name is taken, nothing can be drawn from, or scores are still coming; ValidationError where the
    pool cannot be called so.
    """
    permissions.require(by, study, Role.REQUESTER)
    pools.require_runs(dataset, rule)
    unbuilt = study.pools.filter(name=name, dataset=dataset, built_at=None).first()
    scorer = pools.scorer_called(rule.scorer, dataset)
    if unbuilt is not None and _is_meant(rule, unbuilt):
        scorer = unbuilt.scorer or scorer
    rule = pools.pinned(rule, scorer)
    pools.require_threshold(scorer, rule)
    if scorer not in scoring_tables.scorers(dataset, Metric.SAS):
        raise PoolError(f"no answer to the dataset {dataset} was scored by {scorer.short}")
    _require_quiet(dataset)
    picked = _picked(dataset, scorer, rule)
    pool = study.pools.filter(name=name).first()
    job = None if pool is None else study.jobs.filter(kind=KIND, key=name).first()
    if pool is not None and pool.built_at is None and job is not None:
        if pool.rule == rule.to_dict() and pool.dataset_id == dataset.pk:
            return _go_on(job, by)
        if job.state in (JobState.FAILED, JobState.CANCELLED):
            return _start_anew(pool, dataset, scorer.pk, rule, picked, by)
    return _start(study, dataset, name, rule, scorer.pk, picked, by)


def _is_meant(rule: Rule, unbuilt: Pool) -> bool:
    """Whether the rule is the one that the drawing began with, by the scorer that it meant then."""
    scorer = unbuilt.scorer
    if scorer is None or rule.scorer != scorer.name:
        return False
    return bool(pools.pinned(rule, scorer).to_dict() == unbuilt.rule)


def _require_quiet(dataset: Dataset) -> None:
    """The parts must all see the same scores."""
    coming = dataset.study.jobs.unfinished().filter(
        kind__in=["calibrate", "score", "import_scores"], params__dataset=dataset.pk
    )
    if coming.exists():
        raise PoolError(
            f"scores of the dataset {dataset} are still coming: draw when they are there"
        )


def _picked(dataset: Dataset, scorer: Scorer, rule: Rule) -> Picked:
    """Which turns are drawn of all: a part of them cannot tell."""
    if rule.turns is None:
        return Picked(None, {})
    survey = surveys.survey(dataset, scorer, rule.bag, rule.runs, near=rule.near)
    if survey is None:
        raise PoolError(
            f"the answers to {dataset} were not looked at yet by this rule, and which questions are drawn"
            " hangs on all of them: count them at the sampling desk first"
        )
    return Picked(survey.chosen(rule), survey.odds(rule))


@transaction.atomic
def _start(
    study: Study, dataset: Dataset, name: str, rule: Rule, scorer: int, picked: Picked, by: User
) -> Job:
    pool = pools.new_pool(
        study=study,
        dataset=dataset,
        name=name,
        purpose=Purpose.ANSWERS,
        rule=rule.to_dict(),
        scorer_id=scorer,
        odds=picked.odds,
        created_by=by,
    )
    runs = dataset.runs.exclude(kind=RunKind.REFERENCE).values_list("name", flat=True)
    params = {"pool": pool.pk, "dataset": dataset.pk, "runs": sorted(rule.runs or runs)}
    if picked.chosen is not None:
        params["chosen"] = picked.chosen
    return jobs.start(study=study, kind=KIND, key=name, params=params, by=by)


def _go_on(job: Job, by: User) -> Job:
    if job.state in (JobState.FAILED, JobState.CANCELLED):
        jobs.resume(job=job, by=by)
    return job


def _start_anew(
    pool: Pool, dataset: Dataset, scorer: int, rule: Rule, picked: Picked, by: User
) -> Job:
    # Its job has ended, and nobody saw it: most of it can go before the name is free.
    delete_in_pieces(pool.fates.all())
    return _replace(pool, dataset, scorer, rule, picked, by)


@transaction.atomic
def _replace(
    pool: Pool, dataset: Dataset, scorer: int, rule: Rule, picked: Picked, by: User
) -> Job:
    Pool.objects.select_for_update().get(pk=pool.pk)  # a worker may be writing its last chunk still
    events.record(study=pool.study, by=by, verb="discarded", target=pool, rule=pool.rule)
    pool.fates.all().delete()
    pool.candidates.all().delete()
    pool.delete()
    return _start(dataset.study, dataset, pool.name, rule, scorer, picked, by)


def draw(
    pool: Pool,
    runs: Iterable[str],
    turns: Collection[int],
    chosen: Chosen = None,
) -> selection.Drawn:
    """What the pool's rule draws in these turns, from the runs that there were when it was begun.

    `chosen` are the turns that it draws of all, where it does not draw all.
    """
    if pool.scorer is None:
        raise PoolError(f"the pool {pool.name} has no scorer to be drawn by")
    rule = replace(Rule.from_dict(pool.rule), runs=frozenset(runs))
    return selection.draw(
        rule, sampling_queries.turn_answers(pool.dataset, pool.scorer, turns), chosen
    )
