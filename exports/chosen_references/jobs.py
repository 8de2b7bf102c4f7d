"""The job that compares the runs of a data set by truth, gold and silver references."""

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any

from corpus.models import Dataset, Run
from exports.chosen_references import queries
from exports.chosen_references.figures import ranking_figures
from exports.chosen_references.stored_figures import ReferencesFigures
from exports.meta_evaluation import queries as meta_evaluation_queries
from exports.meta_evaluation.stored_figures import MeasuresResult
from jobs.handlers import Beat, JobFailedError, single_chunk
from jobs.models import Job


def compute_rankings(job: Job, params: Mapping[str, Any], beat: Beat) -> MeasuresResult:
    dataset = Dataset.objects.select_related("study").get(pk=job.params["dataset"])
    stamp = ReferencesFigures(job.study, dataset).stamp()
    runs, measures = queries.runs_of(dataset), queries.measures_by_references(dataset)
    if not (runs and measures):
        raise JobFailedError("no run has scores against both the truth and accepted answers")
    rates, is_rehearsal = plausible_rates(dataset, runs)
    found = []
    for measure in measures:
        beat()
        means = queries.means(dataset, measure, runs, beat)
        figures = ranking_figures([run.name for run in runs], means, rates)
        about = {"name": measure.name, "choices": list(means), "is_rehearsal": is_rehearsal}
        found.append({**about, **figures})
    return {**stamp, "measures": found, "left_out": []}


def plausible_rates(dataset: Dataset, runs: Sequence[Run]) -> tuple[list[float], bool]:
    """Return the plausible rate of each run's settled answers, NaN without any, and whether it is a rehearsal's."""
    settled = meta_evaluation_queries.settled_answers(dataset)
    sums = meta_evaluation_queries.run_sums(settled, {})
    accepted, weights = sums.accepted.sum(axis=0), sums.weights.sum(axis=0)
    place = {run: at for at, run in enumerate(settled.runs)}
    rates = [
        float(accepted[place[run.pk]] / weights[place[run.pk]]) if weights[place[run.pk]] else nan
        for run in runs
    ]
    return rates, settled.is_rehearsal


RUNS_BY_REFERENCES = single_chunk(compute_rankings)
