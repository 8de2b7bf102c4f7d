"""Pages of jobs: progress, end, errors of the input."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from jobs import shortcuts
from jobs.actions import jobs as job_actions
from jobs.actions import liveness
from jobs.actions.jobs import JobStateError
from jobs.models import UNFINISHED, Job, JobState
from jobs.templatetags.jobs import kind_in_words
from pages import spreadsheet
from pages.listing import Column, Filter, Listing
from pages.words import sentence

COLUMNS = (
    Column("kind", "What", ("kind", "key")),
    Column("state", "State", ("state",)),
    Column("progress", "Progress"),
    Column("by", "Started by", ("created_by__username",)),
    Column("started", "Started", ("created_at",)),
    Column("ended", "Ended", ("finished_at",)),
)
PROBLEM_COLUMNS = (
    Column("file", "File", ("file", "number")),
    Column("row", "Row"),
    Column("field", "Field", ("field", "number")),
    Column("value", "Value"),
    Column("message", "What is wrong", ("message", "number")),
)
PROBLEM_FIELDS = ("file", "row", "field", "value", "message")


@require_safe
@vary_on_headers("HX-Request")
@guards.study(Role.REQUESTER)
def jobs(request: StudyRequest, study: Study) -> HttpResponse:
    """List the jobs; for htmx only the list.

    It is refreshed while any job of the study runs, as the filtered list may show that job next.
    """
    rows = study.jobs.with_progress().select_related("created_by").order_by("-created_at", "-pk")
    listing = Listing(
        request, rows, columns=COLUMNS, search=("key",), filters=(_states(), _kinds(study))
    )
    n_unfinished = study.jobs.unfinished().count()
    is_fragment = bool(request.headers.get("HX-Request"))
    template = "jobs/_jobs.html" if is_fragment else "jobs/jobs.html"
    context = {
        "listing": listing,
        "n_unfinished": n_unfinished,
        "is_moving": n_unfinished > 0,
    }
    return render(request, template, context)


def _states() -> Filter:
    states = {value: (str(label), Q(state=value)) for value, label in JobState.choices}
    return Filter(
        "state", "State", {"unfinished": ("Unfinished", Q(state__in=UNFINISHED)), **states}
    )


def _kinds(study: Study) -> Filter:
    kinds = study.jobs.order_by("kind").values_list("kind", flat=True).distinct()
    return Filter("kind", "Kind", {kind: (kind_in_words(kind), Q(kind=kind)) for kind in kinds})


@require_safe
@vary_on_headers("HX-Request")
@guards.study(Role.REQUESTER)
def job(request: StudyRequest, study: Study, job: int) -> HttpResponse:
    """Show a job; for htmx only the part that changes while it runs.

    For htmx on a page that waits for what the job makes, show the progress, and at its end reload
    the page, unless static/js/computed.js prevents it.
    """
    found = _job(study, job)
    is_fragment = bool(request.headers.get("HX-Request"))
    if is_fragment and request.GET.get("part") == "progress":
        if found.state not in UNFINISHED:
            return HttpResponse(headers={"HX-Refresh": "true"})
        context = {"job": found, "is_left_alone": liveness.is_left_alone(found)}
        return render(request, "jobs/_awaited_progress.html", context)
    template = "jobs/_job.html" if is_fragment else "jobs/job.html"
    return render(request, template, {"job": found, **_state(request, found)})


def _job(study: Study, pk: int) -> Job:
    rows = study.jobs.with_progress().select_related("created_by", "study")
    found: Job = get_object_or_404(rows, pk=pk)
    return found


def _state(request: StudyRequest, job: Job) -> dict[str, Any]:
    is_unfinished = job.state in UNFINISHED
    state: dict[str, Any] = {"is_unfinished": is_unfinished}
    if is_unfinished:
        return state | {"is_left_alone": liveness.is_left_alone(job)}
    # The app that does the work has the templates of its results.
    app = settings.JOB_KINDS.get(job.kind, "jobs").partition(".")[0]
    listing = Listing(
        request, job.errors.all(), columns=PROBLEM_COLUMNS, search=PROBLEM_FIELDS, prefix="p-"
    )
    following = job.study.jobs.with_progress().filter(params__after=job.pk).order_by("-pk").first()
    return state | {
        "results": (f"{app}/jobs/{job.kind}.html", "jobs/_result.html"),
        "goes_on": (f"{app}/jobs/{job.kind}_resume.html", "jobs/_resume.html"),
        "problems": listing,
        "n_listed": job.errors.count() if job.n_errors else 0,
        "next": following,
        "is_next_unfinished": following is not None and following.state in UNFINISHED,
        # Whether what it found still waits for somebody to make use of it.
        "is_open": following is None or following.state in (JobState.FAILED, JobState.CANCELLED),
    }


@require_safe
@guards.study(Role.REQUESTER)
def problems(request: StudyRequest, study: Study, job: int) -> HttpResponseBase:
    """Return the listed errors of a job's input as a file for spreadsheets."""
    found = get_object_or_404(study.jobs, pk=job)
    rows = (
        (each.file_for_requesters, each.row, each.field, each.value, each.message_for_requesters)
        for each in found.errors.iterator()
    )
    return spreadsheet.download(f"problems-of-job-{found.pk}.csv", PROBLEM_FIELDS, rows)


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def cancel(request: StudyRequest, study: Study, job: int) -> HttpResponse:
    found = _job(study, job)
    if request.method == "POST":
        try:
            job_actions.cancel(job=found, by=request.user)
            messages.success(request, "The job is cancelled.")
        except JobStateError as error:
            messages.error(request, sentence(error))
        return redirect("job", study=study.slug, job=found.pk)
    return render(request, "_components/confirm.html", _about_cancelling(found))


def _about_cancelling(job: Job) -> dict[str, Any]:
    what = f"{kind_in_words(job.kind)}: {job.key}"
    kept = (
        f"Of its {job.n_units} parts, {job.n_done} are done. They stay." if job.n_units > 1 else ""
    )
    consequences = (
        f"{what} ends where it is.",
        kept,
        "What is being worked on in this moment is dropped.",
        "The job can be resumed later where it stopped.",
    )
    return {
        "title": "Cancel the job?",
        "consequences": [sentence for sentence in consequences if sentence],
        "button": "Cancel the job",
        "tone": "danger",
        "back": reverse("job", kwargs={"study": job.study.slug, "job": job.pk}),
    }


@require_POST
@guards.study(Role.REQUESTER)
def resume(request: StudyRequest, study: Study, job: int) -> HttpResponse:
    found = get_object_or_404(study.jobs.select_related("study"), pk=job)
    try:
        job_actions.resume(job=found, by=request.user)
    except JobStateError as error:
        messages.error(request, sentence(error))
        return redirect("job", study=study.slug, job=found.pk)
    return shortcuts.hand_to_worker(request, found)
