"""The two steps of an import on the pages: check the files, then import them."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from accounts import permissions
from accounts.models import Role, Study, User
from corpus import names, uploads
from corpus.actions.import_checks import Outcome
from corpus.actions.run_descriptions import KINDS
from corpus.actions.runs import ABOUT
from corpus.models import Dataset
from corpus.uploads import Upload
from jobs.actions import jobs
from jobs.models import Job, JobState

CHECKS = ("check_dataset", "check_runs")
# What is there already is not imported again, what is refused not at all.
WORTH_IT = (Outcome.NEW, Outcome.NEXT_VERSION, Outcome.DESCRIBED)


LONGEST = 200  # characters of a team, system or setup


class NotImportableError(Exception):
    """The checked files cannot be imported; the message says why and what to do."""


def check_dataset(
    *, study: Study, upload: Upload, parts: Sequence[str], settings: Mapping[str, Any], by: User
) -> Job:
    """Start a job that checks the files.

    `parts` has the kind of each: truth, questions, passages.
    """
    files = dict(zip(parts, upload.files, strict=True))
    return jobs.start(
        study=study,
        kind="check_dataset",
        key=_key(settings["name"], upload),
        params={"upload": upload.name, "files": files, "settings": dict(settings)},
        by=by,
    )


def check_runs(
    *,
    dataset: Dataset,
    upload: Upload,
    run_names: Sequence[str],
    about: Mapping[str, str],
    leave_out_unknown: bool,
    by: User,
) -> Job:
    """Start a job that checks one run for each file.

    `run_names` are in the order of the files; `about` applies to all runs.
    """
    runs = [
        {"file": file, "settings": {"name": name, **about}}
        for file, name in zip(upload.files, run_names, strict=True)
    ]
    return jobs.start(
        study=dataset.study,
        kind="check_runs",
        key=_key(f"{dataset}/{_short_list(run_names)}", upload),
        params={
            "upload": upload.name,
            "dataset": dataset.pk,
            "leave_out_unknown": leave_out_unknown,
            "runs": runs,
        },
        by=by,
    )


def import_checked(
    *,
    job: Job,
    by: User,
    as_new_version: bool = False,
    about: Mapping[int, Mapping[str, str]] = MappingProxyType({}),
) -> Job:
    """Start the import of the files that a job checked. Of runs only new ones are imported.

    A data set that is refused because another has its name can be imported as the next version.
    `about` describes runs by their place in the check, instead of what was said for all of them.
    Raises NotImportableError.
    """
    permissions.require(by, job.study, Role.REQUESTER)
    if job.kind not in CHECKS or job.state != JobState.DONE:
        raise NotImportableError(f"the job {job} has checked nothing that could be imported")
    try:
        is_kept = uploads.is_kept(job.params["upload"])
    except OSError as error:
        raise NotImportableError(
            f"the files cannot be looked for ({error.strerror or error}): try again later"
        ) from error
    if not is_kept:
        raise NotImportableError(
            "the files are no longer here: they were imported, or are older than 7 days. Send them again"
        )
    if job.kind == "check_dataset":
        return _import_dataset(job, by, as_new_version)
    return _import_runs(job, by, about)


def _import_dataset(job: Job, by: User, as_new_version: bool) -> Job:
    outcome = job.result["outcome"]
    if outcome not in WORTH_IT and not (outcome == Outcome.REFUSED and as_new_version):
        raise NotImportableError("nothing would be imported: see what the check found")
    settings = dict(job.params["settings"])
    settings["as_new_version"] = settings["as_new_version"] or as_new_version
    params = {**job.params, "settings": settings, "after": job.pk}
    name = settings["name"]
    return jobs.start(study=job.study, kind="import_dataset", key=name, params=params, by=by)


def _import_runs(job: Job, by: User, about: Mapping[int, Mapping[str, str]]) -> Job:
    runs = [
        run | {"settings": run["settings"] | _description(run, about.get(place, {}))}
        for place, run in runs_to_import(job)
    ]
    if not runs:
        raise NotImportableError("no run would be imported: see what the check found")
    params = {**job.params, "runs": runs, "after": job.pk}
    dataset = Dataset.objects.get(pk=job.params["dataset"])
    key = f"{dataset}/{_short_list([run['settings']['name'] for run in runs])}"[:200]
    return jobs.start(study=job.study, kind="import_runs", key=key, params=params, by=by)


def runs_to_import(job: Job) -> list[tuple[int, dict[str, Any]]]:
    """Return the checked runs that an import would add, with their places in the check."""
    found = zip(job.params["runs"], job.result["runs"], strict=True)
    return [
        (place, run) for place, (run, checked) in enumerate(found) if checked["outcome"] in WORTH_IT
    ]


def _description(run: Mapping[str, Any], about: Mapping[str, str]) -> dict[str, str]:
    """Return the description of a run without outer white space. Raises NotImportableError."""
    found = {field: about[field].strip() for field in ABOUT if field in about}
    for field, text in found.items():
        if flaw := _flaw(field, text):
            name = run["settings"]["name"]
            raise NotImportableError(f"the {field} of {name}: “{text[:60]}” {flaw}")
    return found


def _flaw(field: str, text: str) -> str:
    if field == "kind":
        return "" if text in KINDS else f"is not {' or '.join(KINDS)}"
    if len(text) > LONGEST:
        return f"has more than {LONGEST} characters"
    return names.flaw(text)


def _short_list(names: Sequence[str]) -> str:
    first, *more = names
    return f"{first} and {len(more)} more" if more else first


def _key(what: str, upload: Upload) -> str:
    """Return the job's key, marked with the upload so that each upload has its own check."""
    mark = f" · {upload.mark}"
    return what[: 200 - len(mark)] + mark
