"""Changes of a batch after it opened, in the API."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from accounts.api.base import UserRequest
from annotation.actions import open_batches, returned_drafts
from annotation.api.batches import BatchSerializer, BatchView


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
        help_text="the most of the items that one person may take; null: no limit",
    )
    judgements_per_item = serializers.IntegerField(
        required=False, help_text="more than now: the number is not lowered"
    )


class ReturnInSerializer(serializers.Serializer[Any]):
    expire_claims = serializers.BooleanField(
        default=False,
        help_text="release the items that people hold; else they are waited for (409)",
    )


class BatchChange(BatchView):
    """Change an open or paused batch: what is sent, and nothing else.

    An item gets further judgements, and the guideline a new version; the order of items stays. Sent again,
    nothing is changed.
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
    """Make a batch in which nobody has judged or decided anything a draft again.

    Its items are removed. Sent again: 409.
    """

    @extend_schema(
        operation_id="batch_return_to_draft",
        tags=["batches"],
        request=ReturnInSerializer,
        responses=BatchSerializer,
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        returned_drafts.return_to_draft(
            batch=self.get_object(), by=request.user, **self.validated_data(ReturnInSerializer)
        )
        return self.current_batch()
