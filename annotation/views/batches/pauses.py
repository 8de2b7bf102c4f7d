"""Pausing and resuming one person's work in a batch."""

from functools import partial

from django.shortcuts import get_object_or_404
from django.urls import reverse

from accounts.guards import StudyRequest
from accounts.models import Membership
from annotation.actions import pauses
from annotation.forms.pauses import ReasonForm
from annotation.models import Batch
from annotation.views.batches.confirmations import Confirmation, confirmation_view, posted_data


@confirmation_view
def annotator_pause(request: StudyRequest, batch: Batch, member: int) -> Confirmation:
    person = _member(batch, member)
    return Confirmation(
        act=partial(pauses.pause, annotator=person.user),
        title=f"Pause {person.user.username} in “{batch.name}”?",
        consequences=[
            "They get no more items of this batch until you resume them.",
            "What they hold now they can still submit, and what they judged stays as it is.",
            "Their desk says that the organisers paused their work and asks them to wait. It shows no figures"
            " and no reason.",
        ],
        button="Pause this person",
        done=f"{person.user.username} gets no more items of “{batch.name}”.",
        form=ReasonForm(posted_data(request)),
        back=_annotator_href(batch, person),
    )


@confirmation_view
def annotator_resume(request: StudyRequest, batch: Batch, member: int) -> Confirmation:
    person = _member(batch, member)
    return Confirmation(
        act=partial(pauses.resume, annotator=person.user),
        title=f"Resume {person.user.username} in “{batch.name}”?",
        consequences=["They get items of this batch again."],
        button="Resume this person",
        done=f"{person.user.username} gets items of “{batch.name}” again.",
        form=ReasonForm(posted_data(request)),
        back=_annotator_href(batch, person),
    )


def _member(batch: Batch, pk: int) -> Membership:
    return get_object_or_404(batch.study.memberships.select_related("user"), pk=pk)


def _annotator_href(batch: Batch, person: Membership) -> str:
    return reverse("batch_annotator", args=[batch.study.slug, batch.pk, person.pk])
