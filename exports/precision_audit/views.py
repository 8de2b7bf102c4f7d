"""The expert's pages of precision audits: one accepted answer after the other, judged blind."""

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
from annotation.models.limits import LONGEST_REASON
from exports.models import PrecisionAudit, PrecisionItem
from exports.precision_audit import actions as precision_audit_actions
from exports.precision_audit import queries as precision_audit_queries
from exports.precision_audit.estimate import PrecisionError
from exports.precision_audit.queries import AuditProgress

# Of these, nobody judges an answer that they had a part in: precision_audit.actions.judge refuses it.
expert = guards.study(Role.ADJUDICATOR, Role.REQUESTER)


@require_safe
@expert
def precision_audits(request: StudyRequest, study: Study) -> HttpResponse:
    """The audits of the study with their progress, newest first."""
    audits = study.precision_audits.select_related("dataset", "drawn_by").order_by(
        "-drawn_at", "-pk"
    )
    found = [precision_audit_queries.progress(audit, request.user) for audit in audits]
    return render(request, "exports/precision_audit/audits.html", {"audits": found})


@require_safe
@expert
def precision_audit(request: StudyRequest, study: Study, audit: int) -> HttpResponse:
    """The next answer for this person; without one a page that says why."""
    found = _audit(study, audit)
    progress = precision_audit_queries.progress(found, request.user)
    if progress.next is None:
        return render(request, "exports/precision_audit/done.html", {"progress": progress})
    return _page(request, progress, progress.next)


@require_http_methods(["GET", "HEAD", "POST"])
@expert
def precision_item(request: StudyRequest, study: Study, audit: int, item: UUID) -> HttpResponseBase:
    """One answer, to judge it or to correct one's judgement."""
    found = _audit(study, audit)
    answer = get_object_or_404(_items(found), public_id=item)
    if request.method != "POST":
        return _page(request, precision_audit_queries.progress(found, request.user), answer)
    scheme, label = request.POST.get("scheme", ""), request.POST.get("label", "")
    if scheme in (schemes.ACCEPTANCE.name, schemes.GROUNDING.name) and not label:
        progress = precision_audit_queries.progress(found, request.user)
        return _page(request, progress, answer, wanted=scheme, status=400)
    try:
        precision_audit_actions.judge(
            item=answer,
            scheme=scheme,
            label=label,
            by=request.user,
            comment=request.POST.get("comment", ""),
        )
    except PrecisionError as error:
        messages.error(request, f"Nothing was saved: {error}.")
        return redirect("precision_audit", study=study.slug, audit=found.pk)
    if precision_audit_queries.next_scheme(
        answer, precision_audit_queries.current_judgements(answer)
    ):
        return redirect("precision_item", study=study.slug, audit=found.pk, item=item)
    return redirect("precision_audit", study=study.slug, audit=found.pk)


def _audit(study: Study, pk: int) -> PrecisionAudit:
    return get_object_or_404(study.precision_audits.select_related("dataset__study"), pk=pk)


def _items(audit: PrecisionAudit) -> Any:
    return audit.items.select_related(
        "audit__study", "plausibility_item__batch", "faithfulness_item__batch"
    )


def _page(
    request: StudyRequest,
    progress: AuditProgress,
    item: PrecisionItem,
    *,
    wanted: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page of an answer: the next question or, if `wanted` or the address names one, that
    question.
    """
    item = _items(progress.audit).get(pk=item.pk)
    judgements = precision_audit_queries.current_judgements(item)
    next_scheme = precision_audit_queries.next_scheme(item, judgements)
    is_eligible = item.pk not in precision_audit_queries.items_influenced_by([item], request.user)
    name = wanted or request.GET.get("question", "")
    if not name or (name not in judgements and name != next_scheme):
        # A person who goes back sees the last judgement.
        name = next_scheme or max(judgements.values(), key=lambda row: row.pk).scheme
    judgement = judgements.get(name)
    is_own = judgement is not None and judgement.judged_by_id == request.user.pk
    is_acceptance = name == schemes.ACCEPTANCE.name
    shown = item.plausibility_item if is_acceptance else item.faithfulness_item
    context = {
        "progress": progress,
        "item": item,
        "scheme": schemes.get(name),
        "screen": f"annotation/schemes/{name}.html",
        "payload": shown.payload if shown else {},
        "shows_markdown": shown is not None and shown.batch.shows_markdown,
        "chosen": judgement.label if judgement and is_own else "",
        "comment": judgement.comment if judgement and is_own else "",
        "longest_comment": LONGEST_REASON,
        "can_judge": is_eligible and (judgement is None or is_own),
        "lacks_choice": status == 400,
        "other_questions": [each for each in judgements if each != name],
    }
    return render(request, "exports/precision_audit/item.html", context, status=status)
