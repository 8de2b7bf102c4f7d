"""Changes of a batch after it opened, in the API."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from accounts.api.base import UserRequest
from annotation.actions import batches, open_batches, returned_drafts
from annotation.api.batch_serializers import BatchSerializer
from annotation.api.batches import OR_RELEASE, BatchView


class ChangeInSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=100, required=False)
    guideline = serializers.CharField(
        required=False,
        allow_blank=True,
        trim_whitespace=False,
        help_text="the text of a new version, in Markdown",
    )
    largest_share = serializers.FloatField(
        required=False,
        allow_null=True,
        help_text="largest share of the items for one annotator; null: no limit",
    )
    judgements_per_item = serializers.IntegerField(
        required=False, help_text="more than now: the number cannot be lowered"
    )


class ReturnInSerializer(serializers.Serializer[Any]):
    expire_claims = serializers.BooleanField(
        default=False,
        help_text="release the items that people still hold; without it, open claims are refused (409)",
    )


class BatchChange(BatchView):
    """Change fields of an open or paused batch.

    Items get further judgements, and the guideline a new version; the order of items stays. If repeated,
    nothing changes.
    """

    @extend_schema(
        operation_id="batch_change",
        tags=["batches"],
        request=ChangeInSerializer,
        responses=BatchSerializer,
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        open_batches.change(
            batch=self.get_object(), by=request.user, **self.validated_data(ChangeInSerializer)
        )
        return self.current_batch()


class BatchReturn(BatchView):
    """Return a batch without judgements or decisions to draft.

    Its items are removed. If repeated: 409.
    """

    @extend_schema(
        operation_id="batch_return_to_draft",
        tags=["batches"],
        request=ReturnInSerializer,
        responses=BatchSerializer,
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        batch, wanted = self.get_object(), self.validated_data(ReturnInSerializer)
        try:
            returned_drafts.return_to_draft(batch=batch, by=request.user, **wanted)
        except returned_drafts.HeldItemsError as error:
            raise batches.BatchError(f"{error}, {OR_RELEASE}") from error
        return self.current_batch()
