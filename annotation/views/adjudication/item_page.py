"""The page of an item for organisers, with its history and the forms of decisions."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation import curating, schemes
from annotation.actions import reviews
from annotation.forms import adjudication as adjudication_forms
from annotation.forms.written_decisions import WrittenForm
from annotation.models import Adjudication, BatchState, Item, Verdict, VerdictState
from annotation.queries import (
    answer_sources,
    before_decision,
    dispute_queue,
    guideline_issues,
    item_history,
    item_takers,
    verdict_provenance,
    written_pairs,
)
from annotation.queries.before_decision import Hidden
from annotation.queries.item_history import CurrentJudgement
from annotation.schemes import SchemeRole, curation, payloads
from annotation.views.adjudication import kept_reasons, pair_context
from annotation.views.adjudication.double_adjudication import redirect_to_second_look

# Key of the session: the item that was settled last.
LAST_SETTLED = "last_settled"

organiser = guards.study(Role.ADJUDICATOR, Role.REQUESTER)


@require_safe
@organiser
@redirect_to_second_look
def item(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    return item_page(request, item_of(study, item))


def item_of(study: Study, public_id: UUID) -> Item:
    items = Item.objects.select_related("batch__study", "batch__guideline", "turn__conversation")
    return get_object_or_404(items, batch__study=study, public_id=public_id)


def item_page(
    request: StudyRequest,
    item: Item,
    *,
    adjudicate: adjudication_forms.AdjudicationForm | None = None,
    own_text: str = "",
    status: int = 200,
    **refused_forms: forms.Form,
) -> HttpResponse:
    """The page with all its forms; those that were refused show their errors.

    `own_text` is an answer that somebody wrote while there was something to decide, shown so that it is not lost.
    """
    verdict = item.verdicts.filter(replaced_by=None).select_related("adjudication").first()
    is_excluded = item.exclusions.filter(replaced_by=None, is_excluded=True).exists()
    has_pairs = written_pairs.has_pairs(item.batch)
    pair = written_pairs.pair_of(item) if has_pairs else None
    is_own = written_pairs.is_own(request.user, item)
    obstacle = (
        pair_context.obstacle(request, item, pair)
        if has_pairs
        else _obstacle(request, item, is_excluded=is_excluded, is_own=is_own)
    )
    hidden = (
        before_decision.hidden_between(request.user, item, pair)
        if has_pairs
        else before_decision.hidden_from(request.user, item, verdict)
    )
    history = _history(item, verdict, hidden)
    if pair:
        of_pair = pair_context.context(
            request, item, pair, adjudicate if isinstance(adjudicate, WrittenForm) else None
        )
        adjudicate = of_pair["adjudicate"]
    adjudicate = adjudicate or adjudication_form(
        item,
        changes=settled_label(verdict),
        taken=_taken_version(request, item, verdict, history["judgements"]),
    )
    access = answer_sources.access(item, request.user)
    context = {
        "item": item,
        "scheme": schemes.get(item.batch.scheme),
        "screen": f"annotation/schemes/{item.batch.scheme}.html",
        "shows_markdown": item.batch.shows_markdown,
        "payload": payloads.content_by_number(item.payload),
        "verdict": verdict,
        "is_disputed": verdict is not None and verdict.state == VerdictState.DISPUTED,
        "is_excluded": is_excluded,
        "is_own": is_own,
        "n_asked": reviews.n_judgements_asked(item),
        "has_nobody": Role.REQUESTER in request.roles
        and bool(item_takers.without_taker(item.batch, {item.pk})),
        "hidden": hidden,
        **history,
        "marks": item.unclear_marks.filter(replaced_by=None, is_unclear=True),
        "settled_as": settled_label(verdict),
        "kept": None if settled_label(verdict) else kept_reasons.for_item(request, item),
        "last": last_settled(request),
        "offers_sources": access == answer_sources.Access.OFFERED,
        "source": answer_sources.source_of(item) if access == answer_sources.Access.SHOWN else None,
        "adjudicate": adjudicate,
        "obstacle": obstacle,
        "progress": dispute_queue.dispute_progress(request.study, batch=item.batch),
        "has_no_adjudicator": has_no_adjudicator(request),
        "forms": _blank_forms(item) | refused_forms,
        "back": reverse("disputes", kwargs={"study": request.study.slug}),
        "has_pairs": has_pairs,
        "own_text": own_text,
        "decided_third": pair_context.decided_third(item, pair) if has_pairs else None,
        **(of_pair if pair else {}),
    }
    has_errors = adjudicate.errors or any(form.errors for form in refused_forms.values())
    return render(
        request, "annotation/adjudication/item.html", context, status=400 if has_errors else status
    )


def _history(item: Item, verdict: Verdict | None, hidden: Hidden) -> dict[str, Any]:
    """What annotators said and what happened to the item, without what is hidden from the reader."""
    if hidden.votes:
        return {"judgements": [], "lines": [], "facts": []}
    with_reviews = not hidden.reviews
    return {
        "judgements": item_history.current_judgements(item),
        "lines": verdict_provenance.item_lines(item, with_reviews=with_reviews),
        "facts": verdict_provenance.facts(item, verdict, with_reviews=with_reviews),
    }


def settled_label(verdict: Verdict | None) -> str:
    """The label that the item is settled as; "" where it is not settled."""
    return verdict.label if verdict is not None else ""


def adjudication_form(
    item: Item,
    data: Any = None,
    *,
    changes: str = "",
    taken: Mapping[str, str] | None = None,
) -> adjudication_forms.AdjudicationForm:
    """The form of the label; where it `changes` a label, it asks for a confirmation.

    Where texts are decided too, the form has those of `taken`, a response, or else the original ones.
    """
    scheme = schemes.get(item.batch.scheme)
    if scheme.role == SchemeRole.CURATION:
        return adjudication_forms.CurationForm(
            scheme, item.payload, data, changes=changes, taken=taken
        )
    return adjudication_forms.AdjudicationForm(scheme, data, changes=changes)


def _taken_version(
    request: StudyRequest,
    item: Item,
    verdict: Verdict | None,
    judgements: Sequence[CurrentJudgement],
) -> Mapping[str, str] | None:
    """The response that the form begins with: of the judgement that `take` in the query names, else the decided one."""
    take = request.GET.get("take", "")
    for each in judgements:
        if str(each.assignment) == take:
            return each.response
    if verdict is None or not verdict.label:
        return None
    if verdict.adjudication:
        said: Mapping[str, str] = verdict.adjudication.response
        return said
    if schemes.get(item.batch.scheme).role != SchemeRole.CURATION:
        return None
    counted = sorted(
        (each for each in judgements if each.is_counted), key=lambda each: each.submitted_at
    )
    return curating.decided_response(
        curation.originals(item.payload),
        item.payload["made"]["type"],
        verdict.label,
        [each.response for each in counted],
    )


def _blank_forms(item: Item) -> dict[str, forms.Form]:
    """The forms of the page, except that of the label."""
    return {
        "exclude": adjudication_forms.ReasonForm(prefix="exclude"),
        "readmit": adjudication_forms.ReasonForm(prefix="readmit"),
        "note": adjudication_forms.NoteForm(prefix="note"),
        "unclear": adjudication_forms.UnclearSectionForm(
            guideline_issues.sections(item.batch.guideline.text)
        ),
    }


def last_settled(request: StudyRequest) -> Verdict | Adjudication | None:
    """What this person decided last in this session, a verdict or which written answer stands, if it can be retracted."""
    public_id = request.session.get(LAST_SETTLED)
    if public_id is None or Role.ADJUDICATOR not in request.roles:
        return None
    current = Verdict.objects.current().filter(
        item__batch__study=request.study,
        item__batch__state=BatchState.CLOSED,
        item__public_id=public_id,
        adjudication__adjudicated_by=request.user,
    )
    return current.select_related("item").first() or _last_between_answers(request, public_id)


def _last_between_answers(request: StudyRequest, public_id: str) -> Adjudication | None:
    decided = Adjudication.objects.not_retracted().filter(
        item__batch__study=request.study,
        item__batch__state=BatchState.CLOSED,
        item__batch__scheme__in=written_pairs.SCHEMES,
        item__public_id=public_id,
    )
    last = decided.select_related("item").last()
    return last if last and last.adjudicated_by_id == request.user.pk else None


def has_no_adjudicator(request: StudyRequest) -> bool:
    """Whether the study has no adjudicator; False without a query for an adjudicator."""
    if Role.ADJUDICATOR in request.roles:
        return False
    return not request.study.memberships.with_role(Role.ADJUDICATOR).exists()


def _obstacle(request: StudyRequest, item: Item, *, is_excluded: bool, is_own: bool) -> str:
    """Why this person cannot give the item a label now; "" if they can."""
    scheme = schemes.get(item.batch.scheme)
    if not scheme.has_verdict:
        return f"Items of {scheme.name} get no verdict, so there is nothing to settle."
    if Role.ADJUDICATOR not in request.roles:
        return "Adjudicators settle items; you are not one in this study."
    if is_own:
        return "You were assigned this item as an annotator: somebody else has to settle it."
    if is_excluded:
        return "The item is excluded. Include it again first."
    if item.batch.state != BatchState.CLOSED:
        return f"The batch is {item.batch.state}: items are settled once it is closed."
    return ""


def posted_number(request: StudyRequest, name: str) -> int | None:
    """A number in a hidden field; None without the field, -1 for anything but a number."""
    text = request.POST.get(name)
    if text is None:
        return None
    return int(text) if re.fullmatch("[0-9]{1,18}", text) else -1


def redirect_to_next_dispute(request: StudyRequest, study: Study) -> HttpResponse:
    """Redirect to the first dispute that this person may settle; else to the page of disputes."""
    following = dispute_queue.next_dispute(study, request.user)
    if following is None or Role.ADJUDICATOR not in request.roles:
        return redirect("disputes", study=study.slug)
    return redirect("item", study=study.slug, item=following.public_id)
