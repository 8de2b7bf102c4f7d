"""Scores as tables, by jobs: imported from a file, and averaged by run."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from math import fsum
from pathlib import Path
from typing import Any

from activity.handlers import Beat, Handler, JobFailedError, PlannedChunk
from activity.models import Job
from corpus.jobs import forget_upload, one_chunk, result_of_chunk, said_in_words
from corpus.models import Dataset, Turn
from corpus.records import ScoreRecord
from scoring import tables
from scoring.actions import importing
from scoring.models import Scorer

TURNS_A_CHUNK = 1000


def read(job: Job, params: Mapping[str, Any], beat: Beat) -> tuple[ScoreRecord, ...]:
    with said_in_words():
        return importing.read(Path(job.params["file"]), metric=job.params["metric"])


def save(job: Job, params: Mapping[str, Any], records: tuple[ScoreRecord, ...]) -> dict[str, Any]:
    with said_in_words(), _said_of_scores():
        imported = importing.save(
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


def _dataset(job: Job) -> Dataset:
    return Dataset.objects.select_related("study").get(pk=job.params["dataset"])


@contextmanager
def _said_of_scores() -> Iterator[None]:
    try:
        yield
    except importing.ScoresChangedError as error:
        raise JobFailedError(f"nothing was imported: {error}") from error


def turns_in_chunks(job: Job, size: int) -> list[PlannedChunk]:
    """All turns of the job's data set, in its order."""
    turns = list(Turn.objects.of(_dataset(job)).values_list("pk", flat=True))
    parts = (turns[start : start + size] for start in range(0, len(turns), size))
    return [PlannedChunk({"turns": part}, n_units=len(part)) for part in parts]


def plan(job: Job) -> list[PlannedChunk]:
    return turns_in_chunks(job, TURNS_A_CHUNK)


def add_up(job: Job, params: Mapping[str, Any], beat: Beat) -> dict[str, dict[str, Any]]:
    """By run and scorer, how many scores there are and their sum."""
    dataset = _dataset(job)
    found: dict[str, dict[str, Any]] = {}
    for scorer in Scorer.objects.filter(pk__in=job.params["scorers"]):
        beat()
        for run_id, total in tables.totals(dataset, scorer, params["turns"]).items():
            found.setdefault(str(run_id), {})[str(scorer.pk)] = total
    return found


def keep(job: Job, params: Mapping[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    return found


def add_up_chunks(job: Job) -> dict[str, Any]:
    parts: dict[str, dict[str, list[tuple[int, float]]]] = {}
    for chunk in job.chunks.all():
        for run, by_scorer in chunk.result.items():
            for scorer, total in by_scorer.items():
                parts.setdefault(run, {}).setdefault(scorer, []).append(total)
    return {
        "totals": {
            run: {
                scorer: (sum(n for n, _ in found), fsum(total for _, total in found))
                for scorer, found in by_scorer.items()
            }
            for run, by_scorer in parts.items()
        }
    }


IMPORT_SCORES = Handler(plan=one_chunk, compute=read, save=save, finish=result_of_chunk)
AVERAGE_SCORES = Handler(plan=plan, compute=add_up, save=keep, finish=add_up_chunks)
