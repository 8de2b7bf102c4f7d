"""The job that draws a comparison from very many answers, in one chunk."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError

from corpus.models import Dataset
from jobs.handlers import Beat, JobFailedError, single_chunk
from jobs.models import Job
from pages.validation import validation_message
from sampling.actions import comparisons, question_selection
from sampling.actions.pools import PoolError
from sampling.actions.question_selection import ComparisonSelection
from sampling.comparisons.rule import ComparisonRule


def choose(job: Job, params: Mapping[str, Any], beat: Beat) -> ComparisonSelection:
    rule = ComparisonRule.from_dict(job.params["rule"])
    try:
        return question_selection.choose(_dataset(job), rule)
    except PoolError as error:
        raise JobFailedError(str(error)) from error


def write(job: Job, params: Mapping[str, Any], selection: ComparisonSelection) -> dict[str, Any]:
    try:
        pool = comparisons.record(
            study=job.study,
            dataset=_dataset(job),
            name=job.key,
            selection=selection,
            by=job.created_by,
        )
    except PoolError as error:
        raise JobFailedError(str(error)) from error
    except ValidationError as error:
        raise JobFailedError(validation_message(error)) from error
    return {"pool": pool.name, "pool_id": pool.pk, **pool.counts}


def _dataset(job: Job) -> Dataset:
    return Dataset.objects.get(pk=job.params["dataset"])


DRAW_COMPARISON = single_chunk(choose, save=write)
