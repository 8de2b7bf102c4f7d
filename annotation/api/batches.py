"""The batches of a study with their settings, state and counts, and the acts of requesters on them."""

from typing import Any

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from accounts.api.base import StudyView, UserRequest
from accounts.api.filtering import ChoiceFilter
from accounts.api.withdrawals import WithdrawalSerializer, with_rows, withdrawn
from accounts.models import Role
from annotation import schemes
from annotation.actions import batches, settlement
from annotation.models import Batch, BatchState
from annotation.queries import batch_progress
from stats.aggregation import consensus

# How a request that is refused because of open claims can be sent again.
OR_RELEASE = 'or send "expire_claims": true to release them'


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
            *("shows_context", "shows_markdown", "gives_feedback", "control_every", "seed"),
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


class StateFilter(ChoiceFilter):
    name = "state"
    description = "only batches in this state"
    conditions = {state.value: Q(state=state) for state in BatchState}


class SchemeFilter(ChoiceFilter):
    name = "scheme"
    description = "only batches of this scheme"
    conditions = {name: Q(scheme=name) for name in schemes.names()}


class KindFilter(ChoiceFilter):
    name = "kind"
    description = "judged by people (real) or by simulated annotators (rehearsal)"
    conditions = {"real": Q(is_rehearsal=False), "rehearsal": Q(is_rehearsal=True)}


class BatchView(StudyView):
    roles = (Role.REQUESTER,)

    def get_queryset(self) -> QuerySet[Batch]:
        related = (
            *("study", "pool", "guideline", "qualification", "trains_for"),
            *("created_by", "closed_by"),
        )
        rows = self.study.batches.select_related(*related).order_by("-created_at", "-pk")
        return with_rows(rows)

    def get_object(self) -> Batch:
        return get_object_or_404(self.get_queryset(), pk=self.kwargs["batch"])

    def current_batch(self) -> Response:
        """The batch as it is in the database now."""
        (batch,) = _with_progress([self.get_object()])
        return Response(BatchSerializer(batch).data)


def _with_progress(batches: list[Batch]) -> list[Batch]:
    """The batches, each with its counts as `progress`."""
    for line in batch_progress.batch_lines(batches):
        line.batch.progress = line  # type: ignore[attr-defined]
    return batches


@extend_schema_view(get=extend_schema(operation_id="batches", tags=["batches"]))
class BatchList(BatchView, ListAPIView[Batch]):
    """List the batches of a study, the newest first."""

    serializer_class = BatchSerializer
    filter_backends = (StateFilter, SchemeFilter, KindFilter)

    def paginate_queryset(self, queryset: Any) -> Any:
        return _with_progress(super().paginate_queryset(queryset) or [])


class BatchDetail(BatchView):
    """Read a batch."""

    @extend_schema(operation_id="batch", tags=["batches"], responses=BatchSerializer)
    def get(self, request: UserRequest, **kwargs: Any) -> Response:
        return self.current_batch()


class BatchOpen(BatchView):
    """Open a draft: create its items, and admit annotators.

    Pool, scheme and order are then frozen; `change/` changes the rest. If repeated: 409.
    """

    @extend_schema(
        operation_id="batch_open",
        tags=["batches"],
        request=OpenInSerializer,
        responses=BatchSerializer,
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        batch = self.get_object()
        batches.launch(batch=batch, by=request.user, **self.validated_data(OpenInSerializer))
        return self.current_batch()


class BatchPause(BatchView):
    """Pause a batch: no new claims.

    Open claims can still be submitted. If repeated: 409.
    """

    @extend_schema(
        operation_id="batch_pause", tags=["batches"], request=None, responses=BatchSerializer
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        batches.pause(batch=self.get_object(), by=request.user)
        return self.current_batch()


class BatchResume(BatchView):
    """Resume a paused batch.

    If repeated: 409.
    """

    @extend_schema(
        operation_id="batch_resume", tags=["batches"], request=None, responses=BatchSerializer
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        batches.resume(batch=self.get_object(), by=request.user)
        return self.current_batch()


class BatchDeadline(BatchView):
    """Set the deadline of a batch.

    If repeated, nothing changes.
    """

    @extend_schema(
        operation_id="batch_deadline",
        tags=["batches"],
        request=DeadlineInSerializer,
        responses=BatchSerializer,
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        batch = self.get_object()
        batches.set_deadline(
            batch=batch, by=request.user, **self.validated_data(DeadlineInSerializer)
        )
        return self.current_batch()


class BatchClose(BatchView):
    """Close a batch: no new claims, and judgements can no longer be changed.

    Open claims can be submitted until they expire. If repeated: 409.
    """

    @extend_schema(
        operation_id="batch_close", tags=["batches"], request=None, responses=BatchSerializer
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        batches.close(batch=self.get_object(), by=request.user)
        return self.current_batch()


class BatchReopen(BatchView):
    """Reopen a closed batch for the judgements that it still lacks.

    Its verdicts stay until it is settled again. If repeated: 409.
    """

    @extend_schema(
        operation_id="batch_reopen", tags=["batches"], request=None, responses=BatchSerializer
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        batches.reopen(batch=self.get_object(), by=request.user)
        return self.current_batch()


class BatchSettle(BatchView):
    """Settle a closed batch: every item is decided, disputed, or set aside with a reason.

    Adjudications do not change. If repeated with the same rule, only verdicts that differ are written.
    """

    @extend_schema(
        operation_id="batch_settle",
        tags=["batches"],
        request=SettleInSerializer,
        responses=SettledSerializer,
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        batch = self.get_object()
        wanted = self.validated_data(SettleInSerializer)
        try:
            result = settlement.settle(batch=batch, by=request.user, **wanted)
        except settlement.OpenClaimsError as error:
            raise settlement.SettleError(f"{error}, {OR_RELEASE}") from error
        return Response(SettledSerializer(result).data)
