"""Scoring as jobs, a job for each metric; what is started twice is joined."""

from collections.abc import Iterable

from django.db import transaction

from accounts.models import User
from activity.actions import jobs
from activity.models import Job
from corpus.models import Dataset
from corpus.uploads import Upload
from scoring.actions import calibrating
from scoring.actions.calibrating import TwoStages
from scoring.models import Metric
from scoring.registry import DEFAULTS, MEASURES

METRICS = (*MEASURES, Metric.SAS.value)
# What is computed where nobody says which.
DEFAULT_METRICS = (*DEFAULTS, Metric.SAS.value)


@transaction.atomic
def score(
    *,
    dataset: Dataset,
    metrics: Iterable[str],
    model: str,
    by: User,
    bf16: bool = False,
    two_stages: TwoStages | None = None,
) -> list[Job]:
    """A job for each metric. `model` is where any worker finds the similarity model, for SAS.

    For SAS in two stages it is the job that calibrates them, which starts the one that scores.
    Raises JobStateError where one is unfinished that was started otherwise; then none is started.
    """
    return [
        calibrating.begin(dataset=dataset, model=model, bf16=bf16, wanted=two_stages, by=by)
        if two_stages and metric == Metric.SAS
        else _begin(dataset, metric, model if metric == Metric.SAS else "", bf16, by)
        for metric in metrics
    ]


def _begin(dataset: Dataset, metric: str, scorer: str, bf16: bool, by: User) -> Job:
    return jobs.start(
        study=dataset.study,
        kind="score",
        key=f"{dataset} {metric} {scorer}".strip()[-200:],
        params={"dataset": dataset.pk, "metric": metric, "scorer": scorer, "bf16": bf16},
        by=by,
    )


def import_scores(
    *,
    dataset: Dataset,
    upload: Upload,
    metric: str,
    scorer: str,
    leave_out_unknown: bool,
    by: User,
) -> Job:
    """The job that reads the one file of the upload and attaches its scores."""
    (path,) = upload.paths
    mark = f" (upload {upload.name[:8]})"
    return jobs.start(
        study=dataset.study,
        kind="import_scores",
        key=f"{dataset} {metric} {scorer}"[: 200 - len(mark)] + mark,
        params={
            "upload": upload.name,
            "file": str(path),
            "dataset": dataset.pk,
            "metric": metric,
            "scorer": scorer,
            "leave_out_unknown": leave_out_unknown,
        },
        by=by,
    )
