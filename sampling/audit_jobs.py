"""The job that draws an audit sample from very many answers, in one chunk."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError

from jobs.handlers import Beat, JobFailedError, single_chunk
from jobs.models import Job
from pages.validation import validation_message
from sampling.actions import audit_samples
from sampling.actions.audit_samples import AuditSelection
from sampling.actions.pools import PoolError
from sampling.audit_samples.rule import AuditRule
from sampling.models import Pool
from sampling.pools.selection import State


def _pool(job: Job) -> Pool:
    pools = Pool.objects.select_related("study", "dataset__study", "scorer")
    return pools.get(pk=job.params["pool"])


def _rule(job: Job, pool: Pool) -> AuditRule:
    sizes = {State(reason): n for reason, n in job.params["sizes"].items()}
    return AuditRule(pool.name, sizes, job.params["seed"])


def choose(job: Job, params: Mapping[str, Any], beat: Beat) -> AuditSelection:
    pool = _pool(job)
    try:
        return audit_samples.choose(pool, _rule(job, pool))
    except PoolError as error:
        raise JobFailedError(str(error)) from error


def write(job: Job, params: Mapping[str, Any], selection: AuditSelection) -> dict[str, Any]:
    pool = _pool(job)
    try:
        audit = audit_samples.record(
            pool=pool, name=job.key, rule=_rule(job, pool), selection=selection, by=job.created_by
        )
    except PoolError as error:
        raise JobFailedError(str(error)) from error
    except ValidationError as error:
        raise JobFailedError(validation_message(error)) from error
    return {"pool": audit.name, "pool_id": audit.pk, **audit_samples.summary(audit)}


DRAW_AUDIT = single_chunk(choose, save=write)
