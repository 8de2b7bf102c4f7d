"""Imports as jobs: one chunk each, so that a file is written whole or not at all."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError

from activity.handlers import Beat, Handler, JobFailedError, PlannedChunk, RowError, in_words
from activity.models import Job
from corpus.actions import datasets, runs
from corpus.models import Dataset, RunKind
from corpus.problems import ImportProblems


def one_chunk(job: Job) -> list[PlannedChunk]:
    return [PlannedChunk()]


def result_of_chunk(job: Job) -> dict[str, Any]:
    return dict(job.chunks.get().result)


def failed(problems: ImportProblems) -> JobFailedError:
    rows = [
        RowError(
            file=problem.file,
            row="" if problem.index is None else f"{problem.unit} {problem.index}",
            field=problem.field,
            value=problem.value,
            message=problem.message,
        )
        for problem in problems.problems
    ]
    n = len(rows)
    return JobFailedError(f"nothing was imported: {n} problem{'s' * (n != 1)}\n{problems}", rows)


@contextmanager
def said_in_words() -> Iterator[None]:
    """What can be wrong with a file or a name, as the failure of the job."""
    try:
        yield
    except ImportProblems as problems:
        raise failed(problems) from problems
    except datasets.ChangedError as error:
        raise JobFailedError(str(error)) from error
    except OSError as error:
        message = f"nothing was imported: {error.filename} cannot be read ({error.strerror})"
        raise JobFailedError(message) from error
    except ValidationError as error:
        raise JobFailedError(f"nothing was imported: {in_words(error)}") from error


def read_dataset(job: Job, params: Mapping[str, Any], beat: Beat) -> datasets.ReadDataset:
    files = {name: Path(path) for name, path in job.params["files"].items()}
    with said_in_words():
        return datasets.read(
            truth=files["truth"],
            questions=files.get("questions"),
            passages_file=files.get("passages"),
        )


def save_dataset(job: Job, params: Mapping[str, Any], read: datasets.ReadDataset) -> dict[str, Any]:
    with said_in_words():
        imported = datasets.save(
            study=job.study, read=read, by=job.created_by, **job.params["settings"]
        )
    return asdict(imported)


def read_run(job: Job, params: Mapping[str, Any], beat: Beat) -> runs.ReadRun:
    dataset = Dataset.objects.get(pk=job.params["dataset"])
    with said_in_words():
        return runs.read(
            dataset=dataset,
            path=Path(job.params["file"]),
            leave_out_unknown=job.params["leave_out_unknown"],
        )


def save_run(job: Job, params: Mapping[str, Any], read: runs.ReadRun) -> dict[str, Any]:
    settings = dict(job.params["settings"])
    settings["kind"] = RunKind(settings["kind"])
    dataset = Dataset.objects.select_related("study").get(pk=job.params["dataset"])
    with said_in_words():
        imported = runs.save(dataset=dataset, read=read, by=job.created_by, **settings)
    return asdict(imported)


IMPORT_DATASET = Handler(
    plan=one_chunk, compute=read_dataset, save=save_dataset, finish=result_of_chunk
)
IMPORT_RUN = Handler(plan=one_chunk, compute=read_run, save=save_run, finish=result_of_chunk)
