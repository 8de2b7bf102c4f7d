"""The page that makes answers of the sentences of a pool's evidence."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from jobs.actions.jobs import JobStateError
from jobs.shortcuts import hand_to_worker
from pages.validation import validation_message
from pages.words import sentence
from sampling.actions import extracted_answers
from sampling.actions.pools import PoolError
from sampling.forms.spans import SpansForm
from sampling.models import Pool


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def pool_spans(request: StudyRequest, study: Study, pool: int) -> HttpResponse:
    """Start the job that makes runs of the pool's sentences."""
    found = get_object_or_404(study.pools.select_related("dataset__study", "study"), pk=pool)
    if found.built_at is None or found.purpose not in extracted_answers.WITH_SPANS:
        messages.error(request, "Only a pool of evidence has sentences that can be asked about.")
        return redirect("pool", study=study.slug, pool=found.pk)
    form = SpansForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        started = _start(request, found, form)
        if started is not None:
            return started
    context = {"pool": found, "form": form}
    return render(
        request, "sampling/evidence/spans.html", context, status=400 if form.errors else 200
    )


def _start(request: StudyRequest, pool: Pool, form: SpansForm) -> HttpResponse | None:
    """Redirect to the job. Return None with the errors in the form."""
    try:
        job = extracted_answers.begin(pool=pool, **form.cleaned_data, by=request.user)
    except (PoolError, JobStateError) as error:
        form.add_error(None, sentence(error))
    except ValidationError as error:
        form.add_error("name", validation_message(error))
    else:
        return hand_to_worker(request, job)
    return None
