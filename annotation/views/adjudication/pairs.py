"""The questions of a second round on which the written answers differ, and the decisions between them."""

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.actions import written_decisions
from annotation.forms.written_decisions import PREFIX
from annotation.models import Batch, Item
from annotation.queries import written_pairs
from annotation.queries.written_pairs import Pair
from annotation.review_decisions import ReviewError
from annotation.views.adjudication import pair_context
from annotation.views.adjudication.item_page import (
    LAST_SETTLED,
    has_no_adjudicator,
    item_page,
    last_settled,
    organiser,
)

PER_PAGE = 25
OPEN, DECIDED = "open", "decided"


@require_safe
@organiser
def queue(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """The questions on which the answers of the two rounds differ, open ones and decided ones."""
    found = _second_round(study, batch)
    pairs = written_pairs.pairs(found)
    shown = request.GET.get("show", "")
    chosen = [
        each for each in pairs if shown not in (OPEN, DECIDED) or each.is_open == (shown == OPEN)
    ]
    page = Paginator(chosen, PER_PAGE).get_page(request.GET.get("page"))
    items = Item.objects.in_bulk([each.item.pk for each in page])
    own = written_pairs.own_items(request.user, found)
    following = _next(pairs, own) if Role.ADJUDICATOR in request.roles else None
    context = {
        "batch": found,
        "progress": written_pairs.progress_of(found, pairs),
        "page": page,
        "address": "?" + urlencode({"show": shown, "page": ""}),
        "shown": shown,
        "rows": [(items[each.item.pk], each, each.item.pk in own, _decided(each)) for each in page],
        "obstacle": written_pairs.obstacle(found),
        "following": following,
        "last": last_settled(request),
        "has_no_adjudicator": has_no_adjudicator(request),
    }
    return render(request, "annotation/adjudication/pairs.html", context)


def _second_round(study: Study, pk: int) -> Batch:
    """The second round of written answers with this key; 404 if there is none."""
    found: Batch = get_object_or_404(study.batches.select_related("first_round", "pool"), pk=pk)
    if not written_pairs.has_pairs(found):
        raise Http404
    return found


def _decided(pair: Pair) -> str:
    return pair_context.in_words(pair.decision, pair) if pair.decision else ""


def _next(pairs: list[Pair], own: set[int]) -> Item | None:
    """The first item that is open and not one's own."""
    return next((each.item for each in pairs if each.is_open and each.item.pk not in own), None)


def decide(request: StudyRequest, item: Item, seen: int | None) -> HttpResponse:
    """Decide which answer stands, and redirect to the next question of the batch."""
    pair = written_pairs.pair_of(item)
    if pair is None:
        # What was written is shown once more: the answers are gone, and not the words of who decides.
        error = "the answers of both rounds do not count any more: there is nothing to decide"
        messages.error(request, f"Nothing was changed: {error}.")
        own_text = request.POST.get(f"{PREFIX}answer", "")
        return item_page(request, item, own_text=own_text, status=400)
    # Fields that are missing are not as seen: neither of these values is one of a pair.
    seen = -1 if seen is None else seen
    between = request.POST.get("between", "")
    newest = pair.newest.pk if pair.newest else 0
    form = pair_context.form(request, item, pair, request.POST, is_as_seen=seen == newest)
    if between != pair.sha256:
        form.refuse(f"Nothing was changed: {written_decisions.CHANGED}.")
    elif form.is_valid():
        try:
            made = written_decisions.decide(
                item=item,
                by=request.user,
                seen=seen,
                between=between,
                **form.cleaned_data,
            )
        except ReviewError as error:
            form.add_error(None, f"Nothing was changed: {error}.")
        else:
            messages.success(request, f"Decided: {pair_context.in_words(made, pair)} stands.")
            request.session[LAST_SETTLED] = str(item.public_id)
            return _to_next(request, item)
    if pair.decision and "confirm" not in form.fields:
        form.ask_to_confirm(pair_context.in_words(pair.decision, pair))
    return item_page(request, item, adjudicate=form)


def retract(request: StudyRequest, item: Item, seen: int | None) -> HttpResponse:
    try:
        # Without the field the form means no decision: 0 matches none.
        pair = written_decisions.retract(item=item, by=request.user, seen=seen or 0)
    except ReviewError as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        request.session.pop(LAST_SETTLED, None)
        earlier = pair.decision if pair else None
        now = f"{pair_context.in_words(earlier, pair)} stands" if pair and earlier else "it is open"
        messages.success(request, f"Undone: {now}.")
    return redirect("item", study=request.study.slug, item=item.public_id)


def _to_next(request: StudyRequest, item: Item) -> HttpResponse:
    """Redirect to the next question that this person may decide, after this item or else before; else to the list."""
    following = written_pairs.next_open(item, request.user)
    if following is None:
        return redirect("written_pairs", study=request.study.slug, batch=item.batch_id)
    return redirect("item", study=request.study.slug, item=following.public_id)
