"""Start scoring jobs, one a metric. An equal unfinished job is used instead of a new one."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from accounts.models import User
from corpus.models import Dataset, References
from corpus.uploads import Upload
from jobs.actions import jobs
from jobs.actions.jobs import JobStateError
from jobs.models import Job
from scoring import queries as scoring_queries
from scoring.actions import calibration, derived_relevance
from scoring.actions.calibration import TwoStages
from scoring.models import Metric
from scoring.registry import DEFAULTS, MEASURES, Inputs

METRICS = (*MEASURES, *Metric.values)
# What is computed where nobody says which.
DEFAULT_METRICS = (*DEFAULTS, Metric.SAS.value)
RETRIEVAL_METRICS = {name for name, each in MEASURES.items() if each.inputs is Inputs.RETRIEVAL}


@transaction.atomic
def score(
    *,
    dataset: Dataset,
    metrics: Iterable[str],
    model: str,
    by: User,
    bf16: bool = False,
    two_stages: TwoStages | None = None,
    derive_relevance: bool = True,
    references: References = References.TRUTH,
) -> list[Job]:
    """Start a job for each metric.

    `references` are those that the answers are measured against, by metrics that do so.

    `model` names the similarity model for SAS, as every worker resolves it.

    For SAS in two stages it starts the calibration, which starts the scoring. With
    `derive_relevance` a ranking on a turn whose truth names no passage is measured against the
    passages that contain its answer; otherwise it is left out. Raises JobStateError, and starts no
    job, if an unfinished job has other parameters, or the data set has no such references.
    """
    _require_counting(dataset)
    _require_references(dataset, references, is_in_stages=bool(two_stages))
    derives = derive_relevance and derived_relevance.is_needed(dataset)
    return [
        calibration.begin(dataset=dataset, model=model, bf16=bf16, options=two_stages, by=by)
        if two_stages and metric == Metric.SAS
        else _begin(dataset, metric, _params(metric, model, bf16, references, derives=derives), by)
        for metric in metrics
    ]


def _require_counting(dataset: Dataset) -> None:
    if dataset.withdrawn_objection:
        raise JobStateError(dataset.withdrawn_objection)


def _require_references(dataset: Dataset, chosen: References, *, is_in_stages: bool) -> None:
    if chosen not in scoring_queries.choices_of(dataset):
        raise JobStateError(
            f"the data set {dataset} has no accepted answers: import a release of it as its next version first"
        )
    if is_in_stages and chosen != References.TRUTH:
        raise JobStateError(
            "SAS in two stages is calibrated on the truth: choose one stage, or the truth's references"
        )


def _params(
    metric: str, model: str, bf16: bool, references: References, *, derives: bool
) -> dict[str, Any]:
    params: dict[str, Any] = {
        "metric": metric,
        "scorer": model if metric == Metric.SAS else "",
        "bf16": bf16,
    }
    if derives and metric in RETRIEVAL_METRICS:
        params["derives_relevance"] = True
    if references != References.TRUTH and takes_references(metric):
        params["references"] = references.value
    return params


def takes_references(metric: str) -> bool:
    return scoring_queries.inputs_of(metric) is Inputs.REFERENCES


def _begin(dataset: Dataset, metric: str, params: dict[str, Any], by: User) -> Job:
    key = (str(dataset), metric, params["scorer"], params.get("references"))
    return jobs.start(
        study=dataset.study,
        kind="score",
        key=" ".join(part for part in key if part)[-200:],
        params={"dataset": dataset.pk, **params},
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
    format: str = "scores",
    run: str = "",
) -> Job:
    """Start the job that reads the one file of the upload and attaches its scores.

    With the format `ragas` a `metric` that is "" stands for all of the file, and `run` is that of rows that name none.
    """
    _require_counting(dataset)
    (file,) = upload.files
    mark = f" (upload {upload.mark})"
    return jobs.start(
        study=dataset.study,
        kind="import_scores",
        key=f"{dataset} {metric or format} {scorer}"[: 200 - len(mark)] + mark,
        params={
            "upload": upload.name,
            "file": file,
            "dataset": dataset.pk,
            "metric": metric,
            "scorer": scorer,
            "leave_out_unknown": leave_out_unknown,
            "format": format,
            "run": run,
        },
        by=by,
    )
