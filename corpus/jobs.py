"""Jobs that import files, one chunk a file or data set, or check what an import would do.

A file or data set is imported as a whole or not at all. A job may name an upload (corpus.uploads),
which is removed when the import is committed.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from corpus import question_meta, upload_files, uploads
from corpus.actions import (
    carried_answers,
    datasets,
    import_checks,
    later_carry_over,
    read_back,
    runs,
    staged_imports,
)
from corpus.formats import DATASET_FORMATS, SCAI
from corpus.models import Dataset, Run
from corpus.problems import ImportProblems
from corpus.readers.base import ReadDataset
from jobs.actions import jobs
from jobs.handlers import (
    Beat,
    Handler,
    JobFailedError,
    PlannedChunk,
    RowError,
    result_of_chunk,
    single_chunk,
)
from jobs.models import Job
from pages.validation import validation_message

MEGABYTE = 1_000_000
# Of a check: something is wrong with the file or what was said of it.
WRONG = "wrong"
# What a check found and no import would bring in until somebody has mended or decided something.
UNUSABLE = (WRONG, import_checks.Outcome.REFUSED)


def chunk_of_files(job: Job) -> list[PlannedChunk]:
    """Return one chunk for all files of the job. Its units are megabytes, rounded up."""
    files = job.params["files"].values() if "files" in job.params else [job.params["file"]]
    with problems_as_failure():
        n_bytes = sum(upload_files.size(file) for file in files)
    return [PlannedChunk(n_units=max(1, -(-n_bytes // MEGABYTE)))]


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
    n = problems.n
    message = f"nothing was imported: {n:,} problem{'s' * (n != 1)}\n{problems}"
    return JobFailedError(message, rows, n)


@contextmanager
def problems_as_failure() -> Iterator[None]:
    """Raise JobFailedError instead of problems of a file or a name."""
    try:
        yield
    except ImportProblems as problems:
        raise failed(problems) from problems
    except upload_files.NotFoundError as error:
        raise JobFailedError(f"nothing was imported: {error}") from error
    except datasets.ChangedError as error:
        raise JobFailedError(str(error)) from error
    except OSError as error:
        what = error.filename or "a file"
        message = f"nothing was imported: “{what}” cannot be read ({error.strerror or error})"
        raise JobFailedError(message) from error
    except ValidationError as error:
        raise JobFailedError(f"nothing was imported: {validation_message(error)}") from error


def read_dataset(job: Job, params: Mapping[str, Any], beat: Beat) -> ReadDataset:
    format = DATASET_FORMATS[job.params["settings"].get("format", SCAI.name)]
    with problems_as_failure(), upload_files.local_files(job.params["files"]) as files:
        read = format.read(files, beat)
        if types := job.params["settings"].get("types"):
            question_meta.require_types(read.records.turns, types)
        name = job.params["settings"]["name"]
        read = read_back.with_version(study=job.study, name=name, read=read)
        return carried_answers.with_carried(study=job.study, name=name, read=read)


def _about(job: Job) -> dict[str, Any]:
    """Return what an import of a data set is told beside what its files hold."""
    fields = ("name", "licence", "citation", "as_new_version", "format")
    settings = job.params["settings"]
    return {name: value for name, value in settings.items() if name in fields}


def stage_dataset(job: Job, params: Mapping[str, Any], beat: Beat) -> datasets.StagedDataset:
    about = _about(job)
    named = Dataset.everything.filter(study=job.study, name=about["name"])
    staged_imports.clear_earlier(job, named, beat)
    read = read_dataset(job, params, beat)
    with problems_as_failure():
        return datasets.stage(
            study=job.study, read=read, by=job.created_by, job=job, beat=beat, **about
        )


def save_dataset(
    job: Job, params: Mapping[str, Any], staged: datasets.StagedDataset
) -> dict[str, Any]:
    with problems_as_failure():
        imported = datasets.publish(staged=staged, by=job.created_by)
    forget_upload(job)
    return without_nothing_carried(asdict(imported))


def without_nothing_carried(result: dict[str, Any]) -> dict[str, Any]:
    """Return the result without `carried` where nothing was, as of every first version and every run.

    Also without `description`, which only the check of a data set has.
    """
    optional = ("carried", "description")
    return {name: value for name, value in result.items() if name not in optional or value}


def forget_upload(job: Job) -> None:
    if name := job.params.get("upload"):
        # Where that fails, it is removed with the uploads that nobody imported.
        transaction.on_commit(lambda: uploads.forget(name), robust=True)


def check_dataset(
    job: Job, params: Mapping[str, Any], beat: Beat
) -> import_checks.Forecast | JobFailedError:
    """Return the forecast or the errors: a check that finds errors has not failed."""
    try:
        read = read_dataset(job, params, beat)
        with problems_as_failure():
            return import_checks.dataset(study=job.study, read=read, **_about(job))
    except JobFailedError as error:
        return error


def stage_carry_over(
    job: Job, params: Mapping[str, Any], beat: Beat
) -> later_carry_over.StagedCarryOver:
    dataset = Dataset.objects.select_related("study", "continues").get(pk=job.params["dataset"])
    staged_imports.clear_earlier(job, Run.everything.filter(dataset=dataset), beat)
    try:
        return later_carry_over.stage(dataset=dataset, by=job.created_by, job=job, beat=beat)
    except later_carry_over.CarryOverError as error:
        raise JobFailedError(f"nothing was taken along: {error}") from error


def save_carry_over(
    job: Job, params: Mapping[str, Any], staged: later_carry_over.StagedCarryOver
) -> dict[str, Any]:
    return later_carry_over.publish(staged=staged, by=job.created_by)


def read_run(job: Job, params: Mapping[str, Any], beat: Beat) -> runs.ReadRun:
    """Read the run of the job, or of the chunk if the job has several."""
    dataset = Dataset.objects.get(pk=job.params["dataset"])
    asked = {"run": (job.params | params)["file"]}
    with problems_as_failure(), upload_files.local_files(asked) as files:
        return runs.read(
            dataset=dataset,
            path=files["run"],
            leave_out_unknown=job.params["leave_out_unknown"],
            beat=beat,
        )


def stage_run(job: Job, params: Mapping[str, Any], beat: Beat) -> runs.StagedRun:
    about = dict((job.params | params)["settings"])
    name = about.pop("name")
    dataset = Dataset.objects.select_related("study").get(pk=job.params["dataset"])
    staged_imports.clear_earlier(job, Run.everything.filter(dataset=dataset, name=name), beat)
    read = read_run(job, params, beat)
    with problems_as_failure():
        return runs.stage(
            dataset=dataset,
            name=name,
            about=about,
            read=read,
            by=job.created_by,
            job=job,
            beat=beat,
        )


def save_run(job: Job, params: Mapping[str, Any], staged: runs.StagedRun) -> dict[str, Any]:
    with problems_as_failure():
        imported = runs.publish(staged=staged, by=job.created_by)
    return without_nothing_carried(asdict(imported))


def chunk_for_each_run(job: Job) -> list[PlannedChunk]:
    return [PlannedChunk(dict(run)) for run in job.params["runs"]]


def check_run(
    job: Job, params: Mapping[str, Any], beat: Beat
) -> import_checks.Forecast | JobFailedError:
    """Return the forecast or the errors of one file, so that the check of the others goes on."""
    about = dict(params["settings"])
    name = about.pop("name")
    dataset = Dataset.objects.select_related("study").get(pk=job.params["dataset"])
    try:
        read = read_run(job, params, beat)
        with problems_as_failure():
            return import_checks.run(dataset=dataset, read=read, name=name, about=about)
    except JobFailedError as error:
        return error


def save_check_of_run(
    job: Job, params: Mapping[str, Any], checked: import_checks.Forecast | JobFailedError
) -> dict[str, Any]:
    about = {"file": Path(params["file"]).name, "name": params["settings"]["name"]}
    return about | save_check(job, params, checked)


def save_check(
    job: Job, params: Mapping[str, Any], checked: import_checks.Forecast | JobFailedError
) -> dict[str, Any]:
    if isinstance(checked, import_checks.Forecast):
        return without_nothing_carried(asdict(checked))
    jobs.record_errors(job=job, errors=checked.errors, n=checked.n_errors)
    first_line = str(checked).partition("\n")[0]
    return {"outcome": WRONG, "problem": first_line, "n_problems": checked.n_errors}


def result_of_check_of_dataset(job: Job) -> dict[str, Any]:
    found = result_of_chunk(job)
    return found | {"found_problems": found["outcome"] in UNUSABLE}


def result_of_check_of_runs(job: Job) -> dict[str, Any]:
    found = results_of_chunks(job)
    return found | {"found_problems": any(run["outcome"] in UNUSABLE for run in found["runs"])}


def results_of_chunks(job: Job) -> dict[str, Any]:
    return {"runs": [chunk.result for chunk in job.chunks.all()]}


def results_of_import(job: Job) -> dict[str, Any]:
    forget_upload(job)
    return results_of_chunks(job)


CHECK_DATASET = single_chunk(
    check_dataset, plan=chunk_of_files, save=save_check, finish=result_of_check_of_dataset
)
CHECK_RUNS = Handler(
    plan=chunk_for_each_run,
    compute=check_run,
    save=save_check_of_run,
    finish=result_of_check_of_runs,
)
IMPORT_RUNS = Handler(
    plan=chunk_for_each_run,
    compute=stage_run,
    save=save_run,
    finish=results_of_import,
    clear=staged_imports.clear,
)
IMPORT_DATASET = single_chunk(
    stage_dataset, plan=chunk_of_files, save=save_dataset, clear=staged_imports.clear
)
CARRY_OVER = single_chunk(stage_carry_over, save=save_carry_over, clear=staged_imports.clear)
IMPORT_RUN = single_chunk(stage_run, plan=chunk_of_files, save=save_run, clear=staged_imports.clear)
