"""The job that compares what was decided with the release before."""

from collections.abc import Mapping
from typing import Any

from corpus.models import Dataset
from exports.releases.stored_figures import ChangesFigures, ChangesResult
from jobs.handlers import Beat, JobFailedError, single_chunk
from jobs.models import Job
from jobs.transactions import snapshot


def compare_with_release(job: Job, params: Mapping[str, Any], beat: Beat) -> ChangesResult:
    """Return what a new release would change, from one snapshot."""
    dataset = Dataset.objects.select_related("study").get(pk=job.params["dataset"])
    try:
        with snapshot():
            return ChangesFigures(job.study, dataset).computed()
    except (OSError, ValueError) as error:
        raise JobFailedError(f"the release before cannot be read: {error}") from error


RELEASE_CHANGES = single_chunk(compare_with_release)
