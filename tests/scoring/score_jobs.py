"""Start and run the scoring job of a data set, with the parameters that the command gives it."""

from corpus.models import Dataset
from jobs.actions import execution, jobs
from jobs.models import Job


def score_job(dataset: Dataset, metric: str = "f1", scorer: object = "", **params: object) -> Job:
    job_params = {
        "dataset": dataset.pk,
        "metric": metric,
        "scorer": str(scorer),
        "bf16": False,
        **params,
    }
    key = f"{dataset} {metric} {scorer}".strip()[-200:]
    by = dataset.created_by
    return jobs.start(study=dataset.study, kind="score", key=key, params=job_params, by=by)


def score(dataset: Dataset, metric: str = "f1", scorer: object = "", **params: object) -> Job:
    return execution.run(score_job(dataset, metric, scorer, **params))
