"""The page "My earnings": what a person earned, ever, and what was refused."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.errors import ActionError
from accounts.guards import PersonRequest
from accounts.permissions import ArchivedError
from annotation.actions import messages as message_actions
from annotation.models import ReviewAct
from annotation.models.limits import LONGEST_REASON
from annotation.queries import earnings as queries


@require_safe
@never_cache
@guards.signed_in
def earnings(request: PersonRequest) -> HttpResponse:
    lines = queries.earnings_of(request.user)
    context = {
        "lines": lines,
        "totals": queries.totals(lines),
        "with_refusals": [line for line in lines if line.refusals],
        "longest": LONGEST_REASON,
    }
    return render(request, "annotation/desk/earnings.html", context)


@require_POST
@guards.signed_in
def refusal_reply(request: PersonRequest, act: UUID) -> HttpResponse:
    """Send the person's one reply to a refusal; 404 if nothing of theirs was refused by the act."""
    own = ReviewAct.objects.filter(
        reviews__is_paid=False, reviews__judgement__assignment__annotator=request.user
    )
    refusal = get_object_or_404(own.select_related("batch__study").distinct(), public_id=act)
    text = request.POST.get("text", "")
    try:
        message_actions.reply_to_refusal(refusal=refusal, text=text, by=request.user)
    except (ActionError, ArchivedError) as error:
        messages.error(request, f"Nothing was sent: {error}.")
    else:
        messages.success(request, "Sent. The organisers read your reply beside their decision.")
    return redirect("earnings")
