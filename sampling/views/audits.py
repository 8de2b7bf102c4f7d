"""Pages of audit samples: draw one from a pool's left-out answers, and show it."""

from typing import Any

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
from sampling.actions import audit_samples
from sampling.actions.pools import PoolError
from sampling.audit_samples.rule import REASONS
from sampling.forms.audits import AuditForm
from sampling.models import Pool, Purpose
from sampling.pools.selection import State

# What is in no stratum, and why it is not asked about.
NEVER_DRAWN = (
    State.SAME_AS_REFERENCE,
    State.SAME_AS_QUESTION,
    State.EMPTY,
    State.NO_REFERENCE,
    State.NO_SCORE,
)


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def pool_audit(request: StudyRequest, study: Study, pool: int) -> HttpResponse:
    """Draw an audit sample of the answers that the pool left out."""
    rows = study.pools.select_related("dataset__study", "study", "scorer", "audit_of")
    audited = get_object_or_404(rows, pk=pool)
    if (
        audited.purpose != Purpose.ANSWERS
        or audited.audit_of is not None
        or audited.built_at is None
    ):
        messages.error(request, "Only a pool that was drawn by a rule can be audited.")
        return redirect("pool", study=study.slug, pool=audited.pk)
    if audit_samples.draws_some_turns(audited):
        messages.error(request, "A pool that drew some of its questions only cannot be audited.")
        return redirect("pool", study=study.slug, pool=audited.pk)
    n_answers = audited.counts["n_answers"]
    form = AuditForm(request.POST or None, pool=audited.name, n_answers=n_answers)
    if request.method == "POST" and form.is_valid():
        drawn = _draw(request, audited, form)
        if drawn is not None:
            return drawn
    context = {
        "pool": audited,
        "form": form,
        "sizes": [form[reason.value] for reason in form.reasons],
        "never": [(state, n_answers[state]) for state in NEVER_DRAWN if n_answers[state]],
        "audits": audited.audits.order_by("created_at"),
    }
    return render(
        request, "sampling/audit_samples/new.html", context, status=400 if form.errors else 200
    )


def _draw(request: StudyRequest, pool: Pool, form: AuditForm) -> HttpResponse | None:
    """Redirect to the sample, or to the job that draws it.

    Return None with the errors in the form.
    """
    if form.rule is None:
        return None
    arguments: dict[str, Any] = {
        "pool": pool,
        "name": form.cleaned_data["name"],
        "rule": form.rule,
        "by": request.user,
    }
    try:
        if not audit_samples.is_at_once(pool):
            return hand_to_worker(request, audit_samples.begin(**arguments))
        audit = audit_samples.draw(**arguments)
    except (PoolError, JobStateError) as error:
        form.add_error(None, sentence(error))
    except ValidationError as error:
        form.add_error(None, validation_message(error))
    else:
        messages.success(request, f"The audit sample {audit.name} was drawn.")
        return redirect("pool", study=pool.study.slug, pool=audit.pk)
    return None


def context(audit: Pool) -> list[dict[str, Any]]:
    """The strata of an audit sample: the reason, how many distinct texts there were, and how many drawn."""
    strata = audit.counts["strata"]
    return [
        {
            "reason": reason,
            **strata[reason],
            "share": strata[reason]["n_drawn"] / strata[reason]["n"],
        }
        for reason in REASONS
        if strata[reason]["n"]
    ]
