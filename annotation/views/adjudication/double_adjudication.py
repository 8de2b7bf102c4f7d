"""Second looks (double adjudication): the page of a batch for requesters, and the queue for adjudicators."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation import schemes
from annotation.actions import double_adjudication as acts
from annotation.forms import adjudication as adjudication_forms
from annotation.forms.double_adjudication import DrawForm
from annotation.models import Batch, SecondAsked
from annotation.queries import (
    adjudication_access,
    before_decision,
    double_adjudication,
    item_history,
)
from annotation.review_decisions import ReviewError

PER_PAGE = 25
ItemView = Callable[..., HttpResponseBase]


def redirect_to_second_look(view: ItemView) -> ItemView:
    """Guard a view that reveals how an item was settled: an adjudicator who is to settle it a second time is
    redirected to the page for that.
    """

    @wraps(view)
    def guarded(request: StudyRequest, study: Study, item: UUID) -> HttpResponseBase:
        asked = waiting_request(request, item)
        if asked is not None:
            return redirect("item_second", study=study.slug, item=asked.first.item.public_id)
        return view(request, study=study, item=item)

    return guarded


def waiting_request(request: StudyRequest, item: UUID) -> SecondAsked | None:
    """The request for a second label by this adjudicator, for the item or for the one that it came from."""
    if Role.ADJUDICATOR not in request.roles:
        return None
    return adjudication_access.request_open_for(request.user, request.study, item)


@require_safe
@guards.study(Role.ADJUDICATOR)
def queue(request: StudyRequest, study: Study) -> HttpResponse:
    """The items that this adjudicator is to settle a second time."""
    asked = adjudication_access.requests_open_for(request.user, first__item__batch__study=study)
    ordered = asked.order_by("first__item__batch", "first__item__position")
    page = Paginator(ordered, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "annotation/adjudication/second_queue.html", {"page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.ADJUDICATOR)
def item(request: StudyRequest, study: Study, item: UUID) -> HttpResponseBase:
    """Settle the item a second time, without seeing its first label, its history or its source."""
    asked = waiting_request(request, item)
    if asked is not None and asked.first.item.public_id != item:
        return redirect("item_second", study=study.slug, item=asked.first.item.public_id)
    if asked is None:
        is_there = study.batches.filter(items__public_id=item).exists()
        if not is_there:
            raise Http404
        messages.info(request, "The item waits for no second look of yours.")
        return redirect("item", study=study.slug, item=item)
    found = asked.first.item
    scheme = schemes.verdict_scheme(found.batch.scheme)
    sent = request.POST if request.method == "POST" else None
    form = adjudication_forms.AdjudicationForm(scheme, sent)
    if form.is_valid() and _save(request, form, found):
        following = adjudication_access.requests_open_for(
            request.user, first__item__batch__study=study
        )
        after = following.order_by("first__item__batch", "first__item__position").first()
        if after is None:
            return redirect("second_queue", study=study.slug)
        return redirect("item_second", study=study.slug, item=after.first.item.public_id)
    context = {
        "item": found,
        "scheme": scheme,
        "screen": f"annotation/schemes/{found.batch.scheme}.html",
        "shows_markdown": found.batch.shows_markdown,
        "payload": found.payload,
        "judgements": item_history.current_judgements(found),
        "hides_votes": before_decision.hides_votes(request.user),
        "adjudicate": form,
        "n_left": adjudication_access.requests_open_for(
            request.user, first__item__batch__study=study
        ).count(),
    }
    status = 400 if form.errors else 200
    return render(request, "annotation/adjudication/second.html", context, status=status)


def _save(request: StudyRequest, form: adjudication_forms.AdjudicationForm, item: Any) -> bool:
    try:
        acts.settle(item=item, by=request.user, **form.cleaned_data)
    except ReviewError as error:
        form.add_error(None, f"Nothing was changed: {error}.")
        return False
    messages.success(request, "Your label is kept beside the first one.")
    return True


@require_http_methods(["GET", "HEAD", "POST"])
@guards.study(Role.REQUESTER)
def second_looks(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """The agreement of double adjudication in the batch, the disagreements, and the form of a random draw."""
    found = get_object_or_404(Batch.objects.select_related("study"), study=study, pk=batch)
    schemes.verdict_scheme(found.scheme)
    form = DrawForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            drawn = acts.draw(batch=found, by=request.user, **form.cleaned_data)
        except ReviewError as error:
            form.add_error(None, f"Nothing was drawn: {error}.")
        else:
            n = drawn.asked.count()
            messages.success(request, f"{n} of {drawn.n_adjudicated} are drawn.")
            return redirect("second_looks", study=study.slug, batch=batch)
    page = re.sub(r"[^0-9]", "", request.GET.get("page", ""))
    disagreements = Paginator(double_adjudication.disagreements(found), PER_PAGE).get_page(page)
    context = {
        "batch": found,
        "form": form,
        "looks": double_adjudication.summary(found),
        "draws": double_adjudication.draws(found),
        "page": disagreements,
        "n_others": study.memberships.with_role(Role.ADJUDICATOR).count(),
    }
    status = 400 if form.errors else 200
    return render(request, "annotation/adjudication/second_looks.html", context, status=status)
