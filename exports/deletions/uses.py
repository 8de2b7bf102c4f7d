"""What uses a pool, a run or a version of a data set, in sentences. Only what nothing uses is deleted."""

from corpus.models import Dataset, Run
from exports.withdrawals import queries
from sampling.models import Pool
from scoring.models import ImportedScore


def of_pool(pool: Pool) -> list[str]:
    jobs = pool.study.jobs.unfinished().filter(key=pool.name) if pool.built_at is None else ()
    return [
        *queries.rests_on_pool(pool),
        *(f"The job {job.pk} builds it: cancel that first." for job in jobs),
    ]


def of_run(run: Run) -> list[str]:
    scores = ImportedScore.objects.filter(answer__run=run).count()
    return [
        *queries.rests_on_run(run),
        *([f"Scores that were imported for its answers: {scores:,}."] if scores else []),
    ]


def of_dataset(dataset: Dataset) -> list[str]:
    jobs = dataset.study.jobs.unfinished().filter(params__dataset=dataset.pk)
    continuing = [str(each) for each in dataset.continued_by.order_by("version")]
    return [
        *queries.rests_on_dataset(dataset),
        *([f"Versions that continue it: {', '.join(continuing)}."] if continuing else []),
        *(f"The job {job.pk} ({job}) works on it." for job in jobs.order_by("pk")),
    ]
