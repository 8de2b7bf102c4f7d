"""Imports as jobs: one chunk each, so that a file is written whole or not at all."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from activity.handlers import Beat, Handler, JobFailedError, PlannedChunk, RowError
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


def read_dataset(job: Job, params: Mapping[str, Any], beat: Beat) -> datasets.ReadDataset:
    files = {name: Path(path) for name, path in job.params["files"].items()}
    try:
        return datasets.read(
            truth=files["truth"],
            questions=files.get("questions"),
            passages_file=files.get("passages"),
        )
    except ImportProblems as problems:
        raise failed(problems) from problems


def save_dataset(job: Job, params: Mapping[str, Any], read: datasets.ReadDataset) -> dict[str, Any]:
    try:
        imported = datasets.save(
            study=job.study, read=read, by=job.created_by, **job.params["settings"]
        )
    except datasets.ChangedError as error:
        raise JobFailedError(str(error)) from error
    return asdict(imported)


def read_run(job: Job, params: Mapping[str, Any], beat: Beat) -> runs.ReadRun:
    try:
        return runs.read(
            dataset=Dataset.objects.get(pk=job.params["dataset"]),
            path=Path(job.params["file"]),
            leave_out_unknown=job.params["leave_out_unknown"],
        )
    except ImportProblems as problems:
        raise failed(problems) from problems


def save_run(job: Job, params: Mapping[str, Any], read: runs.ReadRun) -> dict[str, Any]:
    settings = dict(job.params["settings"])
    settings["kind"] = RunKind(settings["kind"])
    dataset = Dataset.objects.select_related("study").get(pk=job.params["dataset"])
    try:
        imported = runs.save(dataset=dataset, read=read, by=job.created_by, **settings)
    except datasets.ChangedError as error:
        raise JobFailedError(str(error)) from error
    return asdict(imported)


IMPORT_DATASET = Handler(
    plan=one_chunk, compute=read_dataset, save=save_dataset, finish=result_of_chunk
)
IMPORT_RUN = Handler(plan=one_chunk, compute=read_run, save=save_run, finish=result_of_chunk)
