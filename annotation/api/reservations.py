"""Reserved items of a batch: who has which part, reserve more, reassign what is left."""

from collections.abc import Iterable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from accounts.api.base import UserRequest
from accounts.models import User
from annotation import reserved_items_csv
from annotation.actions import reassignments
from annotation.actions import reservations as acts
from annotation.api.batches import BatchView
from annotation.models import Batch
from annotation.models.limits import LONGEST_REASON
from annotation.queries import reservations as queries
from corpus.problems import ImportProblems, Report

MOST_AT_ONCE = 10_000


class PartSerializer(serializers.Serializer[Any]):
    """What is reserved for one person in the batch, and how far they are."""

    username = serializers.CharField(source="user.username")
    n_reserved = serializers.IntegerField(source="part.n")
    n_judged = serializers.IntegerField(source="part.n_judged")
    n_skipped = serializers.IntegerField(
        source="part.n_skipped", help_text="their places are open to others"
    )
    n_held = serializers.IntegerField(source="part.n_held", help_text="on the desk now")
    n_left = serializers.IntegerField(source="part.n_left")
    last_active_at = serializers.DateTimeField(allow_null=True)
    obstacle = serializers.CharField(
        help_text="why the person is handed nothing of the batch now; empty if they are"
    )


class PartsSerializer(serializers.Serializer[Any]):
    parts = PartSerializer(many=True)


class ReserveInSerializer(serializers.Serializer[Any]):
    """One of `items` with `turns`, `n`, and `share`."""

    person = serializers.CharField(help_text="username")
    items = serializers.ListField(
        child=serializers.CharField(max_length=36),
        max_length=MOST_AT_ONCE,
        required=False,
        help_text="ids of items of the batch",
    )
    turns = serializers.ListField(
        child=serializers.CharField(max_length=400),
        max_length=MOST_AT_ONCE,
        required=False,
        help_text="questions, such as 7_1, for all of their items",
    )
    n = serializers.IntegerField(min_value=1, required=False, help_text="so many, drawn at random")
    share = serializers.FloatField(
        min_value=0, max_value=1, required=False, help_text="of the items, drawn at random"
    )
    seed = serializers.IntegerField(min_value=0, default=1, help_text="of the draw")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Raises ValidationError unless one way of saying which items is used."""
        is_list = bool(attrs.get("items") or attrs.get("turns"))
        if [is_list, "n" in attrs, "share" in attrs].count(True) != 1:
            raise serializers.ValidationError(
                "say which items in one way: items and turns, n, or share"
            )
        return attrs


class ReservedSerializer(serializers.Serializer[Any]):
    n_items = serializers.IntegerField(help_text="reserved now")
    n_questions = serializers.IntegerField()
    n_part = serializers.IntegerField(help_text="reserved for the person in all")


class ReassignInSerializer(serializers.Serializer[Any]):
    people = serializers.ListField(
        child=serializers.CharField(),
        allow_empty=False,
        max_length=MOST_AT_ONCE,
        help_text="usernames of those whose items go",
    )
    to = serializers.CharField(
        allow_null=True, help_text="username; null: the places are open to everybody again"
    )
    reason = serializers.CharField(max_length=LONGEST_REASON)
    items = serializers.ListField(
        child=serializers.UUIDField(),
        allow_empty=False,
        max_length=MOST_AT_ONCE,
        required=False,
        help_text="only these items; without it, all that is left",
    )


class ReassignedSerializer(serializers.Serializer[Any]):
    n_items = serializers.IntegerField()
    n_held = serializers.IntegerField(
        help_text="on desks: they stay until they are judged or their time is over"
    )


def _members(batch: Batch, names: Iterable[str], field: str) -> list[User]:
    """The members of the study with these names, in their order. Raises ValidationError for others."""
    asked = list(dict.fromkeys(names))
    users = User.objects.filter(username__in=asked, memberships__study=batch.study).distinct()
    found = {each.username: each for each in users}
    if unknown := [name for name in asked if name not in found]:
        raise ValidationError({field: [f"{unknown[0]} is not in the study {batch.study.slug}"]})
    return [found[name] for name in asked]


class BatchReservations(BatchView):
    @extend_schema(operation_id="reservations", tags=["batches"], responses=PartsSerializer)
    def get(self, request: UserRequest, **kwargs: Any) -> Response:
        """List the people for whom items of the batch are reserved, with how far they are."""
        return Response(PartsSerializer({"parts": queries.parts(self.get_object())}).data)

    @extend_schema(
        operation_id="reserve",
        tags=["batches"],
        request=ReserveInSerializer,
        responses={201: ReservedSerializer},
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        """Reserve items for a person: all of them, or none.

        Errors of a list name the position of an item or question in it, from 1. If repeated: an error, as they are
        reserved already; with `n` or `share`, more are reserved.
        """
        batch, wanted = self.get_object(), self.validated_data(ReserveInSerializer)
        (person,) = _members(batch, [wanted["person"]], "person")
        options: dict[str, Any] = {"batch": batch, "person": person, "by": request.user}
        if wanted.get("items") or wanted.get("turns"):
            made = _reserve_named(wanted, options)
        else:
            options |= {name: wanted.get(name) for name in ("n", "share", "seed")}
            made = acts.reserve_drawn(**options)
        return Response(ReservedSerializer(made).data, status=201)


def _reserve_named(wanted: dict[str, Any], options: dict[str, Any]) -> acts.Reserved:
    report = Report("", "entry")
    try:
        rows = reserved_items_csv.of_values(
            wanted.get("items", []), wanted.get("turns", []), report
        )
        report.finish()
        return acts.reserve_named(rows=rows, report=report, **options)
    except ImportProblems as problems:
        lists = {reserved_items_csv.ITEM: "items", reserved_items_csv.TURN: "turns"}
        errors: dict[str, list[str]] = {}
        for each in problems.problems:
            errors.setdefault(lists[each.field], []).append(
                f"entry {each.index}: {each.value} {each.message}"
            )
        raise ValidationError(errors) from problems


class BatchReassign(BatchView):
    """Reassign what is left of people's reserved items to somebody else, or release it to everybody.

    All of it, or nothing. If repeated: 409, as nothing is left.
    """

    @extend_schema(
        operation_id="reassign",
        tags=["batches"],
        request=ReassignInSerializer,
        responses=ReassignedSerializer,
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        batch, wanted = self.get_object(), self.validated_data(ReassignInSerializer)
        to = None
        if wanted["to"] is not None:
            (to,) = _members(batch, [wanted["to"]], "to")
        done = reassignments.reassign(
            batch=batch,
            people=_owners(batch, wanted["people"]),
            to=to,
            reason=wanted["reason"],
            by=request.user,
            items=wanted.get("items"),
        )
        return Response(ReassignedSerializer(done).data)


def _owners(batch: Batch, names: Iterable[str]) -> list[User]:
    """The people with these names who have reserved items, members or not. Raises ValidationError for others."""
    asked = list(dict.fromkeys(names))
    found = {each.username: each for each in queries.people_with_parts(batch)}
    if unknown := [name for name in asked if name not in found]:
        raise ValidationError({"people": [f"nothing of the batch is reserved for {unknown[0]}"]})
    return [found[name] for name in asked]
