"""The batches of a study with their settings, state and counts, and the acts of requesters on them."""

from typing import Any

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from accounts.api.base import StudyView, UserRequest
from accounts.api.filtering import ChoiceFilter
from accounts.api.withdrawals import with_rows
from accounts.models import Role
from annotation import schemes
from annotation.actions import batches, settlement
from annotation.api.batch_serializers import (
    BatchSerializer,
    DeadlineInSerializer,
    OpenInSerializer,
    SettledSerializer,
    SettleInSerializer,
)
from annotation.models import Batch, BatchState
from annotation.queries import batch_progress

# How a request that is refused because of open claims can be sent again.
OR_RELEASE = 'or send "expire_claims": true to release them'


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
