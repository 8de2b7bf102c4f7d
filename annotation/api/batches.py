"""A study's batches: their settings, state and counts, and what a requester does with them."""

from collections.abc import Callable
from typing import Any

from django.db.models import Q
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.response import Response

from accounts.api.endpoints import StudyRequest, done, endpoint, said
from accounts.api.filtering import Choice, narrowed
from accounts.api.paging import paged
from accounts.api.problems import refusing
from accounts.api.shapes import Out
from accounts.models import Role, Study
from annotation import schemes
from annotation.actions import batches as acts
from annotation.actions import settlement
from annotation.actions.batches import BatchError
from annotation.actions.settlement import SettleError
from annotation.models import Batch, BatchState, Grouping
from annotation.queries import batch_progress
from stats.aggregation import consensus

STATE = Choice("state", "in this state", {each.value: Q(state=each) for each in BatchState})
SCHEME = Choice("scheme", "of this scheme", {name: Q(scheme=name) for name in schemes.names()})
KIND = Choice(
    "kind",
    "judged by people, or by simulated ones",
    {"real": Q(is_rehearsal=False), "rehearsal": Q(is_rehearsal=True)},
)


class BatchOut(Out):
    """A batch with its settings and how far it is. Counts are judgements unless they say items."""

    id = serializers.IntegerField(source="batch.pk")
    name = serializers.CharField(source="batch.name")
    scheme = serializers.CharField(source="batch.scheme", help_text="what is judged")
    state = serializers.ChoiceField(BatchState.choices, source="batch.state")
    is_rehearsal = serializers.BooleanField(source="batch.is_rehearsal")
    pool = serializers.CharField(source="batch.pool.name", help_text="the pool it is made of")
    guideline_sha256 = serializers.CharField(source="batch.guideline.sha256")
    judgements_per_item = serializers.IntegerField(source="batch.judgements_per_item")
    claim_seconds = serializers.IntegerField(
        source="batch.claim_seconds", help_text="how long an item is held by who is judging it"
    )
    grouping = serializers.ChoiceField(Grouping.choices, source="batch.grouping")
    largest_share = serializers.FloatField(
        source="batch.largest_share",
        allow_null=True,
        help_text="the most of the items that one person may take",
    )
    opponents_per_answer = serializers.IntegerField(
        source="batch.opponents_per_answer",
        allow_null=True,
        help_text="of pairs: with how many others of its question an answer is compared; null: with all",
    )
    deadline_at = serializers.DateTimeField(source="batch.deadline_at", allow_null=True)
    reward = serializers.DecimalField(
        source="batch.reward",
        max_digits=9,
        decimal_places=None,
        allow_null=True,
        help_text="what one judgement pays",
    )
    currency = serializers.CharField(source="batch.currency")
    expected_seconds = serializers.IntegerField(
        source="batch.expected_seconds", help_text="how long one judgement is expected to take"
    )
    shows_context = serializers.BooleanField(source="batch.shows_context")
    seed = serializers.IntegerField(source="batch.seed")
    n_items = serializers.IntegerField(help_text="items, without control items")
    n_wanted = serializers.IntegerField(help_text="how many are asked for")
    n_claimed = serializers.IntegerField(help_text="how many are being made now")
    n_counted = serializers.IntegerField(help_text="how many count")
    n_verdicts = serializers.IntegerField(help_text="items that have ended")
    n_disputed = serializers.IntegerField(help_text="items in dispute")
    created_at = serializers.DateTimeField(source="batch.created_at")
    created_by = serializers.CharField(source="batch.created_by.username")
    closed_at = serializers.DateTimeField(source="batch.closed_at", allow_null=True)
    closed_by = serializers.CharField(
        source="batch.closed_by.username", allow_null=True, default=None
    )


class OpenIn(serializers.Serializer[Any]):
    ask_without_evidence = serializers.BooleanField(
        default=False,
        help_text="under a scheme with evidence: also ask about answers that have none",
    )


class DeadlineIn(serializers.Serializer[Any]):
    deadline_at = serializers.DateTimeField(allow_null=True, help_text="null: without end")


class SettleIn(serializers.Serializer[Any]):
    rule = serializers.ChoiceField(
        sorted(consensus.RULES), help_text="by which votes make a verdict"
    )
    expire_claims = serializers.BooleanField(
        default=False,
        help_text="end the claims that are still open; else they are waited for (409)",
    )


class SettledOut(Out):
    """How the items of a batch stand now, and what this settling changed."""

    n_items = serializers.IntegerField()
    n_decided = serializers.IntegerField()
    n_disputed = serializers.IntegerField()
    n_set_aside = serializers.IntegerField()
    n_adjudicated = serializers.IntegerField(help_text="of those decided, by an adjudicator")
    n_new = serializers.IntegerField(help_text="verdicts that were written")
    n_superseded = serializers.IntegerField(help_text="of those, in place of an earlier one")


def of(study: Study, batch: int) -> Batch:
    found: Batch = get_object_or_404(_rows(study), pk=batch)
    return found


def _rows(study: Study) -> Any:
    return study.batches.select_related("study", "pool", "guideline", "created_by", "closed_by")


@endpoint(
    "batches",
    Role.REQUESTER,
    lists=BatchOut,
    filters=(STATE.parameter, SCHEME.parameter, KIND.parameter),
)
def batches(request: StudyRequest, study: Study) -> Response:
    """List the batches of a study, the newest first."""
    rows = narrowed(request, _rows(study).order_by("-created_at", "-pk"), STATE, SCHEME, KIND)
    return paged(request, rows, BatchOut, made=batch_progress.batch_lines)


@endpoint("batches", Role.REQUESTER, gives=BatchOut)
def batch(request: StudyRequest, study: Study, batch: int) -> Response:
    """Read a batch."""
    return _line(of(study, batch))


def _line(batch: Batch) -> Response:
    (line,) = batch_progress.batch_lines([batch])
    return done(BatchOut, line)


def _done(request: StudyRequest, batch: Batch, act: Callable[..., Any], **options: Any) -> Response:
    """Do the act, and answer with the batch as it is then."""
    with refusing(BatchError):
        act(batch=batch, by=request.user, **options)
    return _line(of(batch.study, batch.pk))


@endpoint("batches", Role.REQUESTER, takes=OpenIn, gives=BatchOut)
def batch_open(request: StudyRequest, study: Study, batch: int) -> Response:
    """Open a draft: its items are made, and annotators are let in.

    From here on the pool, the guideline and the settings are frozen. Sent again: 409.
    """
    found = of(study, batch)
    return _done(request, found, acts.launch, **said(request, OpenIn))


@endpoint("batches", Role.REQUESTER, gives=BatchOut)
def batch_pause(request: StudyRequest, study: Study, batch: int) -> Response:
    """Pause a batch: nobody is handed another item.

    What people hold they can still submit. Sent again: 409.
    """
    return _done(request, of(study, batch), acts.pause)


@endpoint("batches", Role.REQUESTER, gives=BatchOut)
def batch_resume(request: StudyRequest, study: Study, batch: int) -> Response:
    """Resume a paused batch.

    Sent again: 409.
    """
    return _done(request, of(study, batch), acts.resume)


@endpoint("batches", Role.REQUESTER, takes=DeadlineIn, gives=BatchOut)
def batch_deadline(request: StudyRequest, study: Study, batch: int) -> Response:
    """Set until when a batch hands out items.

    Sent again, nothing is changed.
    """
    found = of(study, batch)
    return _done(request, found, acts.set_deadline, **said(request, DeadlineIn))


@endpoint("batches", Role.REQUESTER, gives=BatchOut)
def batch_close(request: StudyRequest, study: Study, batch: int) -> Response:
    """Close a batch: nobody is handed another item, and nothing said can be changed.

    Open claims can be submitted until they expire. Sent again: 409.
    """
    return _done(request, of(study, batch), acts.close)


@endpoint("batches", Role.REQUESTER, gives=BatchOut)
def batch_reopen(request: StudyRequest, study: Study, batch: int) -> Response:
    """Open a closed batch again, so that places opened again can be filled.

    Verdicts stand until it is settled once more. Sent again: 409.
    """
    return _done(request, of(study, batch), acts.reopen)


@endpoint("batches", Role.REQUESTER, takes=SettleIn, gives=SettledOut)
def batch_settle(request: StudyRequest, study: Study, batch: int) -> Response:
    """Settle a closed batch: every item gets a verdict, or is in dispute, or set aside with a reason.

    Adjudications stay as they are. Sent again with the same rule, nothing is written that is there.
    """
    found = of(study, batch)
    with refusing(SettleError):
        settled = settlement.settle(batch=found, by=request.user, **said(request, SettleIn))
    return done(SettledOut, settled)
