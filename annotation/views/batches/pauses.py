"""Pausing and resuming one person's work in the whole study or in a batch."""

from functools import partial

from django.shortcuts import get_object_or_404
from django.urls import reverse

from accounts.guards import StudyRequest
from accounts.models import Membership, User
from annotation.actions import pauses, study_pauses
from annotation.forms.pauses import STUDY, PauseForm, ReasonForm
from annotation.models import Batch
from annotation.queries import paused_people
from annotation.views.batches.confirmations import Confirmation, confirmation_view, posted_data


@confirmation_view
def annotator_pause(request: StudyRequest, batch: Batch, member: int) -> Confirmation:
    person = _member(batch, member)
    name, form = person.user.username, PauseForm(posted_data(request), batch=batch.name)
    return Confirmation(
        act=partial(_pause, annotator=person.user),
        title=f"Pause {name}?",
        consequences=[
            "They get no more items until you resume them. What they judged stays as it is.",
            "Their annotation page says that the organisers paused their work and asks them to wait. It shows no"
            " figures and no reason.",
        ],
        button="Pause this person",
        done=f"{name} gets no more items of {_place(batch, form.data.get('where') == STUDY)}.",
        form=form,
        back=_annotator_href(batch, person),
    )


def _pause(*, batch: Batch, annotator: User, where: str, reason: str, by: User) -> None:
    if where == STUDY:
        study_pauses.pause(study=batch.study, annotator=annotator, reason=reason, by=by)
    else:
        pauses.pause(batch=batch, annotator=annotator, reason=reason, by=by)


@confirmation_view
def annotator_resume(request: StudyRequest, batch: Batch, member: int) -> Confirmation:
    """Resume the person: in the whole study, if they were paused there."""
    person = _member(batch, member)
    is_of_study = paused_people.is_paused_in_study(batch.study, person.user)
    name, place = person.user.username, _place(batch, is_of_study)
    return Confirmation(
        act=partial(_resume, annotator=person.user, is_of_study=is_of_study),
        title=f"Resume {name} in {place}?",
        consequences=[f"They get items of {place} again."],
        button="Resume this person",
        done=f"{name} gets items of {place} again.",
        form=ReasonForm(posted_data(request)),
        back=_annotator_href(batch, person),
    )


def _resume(*, batch: Batch, annotator: User, is_of_study: bool, reason: str, by: User) -> None:
    if is_of_study:
        study_pauses.resume(study=batch.study, annotator=annotator, reason=reason, by=by)
    else:
        pauses.resume(batch=batch, annotator=annotator, reason=reason, by=by)


def _place(batch: Batch, is_of_study: bool) -> str:
    return "the whole study" if is_of_study else f"“{batch.name}”"


def _member(batch: Batch, pk: int) -> Membership:
    return get_object_or_404(batch.study.memberships.select_related("user"), pk=pk)


def _annotator_href(batch: Batch, person: Membership) -> str:
    return reverse("batch_annotator", args=[batch.study.slug, batch.pk, person.pk])
