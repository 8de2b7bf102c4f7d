"""The judgements of a batch, with the columns of a release's judgements.csv."""

import dataclasses
from collections.abc import Iterable
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from django.db.models import Q
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.response import Response

from accounts.api.endpoints import StudyRequest, endpoint
from accounts.api.filtering import Choice, narrowed
from accounts.api.paging import paged
from accounts.api.problems import Invalid
from accounts.api.shapes import Out
from accounts.models import Membership, Role, Study
from annotation.models import Judgement
from exports.rows import judgements as table
from exports.rows.columns import JudgementRow

FIELDS: dict[type, type[serializers.Field[Any, Any, Any, Any]]] = {
    str: serializers.CharField,
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
}


def _field(meaning: Any) -> serializers.Field[Any, Any, Any, Any]:
    """Of a column: Annotated[float | None, "what was said"]."""
    kind, about = get_args(meaning)
    is_optional = get_origin(kind) is UnionType
    field = FIELDS[get_args(kind)[0] if is_optional else kind]
    return field(help_text=about, allow_null=True) if is_optional else field(help_text=about)


def _fields() -> dict[str, Any]:
    hints = get_type_hints(JudgementRow, include_extras=True)
    return {each.name: _field(hints[each.name]) for each in dataclasses.fields(JudgementRow)}


JudgementOut = type(
    "JudgementOut",
    (Out,),
    _fields()
    | {"__doc__": "One judgement, one answer that it speaks of, one question that was asked."},
)

STANDING = Choice(
    "standing",
    "without what was taken back (yes), or only that (no)",
    {"yes": Q(withdrawal=None), "no": Q(withdrawal__isnull=False)},
)
ANNOTATOR = OpenApiParameter("annotator", str, description="of this pseudonym, as p0003")


@endpoint("judgements", Role.REQUESTER, lists=JudgementOut, filters=(STANDING.parameter, ANNOTATOR))
def judgements(request: StudyRequest, study: Study, batch: int) -> Response:
    """List the judgements of a batch, in the order in which they came.

    The columns are those of a release's judgements.csv (docs/columns.md); here the batch may be open.
    """
    found = get_object_or_404(study.batches.select_related("study", "pool"), pk=batch)
    said = Judgement.objects.filter(assignment__item__batch=found).order_by("pk")
    rows = narrowed(request, said, STANDING)
    if pseudonym := request.query_params.get("annotator"):
        rows = rows.filter(assignment__annotator=_person(study, pseudonym))

    def made(page: Iterable[Any]) -> list[JudgementRow]:
        return table.rows_of(found, list(page))

    return paged(request, rows, JudgementOut, made=made)


def _person(study: Study, pseudonym: str) -> int:
    for member in Membership.objects.filter(study=study):
        if member.pseudonym == pseudonym:
            return member.user_id
    raise Invalid({"annotator": ["nobody in the study has this pseudonym"]})
