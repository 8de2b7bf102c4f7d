"""The page that starts the search for evidence for the accepted answers of a batch."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation import schemes
from annotation.forms.evidence import EvidenceForm
from annotation.models import Batch
from annotation.queries import batch_progress, verdict_groups
from annotation.queries.candidates_and_flags import (
    accepted_candidates,
    candidates_to_ask,
    never_asked_candidates,
)
from annotation.views.batches.pages import batch_of
from jobs.actions.jobs import JobStateError
from jobs.shortcuts import hand_to_worker
from pages.words import sentence
from sampling.actions import evidence
from sampling.actions.pools import PoolError
from sampling.forms.search import free_name, search_options
from scoring.commands import name_for_workers
from scoring.similarity_models import ModelError


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def evidence_new(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    found = batch_of(study, batch)
    scheme = schemes.acceptance_scheme(found.scheme)
    if found.withdrawn_objection:
        messages.error(request, sentence(found.withdrawn_objection))
        return redirect("batch", study.slug, found.pk)
    groups = verdict_groups.verdict_groups(found)
    n_accepted = verdict_groups.n_accepted(groups, found)
    n_never_asked = never_asked_candidates(found).count()
    form = EvidenceForm(
        request.POST or None,
        initial={"name": free_name(study, f"{found.name} evidence")},
        is_first=n_never_asked in (0, n_accepted),
    )
    if request.method == "POST" and form.is_valid():
        try:
            job = _start_job(found, form.cleaned_data, request)
        except (PoolError, ModelError, JobStateError) as error:
            form.add_error(None, f"Nothing was begun: {str(error).rstrip('.')}.")
        except ValidationError as error:
            form.add_error(None, ValidationError(error.messages))
        else:
            return hand_to_worker(request, job)
    line = batch_progress.batch_line(found, groups)
    context = {
        "batch": found,
        "scheme": scheme,
        "grounding": schemes.GROUNDING,
        "form": form,
        "n_accepted": n_accepted,
        "n_never_asked": n_never_asked,
        "n_disputed": line.n_disputed,
        "is_settled": line.is_settled,
    }
    status = 400 if form.errors else 200
    return render(request, "annotation/batches/evidence.html", context, status=status)


def _start_job(batch: Batch, cleaned: dict[str, Any], request: StudyRequest) -> Any:
    rule = evidence.EvidenceRule(
        batch=batch.name,
        **search_options(cleaned),
        sample=cleaned["sample"],
        seed=cleaned["seed"],
        only_never_asked=cleaned.get("only_never_asked", False),
    )
    return evidence.begin(
        study=batch.study,
        dataset=batch.pool.dataset,
        name=cleaned["name"],
        plausible=list(accepted_candidates(batch).select_related("turn__conversation")),
        asking=candidates_to_ask(batch, only_never_asked=rule.only_never_asked),
        rule=rule,
        model=name_for_workers(cleaned["scorer"]),
        is_rehearsal=batch.is_rehearsal,
        by=request.user,
    )
