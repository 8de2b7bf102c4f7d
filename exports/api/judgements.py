"""The judgements of a batch, with the columns of a release's judgements.csv."""

import dataclasses
from functools import cached_property
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView

from accounts.api.base import StudyView
from accounts.api.filtering import ChoiceFilter
from accounts.models import Role
from annotation.models import Batch, Judgement
from exports.rows import judgements as table
from exports.rows.columns import JudgementRow

FIELDS: dict[type, type[serializers.Field[Any, Any, Any, Any]]] = {
    str: serializers.CharField,
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
}
ANNOTATOR = OpenApiParameter(
    "annotator", str, description="only judgements of this pseudonym, such as p0003"
)


class JudgementSerializer(serializers.Serializer[Any]):
    """One row for each judgement, answer and question."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        hints = get_type_hints(JudgementRow, include_extras=True)
        return {each.name: _field(hints[each.name]) for each in dataclasses.fields(JudgementRow)}


def _field(hint: Any) -> serializers.Field[Any, Any, Any, Any]:
    """The field of a column, from Annotated[float | None, "its meaning"]."""
    kind, meaning = get_args(hint)
    is_optional = get_origin(kind) is UnionType
    field = FIELDS[get_args(kind)[0] if is_optional else kind]
    return field(help_text=meaning, allow_null=True) if is_optional else field(help_text=meaning)


class WithdrawalFilter(ChoiceFilter):
    name = "standing"
    description = "without withdrawn judgements (yes), or only these (no)"
    conditions = {"yes": Q(withdrawal=None), "no": Q(withdrawal__isnull=False)}


@extend_schema_view(
    get=extend_schema(operation_id="judgements", tags=["judgements"], parameters=[ANNOTATOR])
)
class JudgementList(StudyView, ListAPIView[Any]):
    """List the judgements of a batch, in the order of submission.

    The columns are those of a release's judgements.csv (docs/columns.md); here the batch may be open.
    """

    roles = (Role.REQUESTER,)
    serializer_class = JudgementSerializer
    filter_backends = (WithdrawalFilter,)

    @cached_property
    def batch(self) -> Batch:
        batches = self.study.batches.select_related("study", "pool")
        return get_object_or_404(batches, pk=self.kwargs["batch"])

    def get_queryset(self) -> QuerySet[Judgement]:
        return Judgement.objects.filter(assignment__item__batch=self.batch).order_by("pk")

    def filter_queryset(self, queryset: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
        judgements = super().filter_queryset(queryset)
        if pseudonym := self.request.query_params.get("annotator"):
            judgements = judgements.filter(assignment__annotator=self._user(pseudonym))
        return judgements

    def _user(self, pseudonym: str) -> int:
        for member in self.study.memberships.all():
            if member.pseudonym == pseudonym:
                return member.user_id
        raise ValidationError({"annotator": ["nobody in the study has this pseudonym"]})

    def paginate_queryset(self, queryset: Any) -> Any:
        of_page = super().paginate_queryset(queryset) or []
        return table.rows_of_judgements(self.batch, [each.pk for each in of_page])
