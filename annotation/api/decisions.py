"""Decisions about an item. Each answers with the item after it."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from accounts.api.base import UserRequest
from accounts.models import Role
from annotation import schemes
from annotation.actions import notes, retractions, reviews
from annotation.api.item_serializers import ItemDetailSerializer
from annotation.api.items import ItemView, current_item, require_visible
from annotation.api.reviews import AssignmentView
from annotation.models import Item, Note
from annotation.models.limits import LONGEST_REASON
from annotation.queries import item_takers, written_pairs
from annotation.review_decisions import ReviewError

SEEN = (
    "the id of the item's current verdict as you know it; 0: none. If the verdict has changed since,"
    " the request is refused (409). Without it, the request is never refused for this reason"
)


class ExcludeInSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=LONGEST_REASON)
    seen = serializers.IntegerField(required=False, min_value=0, help_text=SEEN)


class ReadmitInSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=LONGEST_REASON)


class AdjudicateInSerializer(serializers.Serializer[Any]):
    label = serializers.CharField(  # type: ignore[assignment]  # see annotation.api.items
        max_length=40, help_text="a label of the scheme"
    )
    reason = serializers.CharField(max_length=LONGEST_REASON)
    seen = serializers.IntegerField(required=False, min_value=0, help_text=SEEN)


class RetractInSerializer(serializers.Serializer[Any]):
    seen = serializers.IntegerField(required=False, min_value=0, help_text=SEEN)


class AskAgainInSerializer(serializers.Serializer[Any]):
    n_asked = serializers.IntegerField(
        required=False,
        min_value=0,
        help_text="the item's number of judgements as you know it. If it has changed since, the request is"
        " refused (409). Without it, each request asks for one more judgement",
    )
    even_if_nobody = serializers.BooleanField(
        default=False,
        help_text="ask also if nobody in the study may judge the item now; otherwise that is refused (409)",
    )


class NoteInSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=LONGEST_REASON)


class NoteSerializer(serializers.ModelSerializer[Note]):
    """A note of a requester or adjudicator on an item."""

    noted_by = serializers.CharField(source="noted_by.username")

    class Meta:
        model = Note
        fields = ["text", "noted_at", "noted_by"]
        read_only_fields = fields


class ItemExclude(ItemView):
    """Exclude an item: it has no verdict, and no result includes it.

    Refused to anybody who was assigned the item. If repeated: 409.
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
        return current_item(item, request.user)


class ItemReadmit(ItemView):
    """Include an excluded item again.

    An adjudicated item has its verdict again at once, any other when the batch is settled.
    If repeated: 409.
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
        return current_item(item, request.user)


class ItemAdjudicate(ItemView):
    """Adjudicate an item of a closed batch.

    Refused to anybody who was assigned the item. If repeated with `seen`, it is decided once.
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
        _require_no_pair(item)
        data = self.validated_data(AdjudicateInSerializer)
        labels = schemes.settled_scheme(item.batch.scheme).labels
        if data["label"] not in labels:
            raise ValidationError({"label": [f"choose one of {', '.join(labels)}"]})
        reviews.adjudicate(item=item, by=request.user, **data)
        return current_item(item, request.user)


def _require_no_pair(item: Item) -> None:
    """Raise WrongSchemeError for an item on which written answers of two rounds are decided between."""
    if written_pairs.has_pairs(item.batch):
        page = reverse("item", args=[item.batch.study.slug, item.public_id])
        raise schemes.WrongSchemeError(
            f"which of two written answers stands is decided, and undone, on the page of the item: {page}"
        )


class ItemRetract(ItemView):
    """Undo the adjudication of an item: its previous verdict applies again.

    If repeated with `seen`: 409.
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
        _require_no_pair(item)
        retractions.retract(item=item, by=request.user, **self.validated_data(RetractInSerializer))
        return current_item(item, request.user)


class MarkCorrect(AssignmentView):
    """Mark a judgement as correct: its label becomes the verdict of its item.

    The same as adjudicating with that label. If repeated, the same decision is recorded again.
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
        return current_item(item, request.user)


class ItemAskAgain(ItemView):
    """Ask for one more judgement of an item; a closed batch reopens for it.

    If repeated with the same `n_asked`: 409; without it, each request asks for one more.
    """

    roles = (Role.REQUESTER,)

    @extend_schema(
        operation_id="ask_again",
        tags=["items"],
        request=AskAgainInSerializer,
        responses=ItemDetailSerializer,
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        item, sent = self.get_object(), self.validated_data(AskAgainInSerializer)
        if not sent.pop("even_if_nobody") and item_takers.without_taker(item.batch, {item.pk}):
            raise ReviewError(f"{item_takers.NOBODY}, or go on with even_if_nobody")
        reviews.ask_again(item=item, by=request.user, **sent)
        return current_item(item, request.user)


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
        """Add a note to an item; it changes no verdict.

        If repeated by the same person, it is one note.
        """
        item = self.get_object()
        note = notes.note(item=item, by=request.user, **self.validated_data(NoteInSerializer))
        return Response(NoteSerializer(note).data, status=201)
