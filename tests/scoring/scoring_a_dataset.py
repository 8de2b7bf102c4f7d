"""The scoring job on a data set, started as the command does it."""

from corpus.models import Dataset
from jobs.actions import execution, jobs
from jobs.models import Job


def score_job(dataset: Dataset, metric: str = "f1", scorer: object = "", **params: object) -> Job:
    asked = {
        "dataset": dataset.pk,
        "metric": metric,
        "scorer": str(scorer),
        "bf16": False,
        **params,
    }
    key = f"{dataset} {metric} {scorer}".strip()[-200:]
    by = dataset.created_by
    return jobs.start(study=dataset.study, kind="score", key=key, params=asked, by=by)


def score(dataset: Dataset, metric: str = "f1", scorer: object = "", **params: object) -> Job:
    return execution.run(score_job(dataset, metric, scorer, **params))
