"""The expert's pages: accepted answers one after the other, blind, by keyboard."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation import schemes
from exports.models import PrecisionAudit, PrecisionItem
from exports.precision_audit import actions as precision_audit_actions
from exports.precision_audit import queries as precision_audit_queries
from exports.precision_audit.estimate import PrecisionError
from exports.precision_audit.queries import Standing

# Who may settle disputes may audit; nobody what they had a part in (precision_audit.actions.judge).
expert = guards.study(Role.ADJUDICATOR, Role.REQUESTER)


@require_safe
@expert
def precision_audits(request: StudyRequest, study: Study) -> HttpResponse:
    """The audits of the study, newest first, and how far each is."""
    audits = study.precision_audits.select_related("dataset", "drawn_by").order_by(
        "-drawn_at", "-pk"
    )
    found = [precision_audit_queries.standing(audit, request.user) for audit in audits]
    return render(request, "exports/precision_audit/audits.html", {"audits": found})


@require_safe
@expert
def precision_audit(request: StudyRequest, study: Study, audit: int) -> HttpResponse:
    """What this person is asked next; in the end that there is nothing left, and why."""
    found = _audit(study, audit)
    standing = precision_audit_queries.standing(found, request.user)
    if standing.next is None:
        return render(request, "exports/precision_audit/done.html", {"standing": standing})
    return _page(request, standing, standing.next)


@require_http_methods(["GET", "HEAD", "POST"])
@expert
def precision_item(request: StudyRequest, study: Study, audit: int, item: UUID) -> HttpResponseBase:
    """One answer: judged from here, or looked at again by who judged it."""
    found = _audit(study, audit)
    answer = get_object_or_404(_items(found), public_id=item)
    if request.method != "POST":
        return _page(request, precision_audit_queries.standing(found, request.user), answer)
    scheme, label = request.POST.get("scheme", ""), request.POST.get("label", "")
    if scheme in (schemes.ACCEPTANCE.name, schemes.GROUNDING.name) and not label:
        standing = precision_audit_queries.standing(found, request.user)
        return _page(request, standing, answer, wants=scheme, status=400)
    try:
        precision_audit_actions.judge(item=answer, scheme=scheme, label=label, by=request.user)
    except PrecisionError as error:
        messages.error(request, f"Nothing was saved: {error}.")
        return redirect("precision_audit", study=study.slug, audit=found.pk)
    if precision_audit_queries.asks(answer, precision_audit_queries.current(answer)):
        return redirect("precision_item", study=study.slug, audit=found.pk, item=item)
    return redirect("precision_audit", study=study.slug, audit=found.pk)


def _audit(study: Study, pk: int) -> PrecisionAudit:
    return get_object_or_404(study.precision_audits.select_related("dataset__study"), pk=pk)


def _items(audit: PrecisionAudit) -> Any:
    return audit.items.select_related("audit__study", "plausibility_item", "faithfulness_item")


def _page(
    request: StudyRequest,
    standing: Standing,
    item: PrecisionItem,
    *,
    wants: str = "",
    status: int = 200,
) -> HttpResponse:
    """The question that is asked; of an answer that is judged, what was said of it."""
    item = _items(standing.audit).get(pk=item.pk)
    said = precision_audit_queries.current(item)
    asked = precision_audit_queries.asks(item, said)
    is_own = item.pk not in precision_audit_queries.had_part([item], request.user)
    name = wants or request.GET.get("question", "")
    if not name or (name not in said and name != asked):
        # Who goes back sees what was said last.
        name = asked or max(said.values(), key=lambda row: row.pk).scheme
    before = said.get(name)
    is_acceptance = name == schemes.ACCEPTANCE.name
    shown = item.plausibility_item if is_acceptance else item.faithfulness_item
    context = {
        "standing": standing,
        "item": item,
        "scheme": schemes.get(name),
        "screen": f"annotation/schemes/{name}.html",
        "payload": shown.payload if shown else {},
        "chosen": before.label if before and before.judged_by_id == request.user.pk else "",
        "is_theirs": is_own and (before is None or before.judged_by_id == request.user.pk),
        "is_missing": status == 400,
        "others": [each for each in said if each != name],
    }
    return render(request, "exports/precision_audit/item.html", context, status=status)
