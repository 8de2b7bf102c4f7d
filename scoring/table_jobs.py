"""Jobs that import scores from a file and that compare runs under every scorer."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from corpus import upload_files
from corpus.jobs import chunk_of_files, forget_upload, problems_as_failure
from corpus.models import Dataset, Turn
from corpus.readers import ragas
from corpus.readers.ragas import RagasTable
from corpus.score_table import ScoreTable
from jobs.handlers import Beat, Handler, JobFailedError, PlannedChunk, single_chunk
from jobs.models import Job
from scoring import run_comparison
from scoring.actions import ragas_scores, run_measures, score_imports, value_matrix
from scoring.denominators import Denominator
from scoring.figures import Figure, as_lists
from scoring.models import Scorer


def read_scores(job: Job, params: Mapping[str, Any], beat: Beat) -> ScoreTable | RagasTable:
    asked = {"scores": job.params["file"]}
    with problems_as_failure(), upload_files.local_files(asked) as files:
        if job.params.get("format") == "ragas":
            name = Path(job.params["file"]).name
            return ragas.read(files["scores"], metric=job.params["metric"], name=name)
        return score_imports.read(files["scores"], metric=job.params["metric"])


def save_scores(
    job: Job, params: Mapping[str, Any], records: ScoreTable | RagasTable
) -> dict[str, Any]:
    if isinstance(records, RagasTable):
        return _save_ragas(job, records)
    with problems_as_failure(), _changed_scores_as_failure():
        imported = score_imports.save(
            dataset=_dataset(job),
            metric=job.params["metric"],
            scorer=job.params["scorer"],
            records=records,
            file=Path(job.params["file"]).name,
            by=job.created_by,
            leave_out_unknown=job.params["leave_out_unknown"],
        )
    forget_upload(job)
    return asdict(imported)


def _save_ragas(job: Job, table: RagasTable) -> dict[str, Any]:
    with problems_as_failure(), _changed_scores_as_failure():
        imported = ragas_scores.save(
            dataset=_dataset(job),
            table=table,
            scorer=job.params["scorer"],
            run=job.params["run"],
            by=job.created_by,
        )
    forget_upload(job)
    of_metrics = imported.metrics.values()
    return {
        "scorer": job.params["scorer"],
        "n_new": sum(each.n_new for each in of_metrics),
        "n_unchanged": sum(each.n_unchanged for each in of_metrics),
        "n_left_out": 0,
        "metrics": list(imported.metrics),
        "n_empty": imported.n_empty,
    }


def _dataset(job: Job) -> Dataset:
    return Dataset.objects.select_related("study").get(pk=job.params["dataset"])


@contextmanager
def _changed_scores_as_failure() -> Iterator[None]:
    try:
        yield
    except score_imports.ScoresChangedError as error:
        raise JobFailedError(f"nothing was imported: {error}") from error


def turn_chunks(job: Job, size: int) -> list[PlannedChunk]:
    """Return chunks of all turns of the job's data set, in its order."""
    turns = list(Turn.objects.of(_dataset(job)).values_list("pk", flat=True))
    parts = (turns[start : start + size] for start in range(0, len(turns), size))
    return [PlannedChunk({"turns": part}, n_units=len(part)) for part in parts]


def plan_comparison(job: Job) -> list[PlannedChunk]:
    """Return a chunk for each scorer, in the page's order."""
    return [
        PlannedChunk({"scorer": scorer.pk})
        for scorer in run_measures.scorers(_dataset(job))
        if str(scorer.pk) in job.params["scorers"]
    ]


def compute_column(job: Job, params: Mapping[str, Any], beat: Beat) -> dict[str, Any]:
    """The figures of the runs by one scorer."""
    frame = value_matrix.frame(_dataset(job), only=job.params["runs"])
    scorer = Scorer.objects.get(pk=params["scorer"])
    result: dict[str, Any] = {
        "figures": {},
        "n_clusters": len(set(frame.clusters)),
    }
    for denominator, runs in value_matrix.run_values(
        frame, scorer, list(Denominator), beat
    ).items():
        beat()
        column = run_comparison.column(runs, frame.clusters)
        result["figures"][denominator] = as_lists(column.figures)
    return result


def save_column(job: Job, params: Mapping[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    return result


def correlate_columns(job: Job, beat: Beat) -> dict[str, Any]:
    """Compute the correlations of the scorers.

    This happens outside any transaction, because many scorers take a while.
    """
    chunks = list(job.chunks.parts())
    runs = job.params["runs"]
    layout = value_matrix.layout(value_matrix.competing_runs(_dataset(job), only=runs))
    correlations: dict[str, Any] = {}
    for denominator in Denominator:
        beat()
        columns = {
            chunk.params["scorer"]: run_comparison.Column(
                tuple(Figure(*row) for row in chunk.result["figures"][denominator])
            )
            for chunk in chunks
        }
        correlations[denominator] = as_lists(run_comparison.scorer_correlations(columns, layout))
    return {
        "n_runs": len(runs),
        "n_scorers": len(chunks),
        "n_clusters": chunks[0].result["n_clusters"],
        "correlations": correlations,
    }


def save_comparison(job: Job, result: dict[str, Any]) -> dict[str, Any]:
    return result


IMPORT_SCORES = single_chunk(read_scores, plan=chunk_of_files, save=save_scores)
COMPARE_RUNS = Handler(
    plan=plan_comparison,
    compute=compute_column,
    save=save_column,
    finish=save_comparison,
    conclude=correlate_columns,
)
