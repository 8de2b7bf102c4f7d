"""One judgement more of what did not settle: what it costs and saves, and asking for it."""

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
from annotation.actions import extra_judgements as acts
from annotation.forms.extra_judgements import More
from annotation.models import Batch, BatchState, Source, Verdict
from annotation.queries import extra_rounds
from annotation.queries.extra_rounds import Plan
from annotation.review_decisions import ReviewError
from annotation.views.batches.pages import deciding_batch_of
from stats.aggregation import consensus

# As settling begins with it where nothing was settled yet.
FIRST_RULE = "majority"


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def batch_more(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    """What asking once more would bring under a rule and a cap, which the address says (GET); ask (POST)."""
    found = deciding_batch_of(study, batch)
    if request.method == "POST":
        return _asked(request, found)
    form = More(_chosen(request.GET, found))
    if not form.is_valid():
        return _page(request, found, form, None, "", status=400)
    try:
        planned = acts.plan(batch=found, **form.cleaned_data)
    except ReviewError as error:
        return _page(request, found, form, None, str(error))
    why_none = "" if planned.items else acts.nothing_to_ask_message(planned)
    return _page(request, found, form, planned, why_none)


def _chosen(said: QueryDict, batch: Batch) -> dict[str, str]:
    """As the address says, else as the batch was asked last, else by the rule of its newest verdict, once."""
    last = batch.extra_rounds.last()
    rule, cap = (last.rule, last.cap) if last else (_rule_of(batch), 1)
    return {"rule": said.get("rule") or rule, "cap": said.get("cap") or str(cap)}


def _rule_of(batch: Batch) -> str:
    by_rule = Verdict.objects.current().filter(item__batch=batch, source=Source.CONSENSUS)
    newest = by_rule.exclude(rule="").order_by("-pk").values_list("rule", flat=True).first()
    return newest if newest in consensus.RULES else FIRST_RULE


def _asked(request: StudyRequest, batch: Batch) -> HttpResponseBase:
    form = More(request.POST)
    if not form.is_valid():
        return _page(request, batch, form, None, "", status=400)
    seal = request.POST.get("seal", "")
    where = {"study": batch.study.slug, "batch": batch.pk}
    try:
        made = acts.ask_more(batch=batch, by=request.user, seal=seal, **form.cleaned_data)
    except ReviewError as error:
        messages.error(request, f"Nothing was asked: {error}.")
        back = QueryDict(mutable=True)
        back.update({name: str(said) for name, said in form.cleaned_data.items()})
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
    form: More,
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
        "price": extra_rounds.plan_price(planned) if planned else None,
        "past": extra_rounds.past_rounds(batch),
        "level": consensus.LEVEL,
        "is_past_deadline": batch.deadline_at is not None and batch.deadline_at <= timezone.now(),
        "is_paused": batch.state == BatchState.PAUSED,
    }
    return render(request, "annotation/batches/more.html", context, status=status)
