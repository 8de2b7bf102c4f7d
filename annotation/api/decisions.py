"""Decisions about an item. Each answers with the item after it."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from accounts.api.base import UserRequest
from accounts.models import Role
from annotation import schemes
from annotation.actions import notes, retractions, reviews
from annotation.api.items import ItemDetailSerializer, ItemView, current_item, require_visible
from annotation.api.reviews import AssignmentView
from annotation.models import Note
from annotation.models.limits import LONGEST_REASON

SEEN = (
    "the id of the verdict that you decide on, 0 where there was none: where another one stands by now,"
    " nothing is decided (409). Left out, nothing is compared"
)


class ExcludeInSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=LONGEST_REASON)
    seen = serializers.IntegerField(required=False, min_value=0, help_text=SEEN)


class ReadmitInSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=LONGEST_REASON)


class AdjudicateInSerializer(serializers.Serializer[Any]):
    label = serializers.CharField(  # type: ignore[assignment]  # see annotation.api.items
        max_length=40, help_text="one of the scheme's"
    )
    reason = serializers.CharField(max_length=LONGEST_REASON)
    seen = serializers.IntegerField(required=False, min_value=0, help_text=SEEN)


class RetractInSerializer(serializers.Serializer[Any]):
    seen = serializers.IntegerField(required=False, min_value=0, help_text=SEEN)


class AskAgainInSerializer(serializers.Serializer[Any]):
    n_asked = serializers.IntegerField(
        required=False,
        min_value=0,
        help_text="how many judgements the item asks for as far as you know: where it asks for another"
        " number by now, nothing is done (409). Left out, each request asks for one more",
    )


class NoteInSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=LONGEST_REASON)


class NoteSerializer(serializers.ModelSerializer[Note]):
    """What somebody who looks after the items wrote down about one."""

    noted_by = serializers.CharField(source="noted_by.username")

    class Meta:
        model = Note
        fields = ["text", "noted_at", "noted_by"]
        read_only_fields = fields


class ItemExclude(ItemView):
    """Exclude an item: it has no verdict and counts nowhere.

    Nobody excludes what they were handed themselves. Sent again: 409.
    """

    @extend_schema(
        operation_id="exclude",
        tags=["items"],
        request=ExcludeInSerializer,
        responses=ItemDetailSerializer,
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        item = self.get_object()
        reviews.exclude(item=item, by=request.user, **self.validated_data(ExcludeInSerializer))
        return current_item(item)


class ItemReadmit(ItemView):
    """Take an excluded item in again.

    What was adjudicated has its verdict again at once; any other gets one when the batch is settled.
    Sent again: 409.
    """

    @extend_schema(
        operation_id="readmit",
        tags=["items"],
        request=ReadmitInSerializer,
        responses=ItemDetailSerializer,
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        item = self.get_object()
        reviews.readmit(item=item, by=request.user, **self.validated_data(ReadmitInSerializer))
        return current_item(item)


class ItemAdjudicate(ItemView):
    """Settle an item with a label.

    Of a closed batch, and not by who was handed the item. Sent again with `seen`, it is not decided twice.
    """

    roles = (Role.ADJUDICATOR,)

    @extend_schema(
        operation_id="adjudicate",
        tags=["items"],
        request=AdjudicateInSerializer,
        responses=ItemDetailSerializer,
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        item = self.get_object()
        data = self.validated_data(AdjudicateInSerializer)
        labels = schemes.verdict_scheme(item.batch.scheme).labels
        if data["label"] not in labels:
            raise ValidationError({"label": [f"choose one of {', '.join(labels)}"]})
        reviews.adjudicate(item=item, by=request.user, **data)
        return current_item(item)


class ItemRetract(ItemView):
    """Take back the adjudication that an item's verdict rests on: what stood before it stands again.

    Sent again with `seen`: 409.
    """

    roles = (Role.ADJUDICATOR,)

    @extend_schema(
        operation_id="retract",
        tags=["items"],
        request=RetractInSerializer,
        responses=ItemDetailSerializer,
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        item = self.get_object()
        retractions.retract(item=item, by=request.user, **self.validated_data(RetractInSerializer))
        return current_item(item)


class MarkCorrect(AssignmentView):
    """Mark a judgement as correct: its label becomes the verdict of its item.

    As adjudicating with that label does. Sent again, it is decided once more, alike.
    """

    roles = (Role.ADJUDICATOR,)

    @extend_schema(
        operation_id="mark_correct", tags=["items"], request=None, responses=ItemDetailSerializer
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        judgement = self.get_judgement(self.get_object())
        item = judgement.assignment.item
        require_visible(item, request.user)
        reviews.mark_correct(judgement=judgement, by=request.user)
        return current_item(item)


class ItemAskAgain(ItemView):
    """Ask for one more judgement of an item; a closed batch opens again for it.

    Sent again with the same `n_asked`: 409; without it, one more is asked for each time.
    """

    roles = (Role.REQUESTER,)

    @extend_schema(
        operation_id="ask_again",
        tags=["items"],
        request=AskAgainInSerializer,
        responses=ItemDetailSerializer,
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        item = self.get_object()
        reviews.ask_again(item=item, by=request.user, **self.validated_data(AskAgainInSerializer))
        return current_item(item)


class ItemNotes(ItemView):
    @extend_schema(operation_id="notes", tags=["items"], responses=NoteSerializer(many=True))
    def get(self, request: UserRequest, **kwargs: Any) -> Response:
        """List the notes on an item, oldest first."""
        rows = self.get_object().notes.select_related("noted_by")
        return Response(NoteSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="note",
        tags=["items"],
        request=NoteInSerializer,
        responses={201: NoteSerializer},
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        """Write something down about an item; it decides nothing.

        The same text by the same person twice in a row is one note.
        """
        item = self.get_object()
        note = notes.note(item=item, by=request.user, **self.validated_data(NoteInSerializer))
        return Response(NoteSerializer(note).data, status=201)
