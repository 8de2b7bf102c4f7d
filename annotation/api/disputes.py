"""The queue of items on which annotators disagree."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.generics import ListAPIView

from accounts.api.base import StudyView
from annotation.api.items import SETTLES
from annotation.queries import item_history
from annotation.queries.item_history import Disputed

BATCH = OpenApiParameter("batch", int, description="of this batch, by its id")


class DisputeSerializer(serializers.Serializer[Disputed]):
    """An item in dispute. No run, score, reference or name is in it."""

    item = serializers.UUIDField(source="item.public_id")
    batch = serializers.IntegerField(source="batch.pk")
    batch_name = serializers.CharField(source="batch.name")
    scheme = serializers.CharField(source="batch.scheme")
    question = serializers.SerializerMethodField()
    answers = serializers.SerializerMethodField()
    votes = serializers.DictField(child=serializers.IntegerField(), help_text="counted, by label")
    is_own = serializers.BooleanField(
        help_text="you were handed it: somebody else has to settle it"
    )

    def get_question(self, dispute: Disputed) -> str:
        return str(dispute.item.payload["question"])

    def get_answers(self, dispute: Disputed) -> list[str]:
        return [answer["text"] for answer in dispute.item.payload["answers"]]


@extend_schema_view(
    get=extend_schema(operation_id="disputes", tags=["disputes"], parameters=[BATCH])
)
class DisputeList(StudyView, ListAPIView[Any]):
    """List the items in dispute, the most disputed first."""

    roles = SETTLES
    serializer_class = DisputeSerializer

    def get_queryset(self) -> Any:
        places = item_history.dispute_queue(self.study, self.request.user)
        batch = self.request.query_params.get("batch")
        return [place for place in places if batch in (None, str(place.batch))]

    def paginate_queryset(self, queryset: Any) -> Any:
        return item_history.disputes_at(
            super().paginate_queryset(queryset) or [], self.request.user
        )
