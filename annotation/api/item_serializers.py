"""Items as the API answers with them, with their judgements, verdicts and history.

A serializer's field may have the name of an attribute of Serializer (label, source, context): the metaclass
removes it from the class, which mypy cannot know.

The source of an answer (run, score, reference) is shown once nothing about its question is undecided, and reviews
and, on request, labels once the reader has decided, as on the item's page. Annotators are never named.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rest_framework import serializers

from accounts.models import User
from annotation.models import Item, SetAside, Verdict
from annotation.queries import answer_sources, before_decision, item_history
from annotation.queries.before_decision import Hidden


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
    after_sources = serializers.BooleanField(
        source="adjudication.after_sources",
        default=False,
        help_text="decided by an adjudicator after the batch's runs were shown to them",
    )
    decided_by = serializers.CharField(source="decided_by.username")
    replaces = ReplacedSerializer(allow_null=True)

    class Meta:
        model = Verdict
        fields = [
            *("id", "state", "label", "set_aside_reason", "source", "rule", "votes", "posterior"),
            *("reason", "after_sources", "decided_at", "decided_by", "replaces"),
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
            *("n_reserved", "n_claimed", "n_counted", "is_excluded", "verdict"),
        ]
        read_only_fields = fields
        extra_kwargs: Mapping[str, Any] = {
            "position": {"help_text": "place in the order of the batch"},
            "n_wanted": {"help_text": "judgements asked for; null: a control item or a repeat"},
            "n_open": {"help_text": "places that can be claimed"},
            "n_reserved": {"help_text": "places kept for one person each"},
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
    not_counted_because = serializers.CharField(
        help_text="why it is not counted; empty until you have decided the item"
    )


class LineSerializer(serializers.Serializer[Any]):
    """An entry of the history of an item."""

    at = serializers.DateTimeField()
    who = serializers.CharField(help_text="organisers by name, annotators as letters")
    what = serializers.CharField()
    why = serializers.CharField()


class BehindSerializer(serializers.Serializer[Any]):
    """The source of each answer, hidden until everything on the batch's questions is decided."""

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
    judgements = serializers.SerializerMethodField(
        help_text="current judgements; empty while labels are hidden until you decide"
    )
    history = serializers.SerializerMethodField(
        help_text="oldest first; until you have decided the item without reviews, and empty while labels are hidden"
    )
    behind = serializers.SerializerMethodField(
        help_text="null while something on the batch's questions is undecided; for an adjudicator until they"
        " asked for the runs of the batch on an item's page"
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
        return item.n_asked

    def get_judgements(self, item: Item) -> SaidSerializer(many=True):  # type: ignore[valid-type]
        hidden = self._hidden(item)
        judgements = [] if hidden.votes else item_history.current_judgements(item)
        if hidden.reviews:
            judgements = [replace(each, not_counted_because="") for each in judgements]
        return SaidSerializer(judgements, many=True).data

    def get_history(self, item: Item) -> LineSerializer(many=True):  # type: ignore[valid-type]
        hidden = self._hidden(item)
        lines = item_history.history_lines(item, with_reviews=not hidden.reviews)
        return LineSerializer([] if hidden.votes else lines, many=True).data

    def _hidden(self, item: Item) -> Hidden:
        """What is hidden from the reader; `item` has its current `verdict`."""
        return before_decision.hidden_from(self._context["reader"], item, item.verdict)  # type: ignore[attr-defined]

    def get_behind(self, item: Item) -> BehindSerializer(allow_null=True):  # type: ignore[valid-type]
        reader: User = self._context["reader"]
        if answer_sources.access(item, reader) != answer_sources.Access.SHOWN:
            return None
        return BehindSerializer(answer_sources.source_of(item)).data
