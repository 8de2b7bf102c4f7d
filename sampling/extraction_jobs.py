"""The job that makes runs of the sentences of a pool's evidence, in one chunk."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError

from corpus.actions.datasets import ChangedError
from jobs.handlers import Beat, JobFailedError, single_chunk
from jobs.models import Job
from pages.validation import validation_message
from sampling.actions import extracted_answers
from sampling.actions.pools import PoolError
from sampling.evidence.extraction import Extraction
from sampling.models import Pool


def _pool(job: Job) -> Pool:
    pool = Pool.objects.select_related("study", "dataset__study").filter(pk=job.params["pool"])
    found = pool.first()
    if found is None:
        raise JobFailedError("the pool of the evidence was deleted")
    return found


def choose(job: Job, params: Mapping[str, Any], beat: Beat) -> Extraction:
    try:
        return extracted_answers.choose(_pool(job), job.params["most"])
    except PoolError as error:
        raise JobFailedError(str(error)) from error


def write(job: Job, params: Mapping[str, Any], extraction: Extraction) -> dict[str, Any]:
    pool, name = _pool(job), job.params["name"]
    try:
        return extracted_answers.record(
            pool=pool, name=name, extraction=extraction, by=job.created_by
        )
    except (PoolError, ChangedError) as error:
        raise JobFailedError(str(error)) from error
    except ValidationError as error:
        raise JobFailedError(validation_message(error)) from error


DRAW_SPANS = single_chunk(choose, save=write)
