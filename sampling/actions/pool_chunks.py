"""Draw a pool from very many answers by a job, some turns a chunk; the result equals that of pool_draws.draw."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from django.db import transaction

from accounts import permissions
from accounts.models import Role, Study, User
from audit import events
from corpus.models import Dataset, RunKind
from jobs.actions import jobs
from jobs.models import UNFINISHED, Job, JobState
from jobs.transactions import delete_in_pieces
from sampling import queries as sampling_queries
from sampling.actions import pool_draws, pools, surveys
from sampling.actions.pools import PoolError
from sampling.models import Pool, Purpose
from sampling.pools import draws, selection
from sampling.pools.rule import Rule
from scoring import score_queries
from scoring.models import Metric, Scorer

KIND = "draw_pool"

# The turns that are drawn, with their probabilities; None: all that give candidates.
TurnProbabilities = Mapping[str, float] | None


class TurnSelection(NamedTuple):
    """The drawn turns, and the odds of every eligible turn; no odds if all turns are drawn."""

    chosen: TurnProbabilities
    odds: Mapping[str, selection.Odds]


class Drawing(NamedTuple):
    """A pool to draw, with what its chunks need and what judging it was assumed to cost."""

    dataset: Dataset
    name: str
    scorer: int
    rule: Rule
    turn_selection: TurnSelection
    costs: Mapping[str, Any]


def begin(
    *,
    study: Study,
    dataset: Dataset,
    name: str,
    rule: Rule,
    by: User,
    costs: Mapping[str, Any] | None = None,
) -> Job:
    """Start the job that draws the pool, which is visible once it is built.

    With the name and rule of an unbuilt pool it resumes that pool's job; with another rule the name is free
    again if the job has failed or was cancelled. Raises PoolError if the name is taken, there is nothing to
    draw from, or scoring is unfinished; ValidationError if the name is invalid.
    """
    permissions.require(by, study, Role.REQUESTER)
    pool_draws.require_runs(dataset, rule)
    unbuilt = study.pools.filter(name=name, dataset=dataset, built_at=None).first()
    scorer = pool_draws.scorer_by_name(rule.scorer, dataset)
    if unbuilt is not None and _is_same_rule(rule, unbuilt):
        scorer = unbuilt.scorer or scorer
    rule = pool_draws.rule_with_version(rule, scorer)
    pool_draws.require_threshold(scorer, rule)
    if scorer not in score_queries.scorers(dataset, Metric.SAS):
        raise PoolError(f"no answer to the dataset {dataset} was scored by {scorer.short}")
    _require_no_scoring(dataset)
    _require_candidates(dataset, scorer, rule)
    turn_selection = _turn_selection(dataset, scorer, rule)
    drawing = Drawing(dataset, name, scorer.pk, rule, turn_selection, dict(costs or {}))
    pool = study.pools.filter(name=name).first()
    job = None if pool is None else study.jobs.filter(kind=KIND, key=name).first()
    if pool is not None and pool.built_at is None and job is not None:
        is_same = pool.rule == rule.to_dict() and pool.dataset_id == dataset.pk
        # Of runs that were renamed since, what is left would not be found.
        if is_same and (job.state in UNFINISHED or job.params["runs"] == _names(dataset, rule)):
            return _resume(job, by)
        if job.state in (JobState.FAILED, JobState.CANCELLED):
            return _discard_and_start(pool, drawing, by)
    return _start(drawing, by)


def _is_same_rule(rule: Rule, unbuilt: Pool) -> bool:
    """Return whether the rule is that of the unbuilt pool, whose rule has its scorer's version."""
    scorer = unbuilt.scorer
    if scorer is None or rule.scorer != scorer.name:
        return False
    return bool(pool_draws.rule_with_version(rule, scorer).to_dict() == unbuilt.rule)


def _require_no_scoring(dataset: Dataset) -> None:
    """Refuse to draw while scoring is unfinished: all chunks must see the same scores."""
    coming = dataset.study.jobs.unfinished().filter(
        kind__in=["calibrate", "score", "import_scores"], params__dataset=dataset.pk
    )
    if coming.exists():
        raise PoolError(
            f"scores of the dataset {dataset} are still coming: draw when they are there"
        )


def _require_candidates(dataset: Dataset, scorer: Scorer, rule: Rule) -> None:
    """Refuse a rule that draws nothing, if a survey of the answers says so."""
    survey = surveys.survey(dataset, scorer, rule.bag, rule.runs, near=rule.near)
    if survey is None:
        return
    n_answers = {state.value: n for state, n in survey.under(rule).by_state.items()}
    if not pool_draws.draws_anything(n_answers):
        raise PoolError(pool_draws.why_nothing_drawn(rule, n_answers, survey.scores))


def _turn_selection(dataset: Dataset, scorer: Scorer, rule: Rule) -> TurnSelection:
    """Return the turns that the rule draws.

    It takes the survey of all turns, which no chunk has.
    """
    if rule.turns is None:
        return TurnSelection(None, {})
    survey = surveys.survey(dataset, scorer, rule.bag, rule.runs, near=rule.near)
    if survey is None:
        raise PoolError(
            f"the answers to {dataset} were not looked at yet by this rule, and which questions are drawn"
            " hangs on all of them: count them at the sampling desk first"
        )
    return TurnSelection(survey.chosen(rule), survey.odds(rule))


@transaction.atomic
def _start(drawing: Drawing, by: User) -> Job:
    dataset, rule = drawing.dataset, drawing.rule
    pool = pools.new_pool(
        study=dataset.study,
        dataset=dataset,
        name=drawing.name,
        purpose=Purpose.ANSWERS,
        rule=rule.to_dict(),
        scorer_id=drawing.scorer,
        odds=drawing.turn_selection.odds,
        costs=drawing.costs,
        created_by=by,
    )
    params = {"pool": pool.pk, "dataset": dataset.pk, "runs": _names(dataset, rule)}
    if drawing.turn_selection.chosen is not None:
        params["chosen"] = drawing.turn_selection.chosen
    return jobs.start(study=dataset.study, kind=KIND, key=drawing.name, params=params, by=by)


def _names(dataset: Dataset, rule: Rule) -> list[str]:
    """Return the names of the runs that the rule draws from, sorted."""
    runs = dataset.runs.counting().exclude(kind=RunKind.REFERENCE)
    return sorted(rule.runs or runs.values_list("name", flat=True))


def _resume(job: Job, by: User) -> Job:
    if job.state in (JobState.FAILED, JobState.CANCELLED):
        jobs.resume(job=job, by=by)
    return job


def _discard_and_start(pool: Pool, drawing: Drawing, by: User) -> Job:
    # Its job has ended, and nobody saw it: most of it can go before the name is free.
    delete_in_pieces(pool.fates.all())
    return _replace(pool, drawing, by)


@transaction.atomic
def _replace(pool: Pool, drawing: Drawing, by: User) -> Job:
    Pool.objects.select_for_update().get(pk=pool.pk)  # a worker may be writing its last chunk still
    events.record(study=pool.study, by=by, verb="discarded", target=pool, rule=pool.rule)
    pool.fates.all().delete()
    pool.candidates.all().delete()
    pool.delete()
    return _start(drawing, by)


def draw(
    pool: Pool,
    runs: Iterable[str],
    turns: Collection[int],
    chosen: TurnProbabilities = None,
) -> selection.DrawResult:
    """Draw in these turns by the pool's rule, from the runs that existed when its job started.

    `chosen` has the drawn turns with their probabilities, unless the rule draws all turns.
    """
    if pool.scorer is None:
        raise PoolError(f"the pool {pool.name} has no scorer to be drawn by")
    rule = replace(Rule.from_dict(pool.rule), runs=frozenset(runs))
    return draws.draw(rule, sampling_queries.turn_answers(pool.dataset, pool.scorer, turns), chosen)
