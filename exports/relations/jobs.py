"""The job that draws pairs of accepted answers of a release, in one chunk.

Two tables of the release are read, which can be large, and every pair of accepted answers gets a lot.
"""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError

from exports.models import Release
from exports.relations import actions
from exports.relations.actions import RelationError
from jobs.handlers import Beat, JobFailedError, single_chunk
from jobs.models import Job
from pages.validation import validation_message
from sampling.actions.answer_pairs import Accepted
from sampling.actions.pools import PoolError
from sampling.pairs.rule import PairRule


def _release(job: Job) -> Release:
    releases = Release.objects.select_related("study", "dataset__study")
    return releases.get(pk=job.params["release_id"])


def _rule(job: Job) -> PairRule:
    return PairRule(job.params["release"], job.params["n"], job.params["seed"])


def read(job: Job, params: Mapping[str, Any], beat: Beat) -> Accepted:
    """The chunk: the accepted answers of the release."""
    try:
        return actions.read_accepted(_release(job))
    except RelationError as error:
        raise JobFailedError(str(error)) from error


def draw(job: Job, params: Mapping[str, Any], accepted: Accepted) -> dict[str, Any]:
    """Draw pairs of them, and return the summary of their pool."""
    try:
        pool = actions.record(
            release=_release(job),
            name=job.key,
            rule=_rule(job),
            accepted=accepted,
            by=job.created_by,
        )
    except (RelationError, PoolError) as error:
        raise JobFailedError(str(error)) from error
    except ValidationError as error:
        raise JobFailedError(validation_message(error)) from error
    return {"pool": pool.name, "pool_id": pool.pk, **pool.counts}


DRAW_PAIRS = single_chunk(read, save=draw)
