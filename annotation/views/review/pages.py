"""Pages for reviews: people, judgements, the preview of a decision, the history and undoing."""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.actions import bulk_reviews, review_plans
from annotation.actions.bulk_reviews import BrokenOffError
from annotation.forms.review import ReviewForm
from annotation.models import Batch, Item, ReviewAct
from annotation.queries import batch_workers, before_decision, review_effects, review_overview
from annotation.queries.review_effects import Plan, Step
from annotation.review_decisions import Decision, ReviewError
from annotation.views.review import judgement_list
from annotation.views.review.wording import decision_in_words, effect_sentences
from pages.listing import Column, Listing

PER_PAGE = 25
MOST_CHOSEN = 100_000
TOO_MANY = (
    f"More than {MOST_CHOSEN:,} judgements are selected, the maximum of one decision: filter the list, for"
    " example by annotator, and decide on one part after the other."
)
# The most refused decisions that the preview names.
MOST_REFUSED = 20

PEOPLE = (
    Column("annotator", "Annotator", ("number",)),
    Column("judged", "Judged", ("n_judged",), is_number=True),
    Column("reviewed", "Reviewed", is_number=True),
    Column("uncounted", "Not counted", is_number=True),
    Column("unpaid", "Not paid", is_number=True),
    Column("seconds", "Median seconds", is_number=True),
    Column("alike", "Agreement with others", is_number=True),
)

reviewer = guards.study(Role.ADJUDICATOR, Role.REQUESTER)


def batch_of(study: Study, pk: int) -> Batch:
    return get_object_or_404(Batch.objects.select_related("study", "guideline"), study=study, pk=pk)


@require_safe
@reviewer
def batch_review(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """The people who worked in the batch, with links to their judgements."""
    found = batch_of(study, batch)
    listing = Listing(request, batch_workers.members_at_work(found), columns=PEOPLE)
    context = {
        "batch": found,
        "listing": listing,
        "people": review_overview.person_summaries(
            found, listing.page, are_known=_may_see_names(request)
        ),
        "acts": review_overview.act_summaries(review_overview.act_history(found)[:3]),
    }
    return render(request, "annotation/review/people.html", context)


def _may_see_names(request: StudyRequest) -> bool:
    """Adjudicators see pseudonyms only."""
    return Role.REQUESTER in request.roles


@require_safe
@reviewer
def review_work(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = batch_of(study, batch)
    form = ReviewForm(may_ask=Role.REQUESTER in request.roles)
    return _list_page(request, found, form, _listing(request, found, request))


def _listing(request: StudyRequest, batch: Batch, list_request: HttpRequest) -> Listing:
    names = review_overview.member_names(batch.study, are_known=_may_see_names(request))
    return judgement_list.listing(batch, list_request, names, request.user)


def _list_page(
    request: StudyRequest,
    batch: Batch,
    form: ReviewForm,
    listing: Listing,
    ticked: Sequence[int] = (),
) -> HttpResponse:
    names = review_overview.member_names(batch.study, are_known=_may_see_names(request))
    lines = judgement_list.judgement_lines(batch, listing.page, names, request.user)
    context = {
        "batch": batch,
        "listing": listing,
        "lines": lines,
        "form": form,
        "ticked": set(ticked),
        "query": listing.query.urlencode(),
        "person": listing.chosen(listing.filters[0]),
        "hides_votes": Role.ADJUDICATOR in request.roles
        and before_decision.hides_votes(request.user),
    }
    status = 400 if form.errors else 200
    return render(request, "annotation/review/work.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@reviewer
def review_decide(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """Sent from the list: the preview of the decision. Sent from the preview: the decision."""
    found = batch_of(study, batch)
    work = reverse("review_work", kwargs={"study": study.slug, "batch": batch})
    if request.method != "POST":
        return redirect(work)
    form = ReviewForm(request.POST, may_ask=Role.REQUESTER in request.roles)
    list_request = _list_request(request, work)
    listing = _listing(request, found, list_request)
    chosen = _chosen_keys(request, listing)
    if not chosen:
        form.add_error(None, "No judgement is selected: tick some, or all that the list shows.")
    if len(chosen) > MOST_CHOSEN:
        form.add_error(None, TOO_MANY)
        chosen = []
    if not form.is_valid():
        return _list_page(request, found, form, listing, chosen)
    decisions: dict[int, Decision] = dict.fromkeys(chosen, form.cleaned_data["decision"])
    ask_again = form.cleaned_data.get("ask_again", False)
    if "confirm" in request.POST:
        try:
            act = bulk_reviews.decide(
                batch=found,
                decisions=decisions,
                by=request.user,
                ask_again=ask_again,
                seal=request.POST.get("seal", ""),
            )
        except BrokenOffError as error:
            messages.error(request, f"{error}.")
        except ReviewError as error:
            messages.error(request, f"Nothing was decided: {error}.")
        else:
            _report_done(request, act)
            return redirect(listing.address())
    plan = review_plans.plan(batch=found, decisions=decisions, by=request.user, ask_again=ask_again)
    fields = {name: form[name].value() for name in form.fields if form[name].value()}
    hidden_fields = {
        "chosen": ",".join(map(str, chosen)),
        "list": list_request.GET.urlencode(),
        **fields,
    }
    words = decision_in_words(form.cleaned_data["decision"])
    return _preview_page(
        request, plan, hidden_fields=hidden_fields, back=listing.address(), decision=words
    )


def _list_request(request: HttpRequest, path: str) -> HttpRequest:
    """A request for the list that the form was sent from."""
    list_request = HttpRequest()
    list_request.GET, list_request.path = QueryDict(request.POST.get("list", "")), path
    return list_request


def _chosen_keys(request: HttpRequest, listing: Listing) -> list[int]:
    """The keys of all judgements of the list, of those ticked, or of those in the preview's hidden field."""
    if "all" in request.POST:
        return list(listing.rows.values_list("pk", flat=True)[: MOST_CHOSEN + 1])
    keys_text = request.POST.getlist("judgement") or request.POST.get("chosen", "").split(",")
    keys = [int(each) for each in keys_text if re.fullmatch("[0-9]{1,18}", each)]
    return sorted(set(keys))


def _report_done(request: StudyRequest, act: ReviewAct) -> None:
    n = act.reviews.count()
    what = "undone for" if act.undoes else "applied to"
    messages.success(request, f"Decision {what} {n} judgement{'' if n == 1 else 's'}.")


def _preview_page(
    request: StudyRequest,
    plan: Plan,
    *,
    hidden_fields: dict[str, Any],
    back: str,
    decision: str = "",
    undoes: ReviewAct | None = None,
) -> HttpResponse:
    effects = review_effects.effects(plan)
    context = {
        "batch": plan.batch,
        "plan": plan,
        "effects": effects,
        "decision": decision,
        "sentences": effect_sentences(effects),
        "refused": _with_payloads(plan.refused[:MOST_REFUSED]),
        "n_more": max(len(plan.refused) - MOST_REFUSED, 0),
        "hidden_fields": hidden_fields,
        "back": back,
        "undoes": undoes,
    }
    return render(request, "annotation/review/preview.html", context)


def _with_payloads(steps: Sequence[Step]) -> Sequence[Step]:
    """The steps with the payloads of their items, which a plan does not read."""
    items = [step.judgement.assignment.item for step in steps]
    payloads = dict(
        Item.objects.filter(pk__in=[item.pk for item in items]).values_list("pk", "payload")
    )
    for item in items:
        item.payload = payloads[item.pk]
    return steps


@require_safe
@reviewer
def review_history(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """The acts of review in the batch, newest first; with `person`, those on that person's work."""
    found = batch_of(study, batch)
    rows = review_overview.act_history(found)
    person = request.GET.get("person", "")
    names = review_overview.member_names(study, are_known=_may_see_names(request))
    whose = next((pk for pk, (_, pseudonym) in names.items() if pseudonym == person), None)
    if whose is None:
        person = ""
    else:
        rows = rows.filter(reviews__judgement__assignment__annotator=whose).distinct()
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "batch": found,
        "page": page,
        "address": "?" + urlencode({"person": person, "page": ""}),
        "acts": review_overview.act_summaries(page),
        "person": person,
        "name": names[whose][0] if whose is not None else "",
    }
    return render(request, "annotation/review/history.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@reviewer
def review_undo(request: StudyRequest, study: Study, batch: int, act: UUID) -> HttpResponseBase:
    found = batch_of(study, batch)
    undone = get_object_or_404(found.review_acts.select_related("batch__study"), public_id=act)
    back = reverse("review_history", kwargs={"study": study.slug, "batch": batch})
    if request.method == "POST":
        try:
            made = bulk_reviews.undo(act=undone, by=request.user, seal=request.POST.get("seal", ""))
        except BrokenOffError as error:
            messages.error(request, f"{error}.")
        except ReviewError as error:
            messages.error(request, f"Nothing was undone: {error}.")
        else:
            _report_done(request, made)
            return redirect(back)
    decisions = bulk_reviews.undoing_decisions(undone)
    plan = review_plans.plan(batch=found, decisions=decisions, by=request.user, undoes=undone)
    return _preview_page(request, plan, hidden_fields={}, back=back, undoes=undone)
