"""Drawing a pool of answers found plausible, with the evidence to judge their faithfulness by."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from django.db import transaction

from accounts.models import Study, User
from activity.actions import events, jobs
from activity.models import Job, JobState
from corpus.models import Dataset
from sampling.actions.drawing import PoolError, new_pool
from sampling.models import Candidate, Pool, Purpose

KIND = "find_evidence"


@dataclass(frozen=True)
class EvidenceRule:
    """Every parameter of the search; `batch` is where the answers were found plausible.

    sas_threshold   None keeps every sentence that overlaps; otherwise it belongs to the scorer
    sample          None takes all plausible answers; otherwise that many, drawn with the seed
    """

    batch: str
    scorer: str
    sas_threshold: float | None
    threshold: float = 0.3
    max_tokens: int = 100
    max_words: int = 200
    sample: int | None = None
    seed: int = 1


def begin(
    *,
    study: Study,
    dataset: Dataset,
    name: str,
    plausible: Sequence[Candidate],
    rule: EvidenceRule,
    model: str,
    is_rehearsal: bool,
    by: User,
) -> Job:
    """The job that finds the evidence of these candidates and builds the pool.

    `model` is where a worker finds the rule's scorer; it is no part of the rule, which is published.
    Asked again with the same name and rule while the pool is not built, it goes on with the job.
    Raises PoolError where the name is taken, the rule cannot be meant or there is nothing plausible,
    and ValidationError where the pool cannot be called so.
    """
    _require_meant(rule)
    pool = study.pools.filter(name=name).first()
    if pool is not None:
        return _go_on(pool, rule, model, by)
    if not plausible:
        raise PoolError(f"the batch {rule.batch} has no plausible answers: settle it first")
    with transaction.atomic():
        pool = new_pool(
            study=study,
            dataset=dataset,
            name=name,
            purpose=Purpose.EVIDENCE,
            rule=asdict(rule),
            is_rehearsal=is_rehearsal,
            created_by=by,
        )
        _take(pool, plausible, rule)
        events.record(study=study, by=by, verb="drew", target=pool, rule=pool.rule)
        return _start(pool, model, by)


def _require_meant(rule: EvidenceRule) -> None:
    """Refuse a rule that no search could follow, before its pool's name is taken."""
    for field in ("max_tokens", "max_words", "sample"):
        count = getattr(rule, field)
        if count is not None and count < 1:
            raise PoolError(f"{field} is {count}, but has to be 1 or more")
    for field in ("threshold", "sas_threshold"):
        threshold = getattr(rule, field)
        if threshold is not None and not math.isfinite(threshold):
            raise PoolError(f"{field} is {threshold}, but has to be a finite number")


def _start(pool: Pool, model: str, by: User) -> Job:
    params = {"pool": pool.pk, "model": model}
    return jobs.start(study=pool.study, kind=KIND, key=pool.name, params=params, by=by)


def _go_on(pool: Pool, rule: EvidenceRule, model: str, by: User) -> Job:
    if pool.built_at is not None or pool.rule != asdict(rule):
        raise PoolError(f"there is a pool {pool.name} already in the study {pool.study.slug}")
    job = Job.objects.filter(study=pool.study, kind=KIND, key=pool.name).first()
    if job is None:
        return _start(pool, model, by)
    if job.state in (JobState.FAILED, JobState.CANCELLED):
        job.params["model"] = model  # which may have been moved meanwhile
        job.save(update_fields=["params"])
        jobs.resume(job=job, by=by)
    return job


def _take(pool: Pool, plausible: Sequence[Candidate], rule: EvidenceRule) -> None:
    """Copy the candidates, or a sample of them, chosen by seed and text and by nothing else."""

    def rank(candidate: Candidate) -> str:
        name = f"{rule.seed} {candidate.turn.key} {candidate.text_sha256}"
        return hashlib.sha256(name.encode()).hexdigest()

    n = len(plausible) if rule.sample is None else min(rule.sample, len(plausible))
    share = n / len(plausible)
    Candidate.objects.bulk_create(
        Candidate(
            pool=pool,
            turn=candidate.turn,
            text=candidate.text,
            text_sha256=candidate.text_sha256,
            score=candidate.score,
            inclusion_probability=candidate.inclusion_probability * share,
            source=candidate,
        )
        for candidate in sorted(plausible, key=rank)[:n]
    )
