"""The messages of annotators to the organisers of a study, with their answers."""

from django.contrib import messages as page_messages
from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    OuterRef,
    Q,
)
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.actions import messages as message_actions
from annotation.models import Message, MessageAnswer
from annotation.models.limits import LONGEST_REASON
from annotation.review_decisions import ReviewError
from pages.listing import Column, Filter, Listing

COLUMNS = (
    Column("at", "Sent", ("sent_at",)),
    Column("message", "Message"),
)
IS_READ = Q(read_at__isnull=False)
STATE = Filter(
    "state",
    "State",
    {
        "open": ("to read", Q(read_at=None)),
        "read": ("read", IS_READ),
        "answered": ("answered", Q(is_answered=True)),
    },
)
KIND = Filter(
    "kind",
    "About",
    {
        "pay": ("refused pay", Q(refusal__isnull=False)),
        "question": ("other questions", Q(refusal=None)),
    },
)

organiser = guards.study(Role.REQUESTER, Role.ADJUDICATOR)


@require_safe
@organiser
def messages(request: StudyRequest, study: Study) -> HttpResponse:
    """The messages: those that nobody has read first, then by time."""
    answers = MessageAnswer.objects.filter(message=OuterRef("pk"))
    rows = (
        Message.objects.filter(study=study)
        .annotate(
            is_answered=Exists(answers),
            is_read=ExpressionWrapper(IS_READ, BooleanField()),
        )
        .select_related("batch", "refusal")
        .prefetch_related("answers__answered_by")
        .order_by("is_read", "sent_at", "pk")
    )
    listing = Listing(
        request,
        rows,
        columns=COLUMNS,
        search=("text",),
        filters=(STATE, KIND),
        per_page=20,
    )
    senders = _senders(request, study)
    context = {
        "listing": listing,
        "lines": [(each, senders[each.sent_by_id]) for each in listing.page],
        "longest": LONGEST_REASON,
    }
    return render(request, "annotation/batches/messages.html", context)


def _senders(request: StudyRequest, study: Study) -> dict[int, str]:
    """Return the names of the members, by the key of the user: requesters read user names, adjudicators pseudonyms."""
    reads_names = Role.REQUESTER in request.roles
    return {
        each.user_id: each.user.username if reads_names else each.pseudonym
        for each in study.memberships.select_related("user")
    }


@require_POST
@organiser
def message_answer(request: StudyRequest, study: Study, message: int) -> HttpResponse:
    found = get_object_or_404(Message, study=study, pk=message)
    try:
        text = request.POST.get("text", "")
        message_actions.answer(message=found, text=text, by=request.user)
    except ReviewError as error:
        page_messages.error(request, f"Nothing was sent: {error}.")
    else:
        page_messages.success(request, "Answered: the annotator reads it in My work.")
    return redirect("messages", study=study.slug)


@require_POST
@organiser
def message_read(request: StudyRequest, study: Study, message: int) -> HttpResponse:
    found = get_object_or_404(Message, study=study, pk=message)
    message_actions.mark_read(message=found, by=request.user)
    page_messages.success(request, "Marked as read.")
    return redirect("messages", study=study.slug)
