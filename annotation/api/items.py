"""The items of a batch, and an item by itself."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import StudyView, UserRequest
from accounts.api.filtering import ChoiceFilter
from accounts.models import Role, Study, User
from annotation import schemes
from annotation.api.item_serializers import ItemDetailSerializer, ItemSerializer
from annotation.models import Batch, Item, Source, Verdict, VerdictState
from annotation.queries import adjudication_access, before_decision

SETTLE_FIRST = (
    f"{adjudication_access.SETTLE_FIRST[0].upper()}{adjudication_access.SETTLE_FIRST[1:]}."
)
ORGANISERS = (Role.ADJUDICATOR, Role.REQUESTER)


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
    them. While your labels are hidden until you decide, items that you are still to decide have no votes.
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
        items = super().paginate_queryset(queryset) or []
        return _with_verdicts(items, self.request.user, self.study)


def _with_verdicts(items: Sequence[Item], reader: User, study: Study) -> Sequence[Item]:
    """The items, each with its current `verdict`, which has no votes where they are hidden from the reader."""
    keys = [item.pk for item in items]
    current = Verdict.objects.current().filter(item__in=keys)
    verdicts = {
        verdict.item_id: verdict
        for verdict in current.select_related("decided_by", "adjudication", "replaces__decided_by")
    }
    for pk in _without_votes(keys, reader, study) & verdicts.keys():
        verdicts[pk].votes, verdicts[pk].posterior = {}, {}  # of these objects, which nothing saves
    for item in items:
        item.verdict = verdicts.get(item.pk)  # type: ignore[attr-defined]
    return items


def _without_votes(keys: Sequence[int], reader: User, study: Study) -> set[int]:
    """The items of these keys whose votes are hidden from the reader."""
    if not before_decision.hides_votes(reader):
        return set()
    items = Item.objects.filter(pk__in=keys)
    return set(before_decision.items_to_decide(reader, study, items).values_list("pk", flat=True))


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


def current_item(item: Item, reader: User) -> Response:
    """The item as it is in the database now."""
    return _item_response(_items().get(pk=item.pk), reader)


def _item_response(item: Item, reader: User) -> Response:
    _with_verdicts([item], reader, item.batch.study)
    return Response(ItemDetailSerializer(item, context={"reader": reader}).data)


class ItemDetail(ItemView):
    """Read an item: what annotators saw, their judgements, and its history."""

    @extend_schema(operation_id="item", tags=["items"], responses=ItemDetailSerializer)
    def get(self, request: UserRequest, **kwargs: Any) -> Response:
        return _item_response(self.get_object(), request.user)
