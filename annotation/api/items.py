"""Items with their judgements, verdicts and history.

A serializer's field may have the name of an attribute of Serializer (label, source, context): the metaclass
removes it from the class, which mypy cannot know.

The source of an answer (run, score, reference) is shown once nothing about its question is undecided, as on the
item's page. Annotators are never named.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import StudyView, UserRequest
from accounts.api.filtering import ChoiceFilter
from accounts.models import Role, User
from annotation import schemes
from annotation.models import Batch, Item, SetAside, Source, Verdict, VerdictState
from annotation.queries import adjudication_access, item_history

SETTLE_FIRST = (
    f"{adjudication_access.SETTLE_FIRST[0].upper()}{adjudication_access.SETTLE_FIRST[1:]}."
)
ORGANISERS = (Role.ADJUDICATOR, Role.REQUESTER)


class ReplacedSerializer(serializers.ModelSerializer[Verdict]):
    """The verdict that another one replaced."""

    decided_by = serializers.CharField(source="decided_by.username")

    class Meta:
        model = Verdict
        fields = ["state", "label", "source", "decided_by"]
        read_only_fields = fields


class VerdictSerializer(serializers.ModelSerializer[Verdict]):
    """The verdict of an item, and its basis."""

    set_aside_reason = serializers.ChoiceField([*SetAside.choices, ("", "")])
    votes = serializers.DictField(
        child=serializers.IntegerField(), help_text="counted judgements by label"
    )
    posterior = serializers.DictField(
        child=serializers.FloatField(),
        help_text="probability of each label, with the rule posterior; else empty",
    )
    reason = serializers.CharField(
        source="adjudication.reason", default="", help_text="the adjudicator's reason"
    )
    decided_by = serializers.CharField(source="decided_by.username")
    replaces = ReplacedSerializer(allow_null=True)

    class Meta:
        model = Verdict
        fields = [
            *("id", "state", "label", "set_aside_reason", "source", "rule", "votes", "posterior"),
            *("reason", "decided_at", "decided_by", "replaces"),
        ]
        read_only_fields = fields
        extra_kwargs = {
            "id": {"help_text": "the value of `seen` in a decision on this verdict"},
            "label": {"help_text": "empty unless the item is decided"},
            "rule": {"help_text": "the consensus rule that was applied"},
        }


class ItemSerializer(serializers.ModelSerializer[Item]):
    """One thing to judge."""

    id = serializers.UUIDField(source="public_id")
    batch = serializers.IntegerField(source="batch_id")
    turn = serializers.CharField(
        source="turn.key", help_text="conversation and number, such as 7_1"
    )
    question = serializers.CharField(source="payload.question")
    answers = serializers.SerializerMethodField(help_text="the answers shown, in order")
    verdict = VerdictSerializer(allow_null=True, help_text="the current verdict")

    class Meta:
        model = Item
        fields = [
            *("id", "batch", "position", "turn", "question", "answers", "n_wanted", "n_open"),
            *("n_claimed", "n_counted", "is_excluded", "verdict"),
        ]
        read_only_fields = fields
        extra_kwargs: Mapping[str, Any] = {
            "position": {"help_text": "place in the order of the batch"},
            "n_wanted": {"help_text": "judgements asked for; null: a control item"},
            "n_open": {"help_text": "places that can be claimed"},
            "n_claimed": {"help_text": "open claims"},
            "n_counted": {"help_text": "counted judgements"},
        }

    def get_answers(self, item: Item) -> list[str]:
        return [answer["text"] for answer in item.payload["answers"]]


class SaidSerializer(serializers.Serializer[Any]):
    """An annotator's current judgement. Annotators are letters, in the order of their claims."""

    assignment = serializers.UUIDField()
    who = serializers.CharField(help_text="the annotator, as a letter")
    label = serializers.CharField()  # type: ignore[assignment]
    comment = serializers.CharField()
    submitted_at = serializers.DateTimeField()
    is_counted = serializers.BooleanField()
    not_counted_because = serializers.CharField()


class LineSerializer(serializers.Serializer[Any]):
    """An entry of the history of an item."""

    at = serializers.DateTimeField()
    who = serializers.CharField(help_text="organisers by name, annotators as letters")
    what = serializers.CharField()
    why = serializers.CharField()


class BehindSerializer(serializers.Serializer[Any]):
    """The source of each answer, hidden from adjudicators until the question is decided."""

    runs = serializers.ListField(child=serializers.CharField())
    score = serializers.FloatField(allow_null=True)
    scorer = serializers.CharField()
    references = serializers.ListField(child=serializers.CharField())


class ItemDetailSerializer(ItemSerializer):
    """An item with its payload, judgements and history."""

    context = serializers.ListField(  # type: ignore[assignment]
        source="payload.context",
        child=serializers.CharField(),
        help_text="the earlier questions of the conversation",
    )
    evidence = serializers.SerializerMethodField(help_text="null: the scheme shows no evidence")
    n_asked = serializers.SerializerMethodField(help_text="the value of `n_asked` in ask-again")
    judgements = serializers.SerializerMethodField(help_text="current judgements")
    history = serializers.SerializerMethodField(help_text="oldest first")
    behind = serializers.SerializerMethodField(
        help_text="null until every item of its question is decided"
    )

    class Meta(ItemSerializer.Meta):
        fields = [
            *ItemSerializer.Meta.fields,
            *("context", "evidence", "n_asked", "judgements", "history", "behind"),
        ]
        read_only_fields = fields

    def get_evidence(self, item: Item) -> list[str] | None:
        evidence: list[str] | None = item.payload.get("evidence")
        return evidence

    def get_n_asked(self, item: Item) -> int:
        return item.n_open + item.n_claimed + item.n_counted

    def get_judgements(self, item: Item) -> SaidSerializer(many=True):  # type: ignore[valid-type]
        return SaidSerializer(item_history.current_judgements(item), many=True).data

    def get_history(self, item: Item) -> LineSerializer(many=True):  # type: ignore[valid-type]
        return LineSerializer(item_history.history_lines(item), many=True).data

    def get_behind(self, item: Item) -> BehindSerializer(allow_null=True):  # type: ignore[valid-type]
        behind = item_history.answer_source(item)
        return BehindSerializer(behind).data if behind else None


class StateFilter(ChoiceFilter):
    name = "state"
    description = "state of the verdict; none: no verdict yet"
    conditions = {state.value: Q(verdict_state=state) for state in VerdictState} | {
        "none": Q(verdict_state=None)
    }


class SourceFilter(ChoiceFilter):
    name = "source"
    description = "source of the verdict"
    conditions = {source.value: Q(verdict_source=source) for source in Source}


class JudgedFilter(ChoiceFilter):
    name = "judged"
    description = "judgements: some missing, some claimed now, or none yet"
    # An excluded item keeps its open places, but nobody may claim them: they are not missing.
    conditions = {
        "missing": Q(n_open__gt=0, is_excluded=False) | Q(n_claimed__gt=0),
        "held": Q(n_claimed__gt=0),
        "none": Q(n_counted=0),
    }


class LabelFilter(ChoiceFilter):
    name = "label"
    description = "decided with this label"

    def get_conditions(self, view: APIView) -> dict[str, Q]:
        """The labels of the scheme of an ItemList."""
        labels = schemes.get(view.batch.scheme).labels  # type: ignore[attr-defined]
        return {label: Q(verdict_label=label) for label in labels}


@extend_schema_view(get=extend_schema(operation_id="items", tags=["items"]))
class ItemList(StudyView, ListAPIView[Item]):
    """List the items of a batch with their verdicts, in the order of the batch.

    Control items are left out, and so are items of your blind re-adjudications and of pools drawn from
    them.
    """

    roles = ORGANISERS
    serializer_class = ItemSerializer
    filter_backends = (StateFilter, SourceFilter, JudgedFilter, LabelFilter)

    @cached_property
    def batch(self) -> Batch:
        return get_object_or_404(self.study.batches.all(), pk=self.kwargs["batch"])

    def get_queryset(self) -> QuerySet[Item]:
        current = Verdict.objects.current().filter(item=OuterRef("pk"))
        columns = {"verdict_state": "state", "verdict_label": "label", "verdict_source": "source"}
        items = Item.objects.real().filter(batch=self.batch).select_related("turn__conversation")
        items = items.defer("turn__source", "turn__truth_passages").annotate(
            **{name: Subquery(current.values(column)[:1]) for name, column in columns.items()}
        )
        hidden = adjudication_access.items_hidden_from(self.request.user, self.study)
        return items.exclude(pk__in=hidden.values("pk")).order_by("position")

    def paginate_queryset(self, queryset: Any) -> Any:
        return _with_verdicts(super().paginate_queryset(queryset) or [])


def _with_verdicts(items: Sequence[Item]) -> Sequence[Item]:
    """The items, each with its current `verdict`, by one query."""
    current = Verdict.objects.current().filter(item__in=[item.pk for item in items])
    verdicts = {
        verdict.item_id: verdict
        for verdict in current.select_related("decided_by", "adjudication", "replaces__decided_by")
    }
    for item in items:
        item.verdict = verdicts.get(item.pk)  # type: ignore[attr-defined]
    return items


class ItemView(StudyView):
    roles: ClassVar[tuple[Role, ...]] = ORGANISERS

    def get_object(self) -> Item:
        item = get_object_or_404(_items(), batch__study=self.study, public_id=self.kwargs["item"])
        require_visible(item, self.request.user)
        return item


def _items() -> QuerySet[Item]:
    return Item.objects.select_related("batch__study", "turn__conversation")


def require_visible(item: Item, user: User) -> None:
    """Raises PermissionDenied for an adjudicator who is to settle the item a second time."""
    if adjudication_access.must_not_see(user, item):
        raise PermissionDenied(SETTLE_FIRST)


def current_item(item: Item) -> Response:
    """The item as it is in the database now."""
    return _item_response(_items().get(pk=item.pk))


def _item_response(item: Item) -> Response:
    _with_verdicts([item])
    return Response(ItemDetailSerializer(item).data)


class ItemDetail(ItemView):
    """Read an item: what annotators saw, their judgements, and its history."""

    @extend_schema(operation_id="item", tags=["items"], responses=ItemDetailSerializer)
    def get(self, request: UserRequest, **kwargs: Any) -> Response:
        return _item_response(self.get_object())
