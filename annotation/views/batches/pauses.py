"""One person's work in a batch is paused by a requester, or goes on."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Membership, Role, Study
from annotation.actions import pauses
from annotation.actions.batches import BatchError
from annotation.actions.pauses import PauseError
from annotation.forms.pauses import Reason
from annotation.models import Batch, Pause
from annotation.review_decisions import ReviewError

requester = guards.study(Role.REQUESTER)
asked_then_done = require_http_methods(["GET", "HEAD", "POST"])


@asked_then_done
@requester
def annotator_pause(request: StudyRequest, study: Study, batch: int, member: int) -> HttpResponse:
    found, person = _named(study, batch, member)
    return _confirmed(
        request,
        found,
        person,
        pauses.pause,
        title=f"Pause {person.user.username} in {found.name}?",
        consequences=[
            "They are handed nothing more of this batch until you resume them.",
            "What they hold now they can still submit, and what they judged stays as it is.",
            "Their desk says that the organisers paused their work and asks them to wait. It shows no figures"
            " and no reason.",
        ],
        button="Pause this person",
        done=f"{person.user.username} is handed nothing more of {found.name}.",
    )


@asked_then_done
@requester
def annotator_resume(request: StudyRequest, study: Study, batch: int, member: int) -> HttpResponse:
    found, person = _named(study, batch, member)
    return _confirmed(
        request,
        found,
        person,
        pauses.resume,
        title=f"Resume {person.user.username} in {found.name}?",
        consequences=["They are handed items of this batch again."],
        button="Resume this person",
        done=f"{person.user.username} is handed items of {found.name} again.",
    )


def _named(study: Study, batch: int, member: int) -> tuple[Batch, Membership]:
    batches = study.batches.select_related("study")
    members = study.memberships.select_related("user")
    return get_object_or_404(batches, pk=batch), get_object_or_404(members, pk=member)


def _confirmed(
    request: StudyRequest,
    batch: Batch,
    person: Membership,
    act: Callable[..., Pause],
    *,
    title: str,
    consequences: list[str],
    button: str,
    done: str,
) -> HttpResponse:
    """Ask before the act, with its reason (GET), do it (POST), and lead back to the person."""
    back = reverse("batch_annotator", args=[batch.study.slug, batch.pk, person.pk])
    form = Reason(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            act(batch=batch, annotator=person.user, by=request.user, **form.cleaned_data)
        except (BatchError, PauseError, ReviewError) as error:
            messages.error(request, f"Nothing was changed: {error}.")
        else:
            messages.success(request, done)
        return redirect(back)
    context = {
        "title": title,
        "consequences": consequences,
        "button": button,
        "form": form,
        "back": back,
    }
    status = 400 if request.method == "POST" else 200
    return render(request, "_components/confirm.html", context, status=status)
