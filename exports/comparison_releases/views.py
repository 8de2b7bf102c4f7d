"""The page on which a comparison of systems is released."""

from typing import Any

from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.models import Batch, BatchState
from exports.comparison import queries as comparison_queries
from exports.comparison.errors import ComparisonError
from exports.comparison_releases.forms import NewComparisonRelease
from exports.comparison_releases.queries import unfinished_batches
from exports.models import ReleaseContents
from exports.writers import stored_folders
from exports.writers.errors import ReleaseError
from jobs.actions import jobs
from jobs.actions.jobs import JobStateError
from jobs.models import Job
from jobs.shortcuts import hand_to_worker

KIND = "release_comparison"

requester = guards.study(Role.REQUESTER)


@require_http_methods(["GET", "HEAD", "POST"])
@requester
def comparison_release_new(request: StudyRequest, study: Study) -> HttpResponseBase:
    form = NewComparisonRelease(study, request.POST if request.method == "POST" else None)
    if not form.batches:
        return redirect("compared_study", study=study.slug)
    if request.method == "POST" and form.is_valid():
        try:
            return hand_to_worker(request, _start_job(study, form, request))
        except (ComparisonError, ReleaseError, JobStateError) as error:
            form.add_error(None, f"There is no release: {error}.")
    context = _context(request, study, form)
    return render(
        request, "exports/comparison_releases/new.html", context, status=400 if form.errors else 200
    )


def _context(request: StudyRequest, study: Study, form: NewComparisonRelease) -> dict[str, Any]:
    left_out = _left_out(request, form.batches)
    batches = [batch for batch in form.batches if batch.name not in left_out]
    releases = study.releases.filter(contents=ReleaseContents.COMPARISON)
    last = releases.filter(is_withdrawn=False).order_by("-number").first()
    withdrawn = releases.filter(is_withdrawn=True, number__gt=last.number if last else 0)
    return {
        "form": form,
        "batches": [(batch, batch.name in left_out) for batch in form.batches],
        "is_rehearsal": any(batch.is_rehearsal for batch in form.batches),
        "is_any_open": any(batch.state != BatchState.CLOSED for batch in form.batches),
        "n_counted": comparison_queries.n_counted(batches),
        "last": last,
        "withdrawn": list(withdrawn.order_by("number")),
        "last_batches": [each["name"] for each in last.manifest["batches"]] if last else [],
    }


def _left_out(request: StudyRequest, batches: list[Batch]) -> set[str]:
    """The names that are ticked: those sent or, from the comparison of one batch, all others."""
    only = request.GET.get("only", "")
    names = {batch.name for batch in batches}
    if request.method != "POST" and only in names:
        return names - {only}
    return names & set(request.POST.getlist("without"))


def _start_job(study: Study, form: NewComparisonRelease, request: StudyRequest) -> Job:
    """Start the job of the release. Raises ComparisonError if it would be refused now."""
    batches = form.batches_to_release()
    with_open_batches = form.cleaned_data["with_open_batches"]
    unfinished_batches(batches, is_allowed=with_open_batches)
    if not comparison_queries.n_counted(batches):
        raise ComparisonError("nobody has compared anything yet")
    return jobs.start(
        study=study,
        kind=KIND,
        key=study.slug,
        params={
            "batches": [batch.name for batch in batches],
            "with_open_batches": with_open_batches,
            "mark": stored_folders.mark(),
        },
        by=request.user,
    )
