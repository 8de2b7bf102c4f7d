"""The queue of what annotators disagree on."""

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.response import Response

from accounts.api.endpoints import StudyRequest, endpoint
from accounts.api.paging import paged
from accounts.api.shapes import Out
from accounts.models import Study
from annotation.api.items import SETTLES
from annotation.queries import item_history
from annotation.queries.item_history import Disputed

BATCH = OpenApiParameter("batch", int, description="of this batch, by its id")


class DisputeOut(Out):
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

    def get_question(self, each: Disputed) -> str:
        return str(each.item.payload["question"])

    def get_answers(self, each: Disputed) -> list[str]:
        return [answer["text"] for answer in each.item.payload["answers"]]


@endpoint("disputes", *SETTLES, lists=DisputeOut, filters=(BATCH,))
def disputes(request: StudyRequest, study: Study) -> Response:
    """List the items in dispute, the most disputed first."""
    chosen = request.query_params.get("batch")
    places = [
        place
        for place in item_history.dispute_queue(study, request.user)
        if chosen in (None, str(place.batch))
    ]
    return paged(
        request,
        places,
        DisputeOut,
        made=lambda some: item_history.disputes_at(list(some), request.user),
    )
