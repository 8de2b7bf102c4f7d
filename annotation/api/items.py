"""Items: what each shows, how far it is and how it ended.

(A field whose name the serializer has for something else is none of its attributes once the class is made;
mypy cannot know: hence what it is told to ignore.)

For those who settle: what stands behind an item (run, score, reference) is told once nothing about its
question is open any more, as on its page; who judged it, never.
"""

from collections.abc import Iterable
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.response import Response

from accounts.api.endpoints import StudyRequest, done, endpoint
from accounts.api.filtering import Choice, narrowed
from accounts.api.paging import paged
from accounts.api.shapes import Out
from accounts.models import Role, Study, User
from annotation import schemes
from annotation.models import Batch, Item, SetAside, Source, Verdict, VerdictState
from annotation.queries import adjudication_access, item_history

SECOND_LOOK = (
    f"{adjudication_access.SETTLE_FIRST[0].upper()}{adjudication_access.SETTLE_FIRST[1:]}."
)

SETTLES = (Role.ADJUDICATOR, Role.REQUESTER)

STATE = Choice(
    "state",
    "how it ended; none: it has not",
    {each.value: Q(verdict_state=each) for each in VerdictState} | {"none": Q(verdict_state=None)},
)
SOURCE = Choice("source", "by what", {each.value: Q(verdict_source=each) for each in Source})
# What nobody may claim is not missing: an excluded item keeps its open places.
JUDGED = Choice(
    "judged",
    "its judgements: some missing, some being made now, or none yet",
    {
        "missing": Q(n_open__gt=0, is_excluded=False) | Q(n_claimed__gt=0),
        "held": Q(n_claimed__gt=0),
        "none": Q(n_counted=0),
    },
)
LABEL = OpenApiParameter("label", str, description="decided with this label")


class ReplacedOut(Out):
    """The verdict that stood before another."""

    state = serializers.ChoiceField(VerdictState.choices)
    label = serializers.CharField()  # type: ignore[assignment]
    source = serializers.ChoiceField(Source.choices)  # type: ignore[assignment]
    decided_by = serializers.CharField(source="decided_by.username")


class VerdictOut(Out):
    """How an item ended, and what that rests on."""

    id = serializers.IntegerField(source="pk", help_text="what `seen` says of it")
    state = serializers.ChoiceField(VerdictState.choices)
    label = serializers.CharField(help_text="of a decided item")  # type: ignore[assignment]
    set_aside_reason = serializers.ChoiceField([*SetAside.choices, ("", "")])
    source = serializers.ChoiceField(Source.choices)  # type: ignore[assignment]
    rule = serializers.CharField(help_text="the consensus rule that the votes were looked at with")
    votes = serializers.DictField(
        child=serializers.IntegerField(), help_text="how often each label was counted"
    )
    posterior = serializers.DictField(
        child=serializers.FloatField(),
        help_text="by the rule posterior, how likely each label was; else empty",
    )
    reason = serializers.CharField(
        source="adjudication.reason", default="", help_text="the adjudicator's"
    )
    decided_at = serializers.DateTimeField()
    decided_by = serializers.CharField(source="decided_by.username")
    replaces = ReplacedOut(allow_null=True)


class ItemOut(Out):
    """One thing to judge."""

    id = serializers.UUIDField(source="public_id")
    batch = serializers.IntegerField(source="batch_id")
    position = serializers.IntegerField(help_text="in the order of the batch")
    turn = serializers.CharField(source="turn.key", help_text="conversation and number, as 7_1")
    question = serializers.CharField(source="payload.question")
    answers = serializers.SerializerMethodField(help_text="the answers that it shows, in order")
    n_wanted = serializers.IntegerField(
        allow_null=True, help_text="judgements; null: a control item"
    )
    n_open = serializers.IntegerField(help_text="places that may be claimed")
    n_claimed = serializers.IntegerField(help_text="places that somebody holds now")
    n_counted = serializers.IntegerField(help_text="judgements that count")
    is_excluded = serializers.BooleanField()
    verdict = VerdictOut(allow_null=True, help_text="the one that stands")

    def get_answers(self, item: Item) -> list[str]:
        return [each["text"] for each in item.payload["answers"]]


class SaidOut(Out):
    """What one annotator says of an item now. Annotators are letters, in the order they took it."""

    assignment = serializers.UUIDField()
    who = serializers.CharField(help_text="a letter")
    label = serializers.CharField()  # type: ignore[assignment]
    comment = serializers.CharField()
    submitted_at = serializers.DateTimeField()
    is_counted = serializers.BooleanField()
    not_counted_because = serializers.CharField()


class LineOut(Out):
    """One thing that happened to an item."""

    at = serializers.DateTimeField()
    who = serializers.CharField(help_text="organisers by name, annotators by letter")
    what = serializers.CharField()
    why = serializers.CharField()


class BehindOut(Out):
    """What nobody who decides may know beforehand."""

    runs = serializers.ListField(child=serializers.CharField())
    score = serializers.FloatField(allow_null=True)
    scorer = serializers.CharField()
    references = serializers.ListField(child=serializers.CharField())


class ItemDetailOut(ItemOut):
    """An item with all that annotators saw and all that happened to it."""

    context = serializers.ListField(  # type: ignore[assignment]
        source="payload.context", child=serializers.CharField(), help_text="the earlier questions"
    )
    evidence = serializers.SerializerMethodField(help_text="null: the scheme shows none")
    n_asked = serializers.SerializerMethodField(help_text="what to send to ask again")
    judgements = serializers.SerializerMethodField(help_text="those that stand")
    history = serializers.SerializerMethodField(help_text="oldest first")
    behind = serializers.SerializerMethodField(
        help_text="null while anything about its question is open"
    )

    def get_evidence(self, item: Item) -> list[str] | None:
        found: list[str] | None = item.payload.get("evidence")
        return found

    def get_n_asked(self, item: Item) -> int:
        return item.n_open + item.n_claimed + item.n_counted

    def get_judgements(self, item: Item) -> SaidOut(many=True):  # type: ignore[valid-type]
        return SaidOut(item_history.current_judgements(item), many=True).data

    def get_history(self, item: Item) -> LineOut(many=True):  # type: ignore[valid-type]
        return LineOut(item_history.history_lines(item), many=True).data

    def get_behind(self, item: Item) -> BehindOut(allow_null=True):  # type: ignore[valid-type]
        found = item_history.answer_source(item)
        return BehindOut(found).data if found else None


@endpoint(
    "items",
    *SETTLES,
    lists=ItemOut,
    filters=(STATE.parameter, SOURCE.parameter, JUDGED.parameter, LABEL),
)
def items(request: StudyRequest, study: Study, batch: int) -> Response:
    """List the items of a batch with their verdicts, in the order of the batch.

    Control items are not among them, nor those that you are to settle a second time, nor what their
    answers led to.
    """
    found = get_object_or_404(study.batches.all(), pk=batch)
    labels = schemes.get(found.scheme).labels
    label = Choice("label", "", {each: Q(verdict_label=each) for each in labels})
    kept = adjudication_access.items_hidden_from(request.user, study)
    rows = _of(found).exclude(pk__in=kept.values("pk"))
    rows = narrowed(request, rows, STATE, SOURCE, JUDGED, label)
    return paged(request, rows.order_by("position"), ItemOut, made=with_verdicts)


def _of(batch: Batch) -> QuerySet[Item]:
    current = Verdict.objects.current().filter(item=OuterRef("pk"))
    columns = {"verdict_state": "state", "verdict_label": "label", "verdict_source": "source"}
    items = Item.objects.real().filter(batch=batch).select_related("turn__conversation")
    return items.defer("turn__source", "turn__truth_passages").annotate(
        **{name: Subquery(current.values(column)[:1]) for name, column in columns.items()}
    )


def with_verdicts(items: Iterable[Item]) -> list[Item]:
    """Each with its `verdict`, of all by one query."""
    found = list(items)
    verdicts = {
        each.item_id: each
        for each in Verdict.objects.current()
        .filter(item__in=[item.pk for item in found])
        .select_related("decided_by", "adjudication", "replaces__decided_by")
    }
    for item in found:
        item.verdict = verdicts.get(item.pk)  # type: ignore[attr-defined]
    return found


def of(study: Study, public_id: UUID, reader: User | None = None) -> Item:
    """The item; not for a reader who is to settle it a second time without what was decided of it."""
    items = Item.objects.select_related("batch__study", "turn__conversation")
    found: Item = get_object_or_404(items, batch__study=study, public_id=public_id)
    if reader is not None and adjudication_access.must_not_see(reader, found):
        raise PermissionDenied(SECOND_LOOK)
    return found


@endpoint("items", *SETTLES, gives=ItemDetailOut)
def item(request: StudyRequest, study: Study, item: UUID) -> Response:
    """Read an item: what annotators saw, what they said, and all that happened to it."""
    return shown(of(study, item, request.user))


def shown(item: Item, status: int = 200) -> Response:
    (found,) = with_verdicts([item])
    return done(ItemDetailOut, found, status)
