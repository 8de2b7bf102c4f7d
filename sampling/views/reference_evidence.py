"""The page that starts the search for the evidence of a data set's references."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from corpus.models import Dataset
from corpus.versions import with_work_first
from jobs.actions.jobs import JobStateError
from jobs.models import Job
from jobs.shortcuts import hand_to_worker
from pages.validation import validation_message
from sampling.actions import reference_evidence
from sampling.actions.pools import PoolError
from sampling.actions.reference_evidence import ReferenceEvidenceRule
from sampling.forms.reference_evidence import ReferenceEvidenceForm
from sampling.forms.search import free_name, search_options
from sampling.models import Purpose
from scoring.commands import name_for_workers
from scoring.similarity_models import ModelError


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def reference_evidence_new(request: StudyRequest, study: Study) -> HttpResponse:
    """Start the job that finds the evidence, and list what was found before."""
    datasets = list(with_work_first(study.datasets.counting().select_related("study")))
    initial = {"name": free_name(study, "references"), "dataset": request.GET.get("dataset")}
    form = ReferenceEvidenceForm(request.POST or None, datasets=datasets, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            job = _start(request, datasets, form.cleaned_data)
        except (PoolError, ModelError, JobStateError) as error:
            form.add_error(None, f"Nothing was begun: {str(error).rstrip('.')}.")
        except ValidationError as error:
            form.add_error("name", validation_message(error))
        else:
            return hand_to_worker(request, job)
    pools = study.pools.filter(purpose=Purpose.REFERENCES).select_related("dataset")
    context = {
        "form": form,
        "has_datasets": bool(datasets),
        "pools": pools.order_by("-created_at", "-pk"),
    }
    status = 400 if form.errors else 200
    return render(request, "sampling/evidence/new_references.html", context, status=status)


def _start(request: StudyRequest, datasets: Sequence[Dataset], cleaned: Mapping[str, Any]) -> Job:
    return reference_evidence.begin(
        dataset=next(each for each in datasets if each.pk == cleaned["dataset"]),
        name=cleaned["name"],
        rule=ReferenceEvidenceRule(**search_options(cleaned)),
        model=name_for_workers(cleaned["scorer"]),
        by=request.user,
    )
