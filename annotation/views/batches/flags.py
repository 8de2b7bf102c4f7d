"""The flags of a study, with their answers."""

from django.contrib import messages
from django.db.models import Exists, OuterRef, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.actions import flags as flag_actions
from annotation.forms.flags import FlagAnswerForm
from annotation.models import Flag, FlagAnswer
from annotation.review_decisions import ReviewError
from pages.listing import Column, Filter, Listing

COLUMNS = (
    Column("at", "Flagged", ("flagged_at",)),
    Column("batch", "Batch", ("assignment__item__batch__name",)),
    Column("message", "Message"),
)
ANSWERED = Filter(
    "state",
    "State",
    {"open": ("to answer", Q(is_answered=False)), "answered": ("answered", Q(is_answered=True))},
)

organiser = guards.study(Role.REQUESTER, Role.ADJUDICATOR)


@require_safe
@organiser
def flags(request: StudyRequest, study: Study) -> HttpResponse:
    """The flags of the study: those without an answer first, then by time."""
    answers = FlagAnswer.objects.filter(flag=OuterRef("pk"))
    rows = (
        Flag.objects.filter(assignment__item__batch__study=study)
        .annotate(is_answered=Exists(answers))
        .select_related("assignment__item__batch")
        .prefetch_related("answers__answered_by")
        .order_by("is_answered", "flagged_at", "pk")
    )
    listing = Listing(
        request,
        rows,
        columns=COLUMNS,
        search=("message",),
        filters=(ANSWERED, _batch_filter(study)),
        per_page=20,
    )
    return render(
        request, "annotation/batches/flags.html", {"listing": listing, "form": FlagAnswerForm()}
    )


def _batch_filter(study: Study) -> Filter:
    """The filter by batch, for the batches with flags."""
    flagged = Flag.objects.filter(assignment__item__batch=OuterRef("pk"))
    batches = study.batches.filter(Exists(flagged)).order_by("name")
    return Filter(
        "batch",
        "Batch",
        {
            str(pk): (name, Q(assignment__item__batch=pk))
            for pk, name in batches.values_list("pk", "name")
        },
    )


@require_POST
@organiser
def flag_answer(request: StudyRequest, study: Study, flag: int) -> HttpResponse:
    found = get_object_or_404(Flag, assignment__item__batch__study=study, pk=flag)
    try:
        flag_actions.answer(flag=found, text=request.POST.get("text", ""), by=request.user)
    except ReviewError as error:
        messages.error(request, f"Nothing was sent: {error}.")
    else:
        messages.success(request, "Answered: the annotator reads it at the desk.")
    return redirect("flags", study=study.slug)
