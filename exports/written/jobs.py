"""The job that computes the figures of written answers."""

from collections.abc import Mapping
from typing import Any, cast

from corpus.models import Dataset
from exports.written import folder
from exports.written.figures import figures
from exports.written.stored_figures import WrittenFigures, WrittenResult
from jobs.handlers import Beat, single_chunk
from jobs.models import Job
from jobs.transactions import snapshot
from stats.agreement.result import DEFAULT_REPLICATES
from stats.bootstrap_settings import Bootstrap

# As the command export_written, so that page and folder say the same.
BOOTSTRAP = Bootstrap(replicates=DEFAULT_REPLICATES, seed=0)


def compute_written(job: Job, params: Mapping[str, Any], beat: Beat) -> WrittenResult:
    """The figures of all counted answers, from one snapshot."""
    dataset = Dataset.objects.select_related("study").get(pk=job.params["dataset"])
    stored = WrittenFigures(job.study, dataset)
    with snapshot():
        found = folder.read(dataset, stored.batches)
        computed = found.about() | figures(found.written, BOOTSTRAP)
        return cast(WrittenResult, {**stored.stamp(), **computed})


WRITTEN_ANSWERS = single_chunk(compute_written)
