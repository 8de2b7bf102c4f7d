"""The page that plans and starts a round of extra judgements."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.actions import extra_judgement_plans
from annotation.actions import extra_judgements as acts
from annotation.forms.extra_judgements import ExtraRoundForm
from annotation.models import Batch, BatchState, Source, Verdict
from annotation.queries import extra_rounds, few_rows
from annotation.queries.extra_rounds import Plan
from annotation.review_decisions import ReviewError
from annotation.views.batches.pages import verdict_batch_of
from stats.aggregation import consensus

# The rule on the page if the batch was never settled.
DEFAULT_RULE = "majority"


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def batch_more(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    """GET shows the plan for the rule and cap in the query string, POST starts the round."""
    found = verdict_batch_of(study, batch)
    if request.method == "POST":
        return _ask_more(request, found)
    form = ExtraRoundForm(_form_data(request.GET, found))
    if not form.is_valid():
        return _page(request, found, form, None, "", status=400)
    try:
        planned = extra_judgement_plans.plan(batch=found, **form.cleaned_data)
    except ReviewError as error:
        return _page(request, found, form, None, str(error))
    why_none = "" if planned.items else acts.nothing_to_ask_message(planned)
    return _page(request, found, form, planned, why_none)


def _form_data(query: QueryDict, batch: Batch) -> dict[str, str]:
    """Rule and cap of the query string; else of the batch's last round; else its newest rule and 1."""
    last = batch.extra_rounds.last()
    rule, cap = (last.rule, last.cap) if last else (_newest_rule(batch), 1)
    return {"rule": query.get("rule") or rule, "cap": query.get("cap") or str(cap)}


def _newest_rule(batch: Batch) -> str:
    # From the newest verdict on, of which the first ones are nearly always the batch's: joined with the batch's
    # items, all its verdicts are read and sorted.
    by_rule = Verdict.objects.current().filter(source=Source.CONSENSUS).exclude(rule="")
    of_batch = few_rows.at(by_rule, "item__batch", [batch.pk])
    newest = of_batch.order_by("-pk").values_list("rule", flat=True).first()
    return newest if newest in consensus.RULES else DEFAULT_RULE


def _ask_more(request: StudyRequest, batch: Batch) -> HttpResponseBase:
    form = ExtraRoundForm(request.POST)
    if not form.is_valid():
        return _page(request, batch, form, None, "", status=400)
    seal = request.POST.get("seal", "")
    where = {"study": batch.study.slug, "batch": batch.pk}
    try:
        made = acts.ask_more(batch=batch, by=request.user, seal=seal, **form.cleaned_data)
    except ReviewError as error:
        messages.error(request, f"Nothing was asked: {error}.")
        back = QueryDict(mutable=True)
        back.update({name: str(value) for name, value in form.cleaned_data.items()})
        return redirect(f"{reverse('batch_more', kwargs=where)}?{back.urlencode()}")
    n = made.asked.count()
    items = "1 item" if n == 1 else f"{n:,} items"
    messages.success(
        request, f"One judgement more is asked of {items}. Close the batch and settle it after."
    )
    return redirect("batch", study=batch.study.slug, batch=batch.pk)


def _page(
    request: StudyRequest,
    batch: Batch,
    form: ExtraRoundForm,
    planned: Plan | None,
    why_none: str,
    *,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "batch": batch,
        "form": form,
        "plan": planned,
        "why_none": why_none,
        "price": extra_rounds.plan_price(planned) if planned and planned.items else None,
        "past": extra_rounds.past_rounds(batch),
        "level": consensus.LEVEL,
        "is_past_deadline": batch.deadline_at is not None and batch.deadline_at <= timezone.now(),
        "is_paused": batch.state == BatchState.PAUSED,
    }
    return render(request, "annotation/batches/more.html", context, status=status)
