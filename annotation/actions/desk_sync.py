"""The desk's data request: store submissions and hand out the next items, in one transaction.

docs/adr/0006-the-desk-under-load.md is the design. Locks are taken in the order of all actions: cursor,
assignments, items by position. A request that stores something waits for no further item: it holds the locks
on the items just judged.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from accounts import permissions
from accounts.models import Role, User
from annotation import schemes
from annotation.actions import claims, judgements
from annotation.actions.claims import NothingToClaimError
from annotation.actions.judgements import AlreadySubmittedError, NotClaimedError, Submission
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Cursor,
    Item,
    Judgement,
)
from annotation.schemes import ResponseError
from performance.compiled_queries import Compiled

# When few items of a batch are left, a person holds the one on their screen and this many more.
AHEAD_WHEN_DRY = 1

NAMED_ASSIGNMENTS = Compiled(
    lambda *, names, batch: (
        Assignment.objects.filter(public_id__in=names, item__batch=batch)
        .select_related("item")
        .select_for_update(of=("self", "item"))
        .order_by("item__position")
    )
)
JUDGEMENTS = Compiled(
    lambda *, assignments: (
        Judgement.objects.filter(assignment__pk__in=assignments)
        .select_related("withdrawal")
        .order_by("number")
    )
)
CLOSED_BATCH = Compiled(
    lambda *, pk: Batch.objects.filter(pk=pk, state=BatchState.CLOSED).values_list("pk")
)
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


class Outcome(StrEnum):
    SAVED = "saved"
    LATE = "late"  # saved as surplus
    ALREADY = "already"  # another judgement of the person stands
    SKIPPED = "skipped"
    TAKEN_BACK = "taken_back"  # stored once, and taken back since
    REFUSED = "refused"


@dataclass(frozen=True)
class SentJudgement:
    """A judgement as the browser sends it."""

    assignment: UUID
    submission: Submission


@dataclass(frozen=True)
class JudgementResult:
    """The outcome of one submission. `judgement` is the current one, if any; `is_same`: it equals what was sent."""

    sent: SentJudgement
    outcome: Outcome
    judgement: Judgement | None = None
    why: str = ""
    is_same: bool = False


@dataclass(frozen=True)
class SyncResult:
    """What the desk's request returns.

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
            return SyncResult(_store(batch, by, sent, now))
    claims.expire_lapsed(batch=batch, now=now)
    with transaction.atomic():
        cursor = claims.locked_cursor(batch, by)
        results = _store(batch, by, sent, now)
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


# Submissions


def _store(
    batch: Batch, by: User, sent: Sequence[SentJudgement], now: datetime
) -> list[JudgementResult]:
    if not sent:
        return []
    names = list({each.assignment for each in sent})
    # Filtered by person here: in the query, PostgreSQL may read all assignments of the person.
    named = NAMED_ASSIGNMENTS.all(names=names, batch=batch.pk)
    own = [each for each in named if each.annotator_id == by.pk]
    by_name = {each.public_id: each for each in own}
    # Read after the items are locked: settling locks them too, so a submission it did not wait for comes after it.
    is_closed = bool(CLOSED_BATCH.all(pk=batch.pk))
    known: dict[int, list[Judgement]] = {each.pk: [] for each in own}
    for judgement in JUDGEMENTS.all(assignments=list(known)) if known else ():
        known[judgement.assignment_id].append(judgement)
    added: dict[int, list[Judgement]] = defaultdict(list)
    results = []
    for each in sent:
        assignment = by_name.get(each.assignment)
        if assignment is None:
            results.append(
                JudgementResult(each, Outcome.REFUSED, why="the item was not handed to you")
            )
            continue
        so_far = known[assignment.pk] + added[assignment.pk]
        result = _store_one(each, assignment, batch, so_far, now, is_closed)
        if result.judgement is not None and result.judgement not in so_far:
            added[assignment.pk].append(result.judgement)
        results.append(result)
    return results


def _store_one(
    sent: SentJudgement,
    assignment: Assignment,
    batch: Batch,
    known: Sequence[Judgement],
    now: datetime,
    is_closed: bool,
) -> JudgementResult:
    """The result of one submission; `known` are the judgements of its assignment so far."""
    submission = judgements.with_plausible_times(sent.submission, assignment, now)
    stored = next((each for each in known if each.client_id == submission.client_id), None)
    if stored is not None:
        return _result_of_repetition(sent, stored, assignment, batch)
    try:
        judgements.require_submittable(assignment, known)
        judgement = judgements.new_judgement(
            assignment, submission, batch, len(known) + 1, now, is_closed
        )
    except AlreadySubmittedError as error:
        current = error.judgement
        is_same = _is_same_response(current, sent, assignment, batch)
        return JudgementResult(sent, Outcome.ALREADY, current, is_same=is_same)
    except NotClaimedError:
        return JudgementResult(sent, Outcome.SKIPPED)
    except ResponseError as error:
        return JudgementResult(sent, Outcome.REFUSED, why=str(error))
    judgement.save(force_insert=True)
    return _saved_result(sent, judgement)


def _result_of_repetition(
    sent: SentJudgement, stored: Judgement, assignment: Assignment, batch: Batch
) -> JudgementResult:
    """The result of a client id that was stored before: the same each time it is sent."""
    if hasattr(stored, "withdrawal"):
        return JudgementResult(sent, Outcome.TAKEN_BACK, stored)
    if not _is_same_response(stored, sent, assignment, batch):
        return JudgementResult(sent, Outcome.ALREADY, stored)
    return _saved_result(sent, stored)


def _saved_result(sent: SentJudgement, stored: Judgement) -> JudgementResult:
    outcome = Outcome.LATE if stored.is_surplus else Outcome.SAVED
    return JudgementResult(sent, outcome, stored, is_same=True)


def _is_same_response(
    stored: Judgement, sent: SentJudgement, assignment: Assignment, batch: Batch
) -> bool:
    """Whether the stored response equals the one sent, once the scheme has cleaned it."""
    try:
        response = schemes.get(batch.scheme).clean(
            sent.submission.response, assignment.item.payload
        )
    except ResponseError:
        return False
    return bool(stored.response == response)


# The next items


def _finished_elsewhere(by: User, not_held: Collection[UUID]) -> list[UUID]:
    """Those judged or skipped. An expired claim stays on the screen, because it can still be judged."""
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
    if most > len(held) and _runs_dry(cursor.batch):
        most = min(most, 1 + AHEAD_WHEN_DRY)
    if most > len(held):
        # Held items can still be judged; the desk's page says why no new ones come.
        with suppress(NothingToClaimError):
            assignments += claims.claim_more(cursor, by, most - len(held), now, may_wait=may_wait)
    return assignments


def _assignments_named(cursor: Cursor, names: Collection[UUID]) -> list[Assignment]:
    return claims.in_order_of_claims(
        claims.own_assignments(cursor).claimed().filter(public_id__in=names)
    )


def _runs_dry(batch: Batch) -> bool:
    """Whether fewer items are open than all people at work on the batch, this one included, would prefetch."""
    ((n_people,),) = N_PEOPLE.all(batch=batch.pk)
    return not NTH_OPEN_ITEM.all(batch.prefetch_depth * n_people, batch=batch.pk)
