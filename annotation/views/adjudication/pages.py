"""The adjudicator's pages: the queue of disputes, and an item with all that happened to it."""

import re
from collections.abc import Iterable
from functools import wraps
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest, View
from accounts.models import Role, Study
from annotation import schemes
from annotation.actions import notes, reviews
from annotation.forms import adjudication as adjudication_forms
from annotation.models import Batch, BatchState, Item, UnclearMark, Verdict, VerdictState
from annotation.queries import (
    adjudication_access,
    guideline_issues,
    item_history,
    verdict_provenance,
)
from annotation.review_decisions import ReviewError
from annotation.schemes import payloads
from annotation.views.adjudication.double_adjudication import first_look

PER_PAGE = 25
# What a session remembers: the item that was settled last, and the reason that is to stand again.
LAST_SETTLED, KEPT_REASON = "last_settled", "kept_reason"

settles = guards.study(Role.ADJUDICATOR, Role.REQUESTER)


def decision(view: View) -> View:
    """A form of an item's page. Where it was refused the page stands at its address: read again, that leads
    back to the item.
    """

    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def sent(request: HttpRequest, study: str, item: UUID) -> HttpResponseBase:
        if request.method != "POST":
            return redirect("item", study=study, item=item)
        return view(request, study=study, item=item)

    return sent


@require_safe
@settles
def disputes(request: StudyRequest, study: Study) -> HttpResponse:
    """The items in dispute, most disputed first."""
    everything = item_history.dispute_queue(study, request.user)
    in_batches = {place.batch for place in everything}
    chosen = request.GET.get("batch", "")
    places = [place for place in everything if chosen in ("", str(place.batch))]
    page = Paginator(places, PER_PAGE).get_page(request.GET.get("page"))
    disputed = item_history.disputes_at(list(page), request.user)
    batches = study.batches.filter(pk__in=in_batches).order_by("name")
    context = {
        "page": page,
        "address": "?" + urlencode({"batch": chosen, "page": ""}),
        "disputes": disputed,
        "payloads": {each.item.pk: each.item.payload for each in disputed},
        "batches": batches,
        "chosen": chosen,
        "to_ask_more": _to_ask_more(request, batches),
        "n_all": len(everything),
        "progress": item_history.progress(study),
        "nobody_settles": _nobody_settles(request),
        "last": last_settled(request),
        "n_second": n_second(request),
        "unclear": _unclear(study),
    }
    return render(request, "annotation/adjudication/disputes.html", context)


def _to_ask_more(request: StudyRequest, batches: Iterable[Batch]) -> list[Batch]:
    """The batches of which a requester may ask for more judgements instead."""
    if Role.REQUESTER not in request.roles:
        return []
    return [each for each in batches if not each.is_rehearsal]


def _unclear(study: Study) -> list[tuple[Batch, int]]:
    """The batches whose guideline is marked somewhere, with how many marks stand."""
    marks = UnclearMark.objects.filter(
        item__batch__study=study, replaced_by=None, is_unclear=True
    ).order_by()
    n = dict(marks.values_list("item__batch").annotate(n=Count("pk")))
    return [(batch, n[batch.pk]) for batch in study.batches.filter(pk__in=n).order_by("name")]


def n_second(request: StudyRequest) -> int:
    """How many items wait for this adjudicator's second look."""
    if Role.ADJUDICATOR not in request.roles:
        return 0
    return adjudication_access.requests_open_for(
        request.user, first__item__batch__study=request.study
    ).count()


def last_settled(request: StudyRequest) -> Verdict | None:
    """What this person settled last in this session, while it can be taken back."""
    public_id = request.session.get(LAST_SETTLED)
    if public_id is None or Role.ADJUDICATOR not in request.roles:
        return None
    current = Verdict.objects.current().filter(
        item__batch__study=request.study,
        item__batch__state=BatchState.CLOSED,
        item__public_id=public_id,
        adjudication__adjudicated_by=request.user,
    )
    return current.select_related("item").first()


@require_safe
@settles
@first_look
def item(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    found = item_of(study, item)
    return page(request, found)


@decision
@guards.study(Role.ADJUDICATOR)
@first_look
def adjudicate(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    """Settle the item with a label, then go on to the next in the queue."""
    found = item_of(study, item)
    form = _adjudicate_form(found, request.POST)
    decided = {"item": found, "by": request.user, "seen": count(request, "seen")}
    if form.is_valid() and _done(form, reviews.adjudicate, **decided):
        messages.success(request, f"Settled as {form.cleaned_data['label']}.")
        kept = form.cleaned_data["reason"] if "keep" in request.POST else ""
        request.session[KEPT_REASON] = kept
        request.session[LAST_SETTLED] = str(found.public_id)
        return on_to_the_next(request, study)
    return page(request, found, adjudicate=form)


@decision
@settles
@first_look
def exclude(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    found, form = item_of(study, item), adjudication_forms.Decide(request.POST, prefix="exclude")
    decided = {"item": found, "by": request.user, "seen": count(request, "seen")}
    if form.is_valid() and _done(form, reviews.exclude, **decided):
        messages.success(request, "Excluded: the item has no verdict and counts nowhere.")
        return on_to_the_next(request, study)
    return page(request, found, exclude=form)


@decision
@settles
@first_look
def readmit(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    found, form = item_of(study, item), adjudication_forms.Decide(request.POST, prefix="readmit")
    if form.is_valid() and _done(form, reviews.readmit, item=found, by=request.user):
        messages.success(request, f"Taken in again. {_verdict_of_readmitted(found)}")
        return redirect("item", study=study.slug, item=item)
    return page(request, found, readmit=form)


def _verdict_of_readmitted(item: Item) -> str:
    verdict = item.verdicts.get(replaced_by=None)
    if verdict.label:
        return f"It is settled as {verdict.label}, as it was adjudicated."
    return "Settle the batch once more: that gives it its verdict."


@decision
@settles
@first_look
def note(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    found, form = item_of(study, item), adjudication_forms.Remark(request.POST, prefix="note")
    if form.is_valid() and _done(form, notes.note, item=found, by=request.user):
        messages.success(request, "Noted.")
        return redirect("item", study=study.slug, item=item)
    return page(request, found, note=form)


@require_POST
@guards.study(Role.REQUESTER)
def ask_again(request: StudyRequest, study: Study, item: UUID) -> HttpResponse:
    """Open one more place on the item; a closed batch opens again for it."""
    found = item_of(study, item)
    try:
        n_asked = count(request, "n_asked")
        reviews.ask_again(item=found, by=request.user, n_asked=n_asked)
    except ReviewError as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        _say_asked(request, Batch.objects.get(pk=found.batch_id))
    return redirect("item", study=study.slug, item=item)


def _say_asked(request: StudyRequest, batch: Batch) -> None:
    messages.success(
        request, f"One more judgement is asked for; the batch {batch.name} is {batch.state}."
    )
    if batch.deadline_at is not None and batch.deadline_at <= timezone.now():
        messages.warning(
            request, "Its deadline has passed: nobody is handed the item until you set a later one."
        )


def count(request: StudyRequest, name: str) -> int | None:
    """A number that the page took down when it was shown; None where the form has none."""
    text = request.POST.get(name)
    if text is None:
        return None
    return int(text) if re.fullmatch("[0-9]{1,18}", text) else -1  # what no page ever said


def item_of(study: Study, public_id: UUID) -> Item:
    items = Item.objects.select_related("batch__study", "batch__guideline", "turn__conversation")
    return get_object_or_404(items, batch__study=study, public_id=public_id)


def _adjudicate_form(
    item: Item, data: Any = None, reason: str = ""
) -> adjudication_forms.Adjudicate:
    scheme = schemes.get(item.batch.scheme)
    return adjudication_forms.Adjudicate(scheme, data, initial={"reason": reason})


def _fresh(item: Item) -> dict[str, forms.Form]:
    """The forms of the page besides the label's."""
    return {
        "exclude": adjudication_forms.Decide(prefix="exclude"),
        "readmit": adjudication_forms.Decide(prefix="readmit"),
        "note": adjudication_forms.Remark(prefix="note"),
        "unclear": adjudication_forms.Unclear(guideline_issues.sections(item.batch.guideline.text)),
    }


def _done(form: forms.Form, act: Any, **options: Any) -> bool:
    """Do the act with what the form says; what the act refuses becomes an error of the form."""
    try:
        act(**options, **form.cleaned_data)
    except ReviewError as error:
        form.add_error(None, f"Nothing was changed: {error}.")
        return False
    return True


def on_to_the_next(request: StudyRequest, study: Study) -> HttpResponse:
    """The first dispute left that this person may settle; else the queue, which says why."""
    following = item_history.next_dispute(study, request.user)
    if following is None or Role.ADJUDICATOR not in request.roles:
        return redirect("disputes", study=study.slug)
    return redirect("item", study=study.slug, item=following.public_id)


def page(
    request: StudyRequest,
    item: Item,
    *,
    adjudicate: adjudication_forms.Adjudicate | None = None,
    **sent: forms.Form,
) -> HttpResponse:
    """The item with all its forms; those that were `sent` and refused say why."""
    kept = request.session.get(KEPT_REASON, "")
    adjudicate = adjudicate or _adjudicate_form(item, reason=kept)
    other = _fresh(item) | sent
    verdict = item.verdicts.filter(replaced_by=None).select_related("adjudication").first()
    is_excluded = item.exclusions.filter(replaced_by=None, is_excluded=True).exists()
    is_own = item.assignments.filter(annotator=request.user).exists()
    obstacle = _obstacle(request, item, is_excluded=is_excluded, is_own=is_own)
    context = {
        "item": item,
        "scheme": schemes.get(item.batch.scheme),
        "screen": f"annotation/schemes/{item.batch.scheme}.html",
        "payload": payloads.as_numbered(item.payload),
        "verdict": verdict,
        "is_disputed": verdict is not None and verdict.state == VerdictState.DISPUTED,
        "is_excluded": is_excluded,
        "is_own": is_own,
        "n_asked": reviews.n_judgements_asked(item),
        "said": item_history.current_judgements(item),
        "lines": verdict_provenance.item_lines(item),
        "facts": verdict_provenance.facts(item, verdict),
        "marks": item.unclear_marks.filter(replaced_by=None, is_unclear=True),
        "is_kept": bool(kept),
        "last": last_settled(request),
        "behind": item_history.answer_source(item),
        "adjudicate": adjudicate,
        "obstacle": obstacle,
        "progress": item_history.progress(request.study),
        "nobody_settles": _nobody_settles(request),
        "forms": other,
        "back": reverse("disputes", kwargs={"study": request.study.slug}),
    }
    wrong = adjudicate.errors or any(form.errors for form in sent.values())
    return render(
        request, "annotation/adjudication/item.html", context, status=400 if wrong else 200
    )


def _nobody_settles(request: StudyRequest) -> bool:
    """Whether there is no adjudicator in the study; asked for who is none."""
    if Role.ADJUDICATOR in request.roles:
        return False
    return not request.study.memberships.with_role(Role.ADJUDICATOR).exists()


def _obstacle(request: StudyRequest, item: Item, *, is_excluded: bool, is_own: bool) -> str:
    """Why this person cannot give the item a label now; empty where they can."""
    scheme = schemes.get(item.batch.scheme)
    if not scheme.has_verdict:
        return f"Items of {scheme.name} end with no verdict: there is nothing to settle."
    if Role.ADJUDICATOR not in request.roles:
        return "Adjudicators settle items; you are not one in this study."
    if is_own:
        return "You were handed this item as an annotator: somebody else has to settle it."
    if is_excluded:
        return "The item is excluded. Take it in again first."
    if item.batch.state != BatchState.CLOSED:
        return f"The batch {item.batch.name} is {item.batch.state}: items are settled once it is closed."
    return ""
