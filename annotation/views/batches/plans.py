"""The page of the plans of analysis of a batch."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.actions import analysis_plans as acts
from annotation.actions.analysis_plans import PlanError
from annotation.forms.plans import PlanForm
from annotation.models import Batch, Judgement
from annotation.queries import analysis_plans
from annotation.views.batches.pages import batch_of


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def batch_plan(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """What was frozen and what was decided later, and the form that freezes another plan."""
    found = batch_of(study, batch)
    form = PlanForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            plan = acts.freeze(batch=found, text=form.cleaned_data["plan"], by=request.user)
        except PlanError as error:
            form.add_error("plan", f"Nothing was frozen: {error}.")
        else:
            messages.success(request, f"The plan is frozen: {plan.sha256}.")
            return redirect("batch_plan", study=study.slug, batch=batch)
    return _page(request, found, form)


def _page(request: StudyRequest, batch: Batch, form: PlanForm) -> HttpResponse:
    frozen = analysis_plans.plans(batch)
    context = {
        "batch": batch,
        "form": form,
        "plans": frozen,
        "deviations": analysis_plans.deviations(batch, frozen),
        "n_judgements": Judgement.objects.filter(assignment__item__batch=batch).count(),
    }
    status = 400 if form.errors else 200
    return render(request, "annotation/batches/plan.html", context, status=status)
