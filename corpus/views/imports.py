"""Import of data sets and runs: upload files, check them in a job, import them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from corpus import uploads
from corpus.actions import checked_imports
from corpus.actions.checked_imports import NotImportableError
from corpus.formats import DATASET_FORMATS, SCAI
from corpus.forms.imports import DatasetForm, RunsForm
from corpus.uploads import NotKeptError, Upload
from jobs import shortcuts
from jobs.actions.jobs import JobStateError
from pages.middleware import MB, takes_uploads
from pages.words import sentence

FORM_METHODS = ["GET", "HEAD", "POST"]


@require_http_methods(FORM_METHODS)
@takes_uploads
@guards.study(Role.REQUESTER)
def dataset_import(request: StudyRequest, study: Study) -> HttpResponse:
    format = DATASET_FORMATS.get(request.GET.get("format", ""), SCAI)
    if request.method != "POST":
        return _page(request, "dataset_import", DatasetForm(format=format))
    form = DatasetForm(request.POST, request.FILES, format=format, by=request.user)
    if not (form.is_valid() and (upload := _stored_upload(request, form, form.parts.values()))):
        form.keep_files()
        return _page(request, "dataset_import", form)
    job = checked_imports.check_dataset(
        study=study, upload=upload, parts=list(form.parts), settings=form.settings, by=request.user
    )
    return shortcuts.hand_to_worker(request, job)


@require_http_methods(FORM_METHODS)
@takes_uploads
@guards.study(Role.REQUESTER)
def run_import(request: StudyRequest, study: Study) -> HttpResponse:
    if not study.datasets.counting().exists():
        messages.info(request, "Runs answer a data set: import that first.")
        return redirect("dataset_import", study=study.slug)
    if request.method != "POST":
        form = RunsForm(study=study, initial={"dataset": request.GET.get("dataset")})
        return _page(request, "run_import", form)
    form = RunsForm(request.POST, request.FILES, study=study, by=request.user)
    if not (
        form.is_valid() and (upload := _stored_upload(request, form, form.cleaned_data["runs"]))
    ):
        form.keep_files()
        return _page(request, "run_import", form)
    job = checked_imports.check_runs(
        dataset=form.cleaned_data["dataset"],
        upload=upload,
        run_names=form.cleaned_data["names"],
        about=form.about,
        leave_out_unknown=form.cleaned_data["leave_out_unknown"],
        by=request.user,
    )
    return shortcuts.hand_to_worker(request, job)


def _page(request: StudyRequest, name: str, form: Form) -> HttpResponse:
    most = settings.MOST_UPLOAD_MB
    context = {
        "form": form,
        "formats": DATASET_FORMATS.values(),
        "most_mb": most,
        "most_bytes": most * MB,
    }
    return render(request, f"corpus/{name}.html", context)


def _stored_upload(request: StudyRequest, form: Form, files: Iterable[Any]) -> Upload | None:
    """Store the upload; return None and add an error to the form if it is not kept."""
    try:
        return uploads.keep(list(files), by=request.user)
    except NotKeptError as error:
        form.add_error(None, sentence(error))
        return None


@require_POST
@guards.study(Role.REQUESTER)
def import_checked(request: StudyRequest, study: Study, job: int) -> HttpResponse:
    """Import the files that a job checked."""
    checked = get_object_or_404(study.jobs.select_related("study"), pk=job)
    as_new_version = "as_new_version" in request.POST
    try:
        job_of_import = checked_imports.import_checked(
            job=checked,
            by=request.user,
            as_new_version=as_new_version,
            about=_descriptions(request.POST),
        )
    except (NotImportableError, JobStateError) as error:
        messages.error(request, sentence(error))
        return redirect("job", study=study.slug, job=checked.pk)
    return shortcuts.hand_to_worker(request, job_of_import)


def _descriptions(sent: Mapping[str, str]) -> dict[int, dict[str, str]]:
    """Return the description of each checked run by its place, from fields such as run-3-team."""
    found: dict[int, dict[str, str]] = defaultdict(dict)
    for name, value in sent.items():
        match = re.fullmatch(r"run-([0-9]{1,4})-(kind|team|system|setup)", name)
        if match:
            found[int(match[1])][match[2]] = value
    return found
