"""Draw a pool of plausible answers with the evidence by which people judge their faithfulness."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction

from accounts import permissions
from accounts.models import Role, Study, User
from audit import events
from corpus.models import Dataset
from jobs.actions import jobs
from jobs.models import Job, JobState
from sampling.actions.pools import PoolError, new_pool
from sampling.models import Candidate, EvidenceSpan, Pool, Purpose
from scoring.similarity_models import ModelError, find
from stats.lots import lot

KIND = "find_evidence"


@dataclass(frozen=True)
class EvidenceRule:
    """Every parameter of the search; `batch` is the one that found the answers plausible.

    sas_threshold   None keeps every sentence that overlaps; otherwise it belongs to the scorer
    sample          None takes all plausible answers; otherwise that many, drawn with the seed
    only_never_asked    without the answers that an earlier batch judged by evidence
    """

    batch: str
    scorer: str
    sas_threshold: float | None
    threshold: float = 0.3
    max_tokens: int = 100
    max_words: int = 200
    sample: int | None = None
    seed: int = 1
    only_never_asked: bool = False


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
    asking: Sequence[Candidate] | None = None,
) -> Job:
    """Start the job that finds the evidence of these candidates and builds the pool.

    `plausible` holds all plausible candidates. The pool may ask about some of them only, those in `asking` or
    a sample, but the search uses all of a turn's answers. `model` names the rule's scorer for workers; it is
    not part of the rule, which is published.

    With the name and rule of an unbuilt pool it resumes that pool's job. With another rule the name is free
    again if the job has failed or was cancelled. Raises PoolError if the name is taken, the rule is invalid,
    its model is missing or nothing is plausible, and ValidationError if the name is invalid.
    """
    permissions.require(by, study, Role.REQUESTER)
    require_valid(rule)
    require_model(rule, model)
    pool = study.pools.filter(name=name).first()
    if pool is not None and not _is_abandoned(pool, rule):
        return _resume(pool, plausible, rule, model, by)
    _require_plausible(plausible, rule)
    candidates = plausible if asking is None else asking
    if not candidates:
        raise PoolError(f"every plausible answer of the batch {rule.batch} was asked about already")
    chosen, share = _sample(candidates, rule)
    with transaction.atomic():
        if pool is not None:
            _discard(pool, by)
        pool = new_pool(
            study=study,
            dataset=dataset,
            name=name,
            purpose=Purpose.EVIDENCE,
            rule=asdict(rule),
            is_rehearsal=is_rehearsal,
            created_by=by,
        )
        _take(pool, chosen, share)
        events.record(study=study, by=by, verb="drew", target=pool, rule=pool.rule)
        return _start(pool, plausible, model, by)


def require_valid(rule: Any) -> None:
    """Refuse an invalid rule before the pool takes its name."""
    for field in ("max_tokens", "max_words", "sample"):
        count = getattr(rule, field, None)
        if count is not None and count < 1:
            raise PoolError(f"{field} is {count}, but has to be 1 or more")
    for field in ("threshold", "sas_threshold"):
        threshold = getattr(rule, field)
        if threshold is not None and not math.isfinite(threshold):
            raise PoolError(f"{field} is {threshold}, but has to be a finite number")


def require_model(rule: Any, model: str) -> None:
    """Refuse a missing model before the pool takes its name."""
    if rule.sas_threshold is not None:
        try:
            find(model)
        except ModelError as error:
            raise PoolError(str(error)) from error


def _require_plausible(plausible: Sequence[Candidate], rule: EvidenceRule) -> None:
    if not plausible:
        raise PoolError(f"the batch {rule.batch} has no plausible answers: settle it first")
    judged = Pool.objects.filter(pk__in={each.pool_id for each in plausible})
    if judged.exclude(purpose=Purpose.ANSWERS).exists():
        raise PoolError(
            f"the answers of the batch {rule.batch} were judged by evidence already: name the batch"
            " that found them plausible"
        )


def _start(pool: Pool, plausible: Sequence[Candidate], model: str, by: User) -> Job:
    params = {"pool": pool.pk, "model": model, "not_asked": _unasked_answers(pool, plausible)}
    return jobs.start(study=pool.study, kind=KIND, key=pool.name, params=params, by=by)


def _unasked_answers(pool: Pool, plausible: Sequence[Candidate]) -> dict[str, list[int]]:
    """Return the plausible answers that the pool does not ask about, by turn of the pool."""
    asked_sources = list(pool.candidates.values_list("source_id", "turn_id"))
    sources, turns = {source for source, _ in asked_sources}, {turn for _, turn in asked_sources}
    by_turn: dict[str, list[int]] = {}
    for each in plausible:
        if each.turn_id in turns and each.pk not in sources:
            by_turn.setdefault(str(each.turn_id), []).append(each.pk)
    return by_turn


def _is_abandoned(pool: Pool, rule: EvidenceRule) -> bool:
    """Return whether the pool is unbuilt, its job has ended, and `rule` is another one."""
    job = _job_of(pool)
    return (
        pool.built_at is None
        and pool.rule != asdict(rule)
        and (job is None or job.state in (JobState.FAILED, JobState.CANCELLED))
    )


def _discard(pool: Pool, by: User) -> None:
    Pool.objects.select_for_update().get(pk=pool.pk)  # a worker may be writing its last chunk still
    events.record(study=pool.study, by=by, verb="discarded", target=pool, rule=pool.rule)
    EvidenceSpan.objects.filter(pool=pool).delete()
    Candidate.objects.filter(pool=pool).delete()
    pool.delete()


def _job_of(pool: Pool) -> Job | None:
    return Job.objects.filter(study=pool.study, kind=KIND, key=pool.name).first()


def _resume(
    pool: Pool, plausible: Sequence[Candidate], rule: EvidenceRule, model: str, by: User
) -> Job:
    if pool.built_at is not None or pool.rule != asdict(rule):
        raise PoolError(f"there is a pool {pool.name} already in the study {pool.study.slug}")
    job = _job_of(pool)
    if job is None:
        return _start(pool, plausible, model, by)
    if job.state in (JobState.FAILED, JobState.CANCELLED):
        job.params["model"] = model  # which may have been moved meanwhile
        job.save(update_fields=["params"])
        jobs.resume(job=job, by=by)
    return job


def _sample(candidates: Sequence[Candidate], rule: EvidenceRule) -> tuple[list[Candidate], float]:
    """Return the candidates, or a sample by seed and text alone, and the share that was drawn."""

    def rank(candidate: Candidate) -> int:
        return lot(rule.seed, candidate.turn.key, candidate.text_sha256, separator=" ")

    n = len(candidates) if rule.sample is None else min(rule.sample, len(candidates))
    return sorted(candidates, key=rank)[:n], n / len(candidates)


def _take(pool: Pool, candidates: Sequence[Candidate], share: float) -> None:
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
        for candidate in candidates
    )
