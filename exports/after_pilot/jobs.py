"""The job that stores what a pilot showed."""

from collections.abc import Mapping
from typing import Any

from annotation.models import Batch
from exports.after_pilot.stored_figures import PilotResult, StoredPilotFigures
from jobs.handlers import Beat, single_chunk
from jobs.models import Job
from jobs.transactions import snapshot


def compute_pilot(job: Job, params: Mapping[str, Any], beat: Beat) -> PilotResult:
    """Return what the batch showed, from one snapshot."""
    batch = Batch.objects.select_related("study").get(pk=job.params["batch"])
    with snapshot():
        return StoredPilotFigures(job.study, batch).computed()


PILOT_FIGURES = single_chunk(compute_pilot)
