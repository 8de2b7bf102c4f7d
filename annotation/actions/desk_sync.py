"""The desk's one request: store what was judged, and hand out what comes next, in one transaction.

docs/adr/0006-the-desk-under-load.md is the design. Locks are taken in the order of all actions: cursor,
assignments, items by position. While anything was stored nothing is waited for: who holds the items that
were judged just now must not wait for others.
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

# When a batch runs dry a person holds what is on their screen and this many items more.
AHEAD_WHEN_DRY = 1

NAMED = Compiled(
    lambda *, names, batch: (
        Assignment.objects.filter(public_id__in=names, item__batch=batch)
        .select_related("item")
        .select_for_update(of=("self", "item"))
        .order_by("item__position")
    )
)
SAID = Compiled(
    lambda *, assignments: (
        Judgement.objects.filter(assignment__pk__in=assignments)
        .select_related("withdrawal")
        .order_by("number")
    )
)
CLOSED = Compiled(
    lambda *, pk: Batch.objects.filter(pk=pk, state=BatchState.CLOSED).values_list("pk")
)
HELD = Compiled(
    lambda *, annotator, batch: (
        Assignment.objects.claimed()
        .filter(annotator=annotator, item__batch=batch)
        .values_list("public_id")
    )
)
PEOPLE = Compiled(
    lambda *, batch: (
        Cursor.objects.filter(batch=batch, is_paused=False)
        .values("batch")
        .annotate(n=Count("pk"))
        .values_list("n")
    )
)
OVER = Compiled(
    lambda *, names, annotator: (
        Assignment.objects.filter(public_id__in=names, annotator=annotator)
        .filter(state__in=(AssignmentState.SUBMITTED, AssignmentState.SKIPPED))
        .values_list("public_id")
    )
)
STILL_OPEN = Compiled(
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
class Sent:
    """A judgement as the browser sends it."""

    assignment: UUID
    submission: Submission


@dataclass(frozen=True)
class Result:
    """What became of it. `judgement` is the one that stands, where one does; `is_same`: it says what was sent."""

    sent: Sent
    outcome: Outcome
    judgement: Judgement | None = None
    why: str = ""
    is_same: bool = False


@dataclass(frozen=True)
class Fed:
    """`again` and `fresh` are what is to be judged next and the browser does not have, in this order: what
    the person was handed before, and what they never saw. `over` is what the browser has and need not show:
    it was judged or skipped in another tab, or on another device. `is_paused`: they are handed nothing for now.
    """

    results: list[Result]
    again: list[Assignment] = field(default_factory=list)
    fresh: list[Assignment] = field(default_factory=list)
    over: list[UUID] = field(default_factory=list)
    is_paused: bool = False


def feed(
    *,
    batch: Batch,
    by: User,
    sent: Sequence[Sent],
    ahead: Collection[UUID] = (),
    wanted: int = 0,
    roles: set[Role] | None = None,
    now: datetime | None = None,
) -> Fed:
    """Store the submissions in their order, then see to it that up to `wanted` more items are at hand.

    `ahead` are the items that the browser has and has not judged. It gets what the person holds besides
    them, and new claims up to the batch's prefetch depth; fewer while the batch runs dry. Raises
    NotAllowedError to who has no desk in the study (`roles` are theirs, where they are known already); what
    becomes of a single submission is its result.
    """
    now = now or timezone.now()
    permissions.require_desk(by, batch.study, roles)
    if not wanted:
        with transaction.atomic():
            return Fed(_store(batch, by, sent, now))
    claims.expire_lapsed(batch=batch, now=now)
    with transaction.atomic():
        cursor = claims.locked_cursor(batch, by)
        results = _store(batch, by, sent, now)
        held = {name for (name,) in HELD.all(annotator=by.pk, batch=cursor.batch_id)}
        over = _over(by, set(ahead) - held)
        found = _ahead(cursor, by, held, held.difference(ahead), wanted, now, may_wait=not sent)
    return Fed(
        results,
        again=[each for each in found if each.claimed_at < now],
        fresh=[each for each in found if each.claimed_at == now],
        over=over,
        is_paused=cursor.is_paused,
    )


# What was judged


def _store(batch: Batch, by: User, sent: Sequence[Sent], now: datetime) -> list[Result]:
    if not sent:
        return []
    names = list({each.assignment for each in sent})
    # Whose they are is looked at here: asked for, PostgreSQL may read all that the person ever did.
    named = NAMED.all(names=names, batch=batch.pk)
    found = [each for each in named if each.annotator_id == by.pk]
    held = {each.public_id: each for each in found}
    # Read after the items are locked: settling locks them too, and what it does not wait for comes after it.
    is_closed = bool(CLOSED.all(pk=batch.pk))
    before: dict[int, list[Judgement]] = {each.pk: [] for each in found}
    for judgement in SAID.all(assignments=list(before)) if before else ():
        before[judgement.assignment_id].append(judgement)
    new: dict[int, list[Judgement]] = defaultdict(list)
    results = []
    for each in sent:
        assignment = held.get(each.assignment)
        if assignment is None:
            results.append(Result(each, Outcome.REFUSED, why="the item was not handed to you"))
            continue
        known = before[assignment.pk] + new[assignment.pk]
        result = _stored(each, assignment, batch, known, now, is_closed)
        if result.judgement is not None and result.judgement not in known:
            new[assignment.pk].append(result.judgement)
        results.append(result)
    return results


def _stored(
    sent: Sent,
    assignment: Assignment,
    batch: Batch,
    known: Sequence[Judgement],
    now: datetime,
    is_closed: bool,
) -> Result:
    """One submission; `known` are the judgements of its assignment so far."""
    submission = judgements.possible(sent.submission, assignment, now)
    stored = next((each for each in known if each.client_id == submission.client_id), None)
    if stored is not None:
        return _again(sent, stored, assignment, batch)
    try:
        judgements.require_submittable(assignment, known)
        judgement = judgements.fill(assignment, submission, batch, len(known) + 1, now, is_closed)
    except AlreadySubmittedError as refused:
        stands = refused.judgement
        is_same = _says(stands, sent, assignment, batch)
        return Result(sent, Outcome.ALREADY, stands, is_same=is_same)
    except NotClaimedError:
        return Result(sent, Outcome.SKIPPED)
    except ResponseError as error:
        return Result(sent, Outcome.REFUSED, why=str(error))
    judgement.save(force_insert=True)
    return _saved(sent, judgement)


def _again(sent: Sent, stored: Judgement, assignment: Assignment, batch: Batch) -> Result:
    """The same client id says the same however often it comes."""
    if hasattr(stored, "withdrawal"):
        return Result(sent, Outcome.TAKEN_BACK, stored)
    if not _says(stored, sent, assignment, batch):
        return Result(sent, Outcome.ALREADY, stored)
    return _saved(sent, stored)


def _saved(sent: Sent, stored: Judgement) -> Result:
    outcome = Outcome.LATE if stored.is_surplus else Outcome.SAVED
    return Result(sent, outcome, stored, is_same=True)


def _says(stored: Judgement, sent: Sent, assignment: Assignment, batch: Batch) -> bool:
    """Whether the judgement is what was sent, as the scheme reads it."""
    try:
        said = schemes.get(batch.scheme).clean(sent.submission.response, assignment.item.payload)
    except ResponseError:
        return False
    return bool(stored.response == said)


# What comes next


def _over(by: User, not_held: Collection[UUID]) -> list[UUID]:
    """Whose claim has only run out stays on the screen: it may be judged late."""
    if not not_held:
        return []
    return [name for (name,) in OVER.all(names=list(not_held), annotator=by.pk)]


def _ahead(
    cursor: Cursor,
    by: User,
    held: Collection[UUID],
    lost: Collection[UUID],
    wanted: int,
    now: datetime,
    *,
    may_wait: bool,
) -> list[Assignment]:
    """`held` is what the person holds, `lost` what of it the browser does not have."""
    found = _handed_before(cursor, lost) if lost else []
    most = min(len(held) + wanted, cursor.batch.prefetch_depth)
    if cursor.is_paused:
        return found
    if most > len(held) and _runs_dry(cursor.batch):
        most = min(most, 1 + AHEAD_WHEN_DRY)
    if most > len(held):
        # What is held can be judged all the same; the desk's page says why nothing comes.
        with suppress(NothingToClaimError):
            found += claims.more(cursor, by, most - len(held), now, may_wait=may_wait)
    return found


def _handed_before(cursor: Cursor, names: Collection[UUID]) -> list[Assignment]:
    return claims.in_order(claims.own(cursor).claimed().filter(public_id__in=names))


def _runs_dry(batch: Batch) -> bool:
    """Whether fewer items are open than all who work on the batch would fetch ahead. Who asks is one of them."""
    ((n_people,),) = PEOPLE.all(batch=batch.pk)
    return not STILL_OPEN.all(batch.prefetch_depth * n_people, batch=batch.pk)
