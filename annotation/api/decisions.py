"""What is decided about an item. Each act answers with the item as it is then."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from rest_framework import serializers
from rest_framework.response import Response

from accounts.api.endpoints import StudyRequest, done, endpoint, said
from accounts.api.problems import Invalid, refusing
from accounts.api.shapes import Out
from accounts.models import Role, Study
from annotation import schemes
from annotation.actions import notes as note_actions
from annotation.actions import retractions
from annotation.actions import reviews as review_actions
from annotation.api import items, reviews
from annotation.api.items import SETTLES, ItemDetailOut
from annotation.models import Item
from annotation.models.limits import LONGEST_REASON
from annotation.review_decisions import ReviewError

SEEN = (
    "the id of the verdict that you decide on, 0 where there was none: where another one stands by now,"
    " nothing is decided (409). Left out, nothing is compared"
)


def reason(**options: Any) -> serializers.CharField:
    return serializers.CharField(max_length=LONGEST_REASON, **options)


class ExcludeIn(serializers.Serializer[Any]):
    reason = reason()
    seen = serializers.IntegerField(required=False, min_value=0, help_text=SEEN)


class ReadmitIn(serializers.Serializer[Any]):
    reason = reason()


class AdjudicateIn(serializers.Serializer[Any]):
    label = serializers.CharField(  # type: ignore[assignment]  # a field, as in items
        max_length=40, help_text="one of the scheme's"
    )
    reason = reason()
    seen = serializers.IntegerField(required=False, min_value=0, help_text=SEEN)


class RetractIn(serializers.Serializer[Any]):
    seen = serializers.IntegerField(required=False, min_value=0, help_text=SEEN)


class AskAgainIn(serializers.Serializer[Any]):
    n_asked = serializers.IntegerField(
        required=False,
        min_value=0,
        help_text="how many judgements the item asks for as far as you know: where it asks for another"
        " number by now, nothing is done (409). Left out, each request asks for one more",
    )


class NoteIn(serializers.Serializer[Any]):
    text = reason()


class NoteOut(Out):
    """What somebody who looks after the items wrote down about one."""

    text = serializers.CharField()
    noted_at = serializers.DateTimeField()
    noted_by = serializers.CharField(source="noted_by.username")


def _done(shown: Item, act: Callable[..., Any], /, **options: Any) -> Response:
    with refusing(ReviewError):
        act(**options)
    return items.shown(items.of(shown.batch.study, shown.public_id))


@endpoint("items", *SETTLES, takes=ExcludeIn, gives=ItemDetailOut)
def exclude(request: StudyRequest, study: Study, item: UUID) -> Response:
    """Exclude an item: it has no verdict and counts nowhere.

    Nobody excludes what they were handed themselves. Sent again: 409.
    """
    found = items.of(study, item, request.user)
    return _done(
        found, review_actions.exclude, item=found, by=request.user, **said(request, ExcludeIn)
    )


@endpoint("items", *SETTLES, takes=ReadmitIn, gives=ItemDetailOut)
def readmit(request: StudyRequest, study: Study, item: UUID) -> Response:
    """Take an excluded item in again.

    What was adjudicated has its verdict again at once; any other gets one when the batch is settled.
    Sent again: 409.
    """
    found = items.of(study, item, request.user)
    return _done(
        found, review_actions.readmit, item=found, by=request.user, **said(request, ReadmitIn)
    )


@endpoint("items", Role.ADJUDICATOR, takes=AdjudicateIn, gives=ItemDetailOut)
def adjudicate(request: StudyRequest, study: Study, item: UUID) -> Response:
    """Settle an item with a label.

    Of a closed batch, and not by who was handed the item. Sent again with `seen`, it is not decided twice.
    """
    found = items.of(study, item, request.user)
    decision = said(request, AdjudicateIn)
    _require_label(found, decision["label"])
    return _done(found, review_actions.adjudicate, item=found, by=request.user, **decision)


def _require_label(item: Item, label: str) -> None:
    labels = schemes.deciding(item.batch.scheme).labels
    if label not in labels:
        raise Invalid({"label": [f"choose one of {', '.join(labels)}"]})


@endpoint("items", Role.ADJUDICATOR, takes=RetractIn, gives=ItemDetailOut)
def retract(request: StudyRequest, study: Study, item: UUID) -> Response:
    """Take back the adjudication that an item's verdict rests on: what stood before it stands again.

    Sent again with `seen`: 409.
    """
    found = items.of(study, item, request.user)
    return _done(
        found, retractions.retract, item=found, by=request.user, **said(request, RetractIn)
    )


@endpoint("items", Role.ADJUDICATOR, gives=ItemDetailOut)
def mark_correct(request: StudyRequest, study: Study, assignment: UUID) -> Response:
    """Mark a judgement as correct: its label becomes the verdict of its item.

    As adjudicating with that label does. Sent again, it is decided once more, alike.
    """
    judgement = reviews.judgement_of(reviews.assignment_of(study, assignment))
    item = judgement.assignment.item
    items.of(study, item.public_id, request.user)
    return _done(item, review_actions.mark_correct, judgement=judgement, by=request.user)


@endpoint("items", Role.REQUESTER, takes=AskAgainIn, gives=ItemDetailOut)
def ask_again(request: StudyRequest, study: Study, item: UUID) -> Response:
    """Ask for one more judgement of an item; a closed batch opens again for it.

    Sent again with the same `n_asked`: 409; without it, one more is asked for each time.
    """
    found = items.of(study, item, request.user)
    return _done(
        found, review_actions.ask_again, item=found, by=request.user, **said(request, AskAgainIn)
    )


@endpoint("items", *SETTLES, takes=NoteIn, gives=NoteOut, status=201)
def note(request: StudyRequest, study: Study, item: UUID) -> Response:
    """Write something down about an item; it decides nothing.

    The same text by the same person twice in a row is one note.
    """
    found = items.of(study, item, request.user)
    written = said(request, NoteIn)
    with refusing(ReviewError):
        noted = note_actions.note(item=found, by=request.user, **written)
    return done(NoteOut, noted, 201)


@endpoint("items", *SETTLES, gives=NoteOut(many=True))  # type: ignore[arg-type]
def notes(request: StudyRequest, study: Study, item: UUID) -> Response:
    """List the notes on an item, oldest first."""
    rows = items.of(study, item, request.user).notes.select_related("noted_by")
    return Response(NoteOut(rows, many=True).data)
