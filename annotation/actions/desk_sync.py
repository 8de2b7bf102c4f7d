"""The desk's data request: store submissions and hand out the next items, in one transaction.

docs/adr/0006-the-desk-under-load.md is the design. Locks are taken in the order of all actions: cursor,
assignments, items by position. A request that stores something waits for no further item: it holds the locks
on the items just judged.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from accounts import permissions
from accounts.models import Role, User
from annotation.actions import claims, desk_submissions
from annotation.actions.claims import NothingToClaimError
from annotation.actions.desk_submissions import JudgementResult, SentJudgement
from annotation.design import items_ahead
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    Cursor,
    Item,
)
from performance.compiled_queries import Compiled

HELD_NAMES = Compiled(
    lambda *, annotator, batch: (
        Assignment.objects.claimed()
        .filter(annotator=annotator, item__batch=batch)
        .values_list("public_id")
    )
)
N_PEOPLE = Compiled(
    lambda *, batch: (
        Cursor.objects.filter(batch=batch, is_paused=False)
        .values("batch")
        .annotate(n=Count("pk"))
        .values_list("n")
    )
)
FINISHED_NAMES = Compiled(
    lambda *, names, annotator: (
        Assignment.objects.filter(public_id__in=names, annotator=annotator)
        .filter(state__in=(AssignmentState.SUBMITTED, AssignmentState.SKIPPED))
        .values_list("public_id")
    )
)
NTH_OPEN_ITEM = Compiled(
    lambda n_ahead, *, batch: (
        Item.objects.claimable()
        .filter(batch=batch)
        .order_by("position")
        .values_list("pk")[n_ahead : n_ahead + 1]
    )
)
N_OPEN_ITEMS = Compiled(
    lambda *, batch: (
        Item.objects.claimable()
        .filter(batch=batch)
        .order_by()
        .values("batch")
        .annotate(n=Count("pk"))
        .values_list("n")
    )
)


@dataclass(frozen=True)
class SyncResult:
    """The result of the desk's data request.

    results         one for each submission, in their order
    handed_before   assignments that the browser lacks, handed to the person earlier; they come first
    new             assignments claimed now
    finished        assignments that the browser has, judged or skipped in another tab or on another device
    is_paused       the person is handed nothing for now
    """

    results: list[JudgementResult]
    handed_before: list[Assignment] = field(default_factory=list)
    new: list[Assignment] = field(default_factory=list)
    finished: list[UUID] = field(default_factory=list)
    is_paused: bool = False


def sync(
    *,
    batch: Batch,
    by: User,
    sent: Sequence[SentJudgement],
    ahead: Collection[UUID] = (),
    n_more: int = 0,
    roles: set[Role] | None = None,
    now: datetime | None = None,
) -> SyncResult:
    """Store the submissions in their order, then hand out up to `n_more` items.

    `ahead` are the assignments that the browser has and has not judged. It gets the others that the person
    holds, and new claims up to the batch's prefetch depth, fewer when the batch runs dry. `roles` are the
    person's, if known already. Raises NotAllowedError if they have no desk in the study; a submission that
    cannot be stored raises nothing, its result says so.
    """
    now = now or timezone.now()
    permissions.require_desk(by, batch.study, roles)
    if not n_more:
        with transaction.atomic():
            return SyncResult(desk_submissions.store(batch, by, sent, now))
    claims.expire_lapsed(batch=batch, now=now)
    with transaction.atomic():
        cursor = claims.locked_cursor(batch, by)
        results = desk_submissions.store(batch, by, sent, now)
        held = {name for (name,) in HELD_NAMES.all(annotator=by.pk, batch=cursor.batch_id)}
        finished = _finished_elsewhere(by, set(ahead) - held)
        following = _next_assignments(
            cursor, by, held, held.difference(ahead), n_more, now, may_wait=not sent
        )
    return SyncResult(
        results,
        handed_before=[each for each in following if each.claimed_at < now],
        new=[each for each in following if each.claimed_at == now],
        finished=finished,
        is_paused=cursor.is_paused,
    )


def _finished_elsewhere(by: User, not_held: Collection[UUID]) -> list[UUID]:
    """The assignments judged or skipped. An expired claim can still be judged, so it stays on the screen."""
    if not not_held:
        return []
    return [name for (name,) in FINISHED_NAMES.all(names=list(not_held), annotator=by.pk)]


def _next_assignments(
    cursor: Cursor,
    by: User,
    held: Collection[UUID],
    missing: Collection[UUID],
    n_more: int,
    now: datetime,
    *,
    may_wait: bool,
) -> list[Assignment]:
    """Assignments to send. `held` are those that the person holds, `missing` those of them that the browser lacks."""
    assignments = _assignments_named(cursor, missing) if missing else []
    most = min(len(held) + n_more, cursor.batch.prefetch_depth)
    if cursor.is_paused:
        return assignments
    if most > len(held) and not cursor.batch.is_training:  # there everybody is handed every item
        most = min(most, _depth_now(cursor.batch, cursor.n_waiting))
    if most > len(held):
        # Held items can still be judged; the desk's page says why no new ones come.
        with suppress(NothingToClaimError):
            assignments += claims.claim_more(cursor, by, most - len(held), now, may_wait=may_wait)
    return assignments


def _assignments_named(cursor: Cursor, names: Collection[UUID]) -> list[Assignment]:
    return claims.in_order_of_claims(
        claims.own_assignments(cursor).claimed().filter(public_id__in=names).select_related("item")
    )


def _depth_now(batch: Batch, n_waiting: int) -> int:
    """How many items a person may hold: fewer than the batch's depth if not all people at work could hold as many.

    What is reserved for the person (`n_waiting`) is taken from nobody, and comes on top. Items are counted only then,
    so that a large batch costs no more than a small one.
    """
    depth = batch.prefetch_depth
    ((n_people,),) = N_PEOPLE.all(batch=batch.pk)
    if NTH_OPEN_ITEM.all(depth * n_people, batch=batch.pk):
        return depth
    counted = N_OPEN_ITEMS.first(batch=batch.pk)
    fair = items_ahead.fair_depth(depth, counted[0] if counted else 0, n_people)
    return min(depth, fair + n_waiting)
