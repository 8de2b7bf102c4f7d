"""What the API says of a batch, and what its acts take and answer."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api.withdrawals import WithdrawalSerializer, withdrawn
from annotation.actions import settlement
from annotation.models import Batch
from stats.aggregation import consensus


class BatchSerializer(serializers.ModelSerializer[Batch]):
    """A batch with its settings and how far it is. Counts are judgements unless they say items."""

    pool = serializers.CharField(source="pool.name", help_text="the pool whose answers are judged")
    guideline_sha256 = serializers.CharField(source="guideline.sha256")
    reward = serializers.DecimalField(
        max_digits=9, decimal_places=None, allow_null=True, help_text="payment for one judgement"
    )
    currency = serializers.CharField()
    qualification = serializers.CharField(
        source="qualification.name",
        allow_null=True,
        default=None,
        help_text="what a person must hold to work on it; null: every annotator of the study works on it",
    )
    trains_for = serializers.CharField(
        source="trains_for.name",
        allow_null=True,
        default=None,
        help_text="the qualification that a training decides on; null: none",
    )
    n_items = serializers.IntegerField(
        source="progress.n_items", help_text="items, without control items"
    )
    n_wanted = serializers.IntegerField(
        source="progress.n_wanted", help_text="judgements asked for"
    )
    n_claimed = serializers.IntegerField(source="progress.n_claimed", help_text="open claims")
    n_counted = serializers.IntegerField(
        source="progress.n_counted", help_text="judgements that are counted"
    )
    n_verdicts = serializers.IntegerField(
        source="progress.n_verdicts", help_text="items with a verdict"
    )
    n_disputed = serializers.IntegerField(
        source="progress.n_disputed", help_text="items in dispute"
    )
    withdrawn = serializers.SerializerMethodField(
        help_text="when, by whom and why it was withdrawn; null: it was not"
    )
    created_by = serializers.CharField(source="created_by.username")
    closed_by = serializers.CharField(source="closed_by.username", allow_null=True, default=None)

    class Meta:
        model = Batch
        fields = [
            *("id", "name", "scheme", "state", "is_rehearsal", "purpose", "trains_for", "pool"),
            "guideline_sha256",
            *("judgements_per_item", "claim_seconds", "grouping", "largest_share", "qualification"),
            *("prefetch_depth", "skip_reasons"),
            *("opponents_per_answer", "deadline_at", "reward", "currency", "expected_seconds"),
            *("shows_context", "shows_markdown", "gives_feedback", "control_every", "repeat_every"),
            "seed",
            *("n_items", "n_wanted", "n_claimed", "n_counted"),
            *("n_verdicts", "n_disputed", "created_at", "created_by", "closed_at", "closed_by"),
            "withdrawn",
        ]
        read_only_fields = fields
        extra_kwargs = {
            "scheme": {"help_text": "what is judged"},
            "purpose": {
                "help_text": "work, pilot, or training: control items only, which count in no result"
            },
            "gives_feedback": {
                "help_text": "whether annotators see the final labels of their items once it is settled"
            },
            "claim_seconds": {"help_text": "how long an item is held by who is judging it"},
            "prefetch_depth": {"help_text": "the most items that one person holds at a time"},
            "skip_reasons": {"help_text": "what annotators choose from when they skip an item"},
            "largest_share": {"help_text": "the most of the items that one person may take"},
            "opponents_per_answer": {
                "help_text": "of pairs: with how many others of its question an answer is compared;"
                " null: with all"
            },
            "control_every": {
                "help_text": "one item in so many, on average, is a control item; null: none is"
            },
            "repeat_every": {
                "help_text": "one item in so many, on average, is one of the person's own once more; null: none is"
            },
            "expected_seconds": {"help_text": "how long one judgement is expected to take"},
            "shows_markdown": {
                "help_text": "whether answers are shown as Markdown; false: as they were written"
            },
        }

    @extend_schema_field(WithdrawalSerializer(allow_null=True))
    def get_withdrawn(self, batch: Batch) -> dict[str, Any] | None:
        return withdrawn(batch)


class OpenInSerializer(serializers.Serializer[Any]):
    ask_without_evidence = serializers.BooleanField(
        default=False,
        help_text="include answers without evidence, under a scheme that shows evidence",
    )


class DeadlineInSerializer(serializers.Serializer[Any]):
    deadline_at = serializers.DateTimeField(
        allow_null=True, help_text="no new claims from then on; null: no deadline"
    )


class SettleInSerializer(serializers.Serializer[Any]):
    rule = serializers.ChoiceField(sorted(consensus.RULES), help_text="the consensus rule")
    expire_claims = serializers.BooleanField(
        default=False,
        help_text="release the items that people still hold; without it, open claims are refused (409)",
    )


class SettledSerializer(serializers.Serializer[settlement.Settlement]):
    """The verdicts of a batch, and what settling it changed."""

    n_items = serializers.IntegerField()
    n_decided = serializers.IntegerField()
    n_disputed = serializers.IntegerField()
    n_set_aside = serializers.IntegerField()
    n_adjudicated = serializers.IntegerField(help_text="decided items, by an adjudicator")
    n_new = serializers.IntegerField(help_text="new verdicts")
    n_superseded = serializers.IntegerField(help_text="new verdicts that replace an earlier one")
