"""Find the evidence for the references of all turns of a data set, as a pool that nobody is asked about."""

from dataclasses import asdict, dataclass

from django.db import transaction

from accounts import permissions
from accounts.models import Role, User
from audit import events
from corpus.models import Dataset
from jobs.actions import jobs
from jobs.models import Job, JobState
from sampling.actions.evidence import require_model, require_valid
from sampling.actions.pools import PoolError, new_pool
from sampling.models import Pool, Purpose
from scoring import queries as scoring_tables

KIND = "find_reference_evidence"


@dataclass(frozen=True)
class ReferenceEvidenceRule:
    """Every parameter of the search, as in `sampling.actions.evidence.EvidenceRule`."""

    scorer: str
    sas_threshold: float | None
    threshold: float = 0.3
    max_tokens: int = 100
    max_words: int = 200


def begin(*, dataset: Dataset, name: str, rule: ReferenceEvidenceRule, model: str, by: User) -> Job:
    """Start the job that finds the evidence and builds the pool.

    `model` names the rule's scorer for workers. With the name and rule of an unbuilt pool of the data set it resumes
    that pool's job. Raises PoolError if the name is taken, the rule is invalid, its model is missing or no turn has a
    reference, and ValidationError if the name is invalid.
    """
    study = dataset.study
    permissions.require(by, study, Role.REQUESTER)
    require_valid(rule)
    require_model(rule, model)
    before = study.pools.filter(name=name).first()
    if before is not None:
        return _resume(before, dataset, rule, model, by)
    if not scoring_tables.references(dataset):
        raise PoolError(f"no turn of {dataset} has a reference")
    with transaction.atomic():
        pool = new_pool(
            study=study,
            dataset=dataset,
            name=name,
            purpose=Purpose.REFERENCES,
            rule=asdict(rule),
            created_by=by,
        )
        events.record(study=study, by=by, verb="drew", target=pool, rule=pool.rule)
        return _start(pool, model, by)


def _start(pool: Pool, model: str, by: User) -> Job:
    params = {"pool": pool.pk, "model": model}
    return jobs.start(study=pool.study, kind=KIND, key=pool.name, params=params, by=by)


def _resume(pool: Pool, dataset: Dataset, rule: ReferenceEvidenceRule, model: str, by: User) -> Job:
    is_same = (pool.dataset_id, pool.purpose, pool.rule) == (
        *(dataset.pk, Purpose.REFERENCES),
        asdict(rule),
    )
    if pool.built_at is not None or not is_same:
        raise PoolError(f"there is a pool {pool.name} already in the study {pool.study.slug}")
    job = Job.objects.filter(study=pool.study, kind=KIND, key=pool.name).first()
    if job is None:
        return _start(pool, model, by)
    if job.state in (JobState.FAILED, JobState.CANCELLED):
        job.params["model"] = model  # which may have been moved meanwhile
        job.save(update_fields=["params"])
        jobs.resume(job=job, by=by)
    return job
