"""The job that looks at the runs that a pool was not drawn from."""

from collections.abc import Mapping
from typing import Any

from corpus.models import Dataset
from exports.late_runs import queries
from exports.late_runs.stored_figures import LateFigures, LateResult
from jobs.handlers import Beat, single_chunk
from jobs.models import Job
from jobs.transactions import snapshot


def look_at_late_runs(job: Job, params: Mapping[str, Any], beat: Beat) -> LateResult:
    """The figures by the current verdicts, from one snapshot."""
    dataset = Dataset.objects.select_related("study").get(pk=job.params["dataset"])
    stored = LateFigures(job.study, dataset)
    with snapshot():
        return {
            **stored.stamp(),
            "is_rehearsal": stored.runs.is_rehearsal,
            "runs": queries.late_runs(dataset, beat),
        }


LATE_RUNS = single_chunk(look_at_late_runs)
