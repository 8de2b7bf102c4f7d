"""The page on which pairs of accepted answers of a release are drawn."""

from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from exports.models import Release, ReleaseContents
from exports.relations import actions, queries
from exports.relations.actions import RelationError
from exports.relations.forms import PairsForm
from jobs.actions.jobs import JobStateError
from jobs.shortcuts import hand_to_worker
from pages.validation import validation_message
from pages.words import sentence
from sampling.actions.pools import PoolError


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def release_pairs(request: StudyRequest, study: Study, number: int) -> HttpResponse:
    """Start the job that draws pairs of accepted answers of the release, and list the pools of pairs that there are."""
    releases = Release.objects.filter(study=study, contents=ReleaseContents.DATASET)
    found = get_object_or_404(releases.select_related("dataset", "study"), number=number)
    pools = (
        queries.pools_of_pairs(found.dataset, is_rehearsal=found.is_rehearsal)
        if found.dataset
        else []
    )
    sent = request.POST if request.method == "POST" else None
    form = PairsForm(sent, initial={"name": f"pairs-{number}-{len(pools) + 1}"})
    if form.is_valid():
        started = _start(request, found, form)
        if started is not None:
            return started
    context = {"release": found, "form": form, "pools": pools}
    status = 400 if form.errors else 200
    return render(request, "exports/relations/draw.html", context, status=status)


def _start(request: StudyRequest, release: Release, form: PairsForm) -> HttpResponse | None:
    """Redirect to the job that draws. Return None with the errors in the form."""
    try:
        job = actions.begin(release=release, by=request.user, **form.settings())
    except (RelationError, PoolError, JobStateError) as error:
        form.add_error(None, sentence(error))
    except ValidationError as error:
        form.add_error(None, validation_message(error))
    else:
        return hand_to_worker(request, job)
    return None
