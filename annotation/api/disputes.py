"""The queue of disputes."""

from dataclasses import replace
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.generics import ListAPIView

from accounts.api.base import StudyView
from annotation.api.items import ORGANISERS
from annotation.queries import before_decision, dispute_queue
from annotation.queries.dispute_queue import DisputedItem

BATCH = OpenApiParameter("batch", int, description="only disputes of this batch, by its id")


class DisputeSerializer(serializers.Serializer[DisputedItem]):
    """An item in dispute, without runs, scores, references or names."""

    item = serializers.UUIDField(source="item.public_id")
    batch = serializers.IntegerField(source="batch.pk")
    batch_name = serializers.CharField(source="batch.name")
    scheme = serializers.CharField(source="batch.scheme")
    question = serializers.SerializerMethodField()
    answers = serializers.SerializerMethodField()
    votes = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="counted judgements by label; empty while labels are hidden until you decide",
    )
    is_own = serializers.BooleanField(
        help_text="you were assigned it: another adjudicator has to decide it"
    )

    def get_question(self, dispute: DisputedItem) -> str:
        return str(dispute.item.payload["question"])

    def get_answers(self, dispute: DisputedItem) -> list[str]:
        return [answer["text"] for answer in dispute.item.payload["answers"]]


@extend_schema_view(
    get=extend_schema(operation_id="disputes", tags=["disputes"], parameters=[BATCH])
)
class DisputeList(StudyView, ListAPIView[Any]):
    """List the items in dispute, the most disputed first."""

    roles = ORGANISERS
    serializer_class = DisputeSerializer

    def get_queryset(self) -> Any:
        queue = dispute_queue.dispute_queue(self.study, self.request.user)
        batch = self.request.query_params.get("batch")
        return [entry for entry in queue if batch in (None, str(entry.batch))]

    def paginate_queryset(self, queryset: Any) -> Any:
        reader = self.request.user
        disputed = dispute_queue.disputed_items(super().paginate_queryset(queryset) or [], reader)
        if before_decision.hides_votes(reader):
            return [replace(each, votes={}) for each in disputed]
        return disputed
